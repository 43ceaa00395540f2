import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { AddItems } from "../../../kernel/lossy-stream.js"
import { isBeyond, type Place } from "../../../kernel/place.js"
import { ONGOING_MS } from "../replay/list-values.js"
import { OngoingSessions } from "./ongoing-sessions.js"
import type { FoundChange, ReportedChanges } from "./recording-change.types.js"
import type { StoredBlocks } from "./stored-blocks.store.js"

/** How late the end of a recording may be noticed. */
const EXPIRED_EVERY_MS = 1_000
/** What is announced may get lost on its way, so PostgreSQL is asked this often as well. */
const ASKED_EVERY_MS = 5_000

export interface ProjectFeedDependencies {
  readonly blocks: StoredBlocks
  /** A place up to which everything of a project is stored. */
  readonly findLast: (projectId: ProjectId) => Promise<Place>
  /** Calls `listener` soon after more of a project is stored, until the returned function is called. */
  readonly onStored: (projectId: ProjectId, listener: () => void) => Promise<() => Promise<void>>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Calls `work` again and again until the returned function is called. */
  readonly every: (intervalMs: number, work: () => void) => () => void
  readonly onFailure: (failure: unknown) => void
}

/** What has changed, and how many changes were left out. */
interface ReadChanges {
  readonly changes: readonly FoundChange[]
  readonly missed: number
}

/** The changes of one project, read once for all who watch it in this process. */
export class ProjectFeed {
  readonly listeners = new Set<AddItems<FoundChange>>()
  /** Resolves with how to close the feed, once it is open. Rejects when the ongoing sessions cannot be read. */
  readonly opened: Promise<() => Promise<void>>
  private last: Place = [0, 0]
  private sessions = new OngoingSessions({ place: [0, 0], endedMs: 0, endedSession: "" }, [])
  private advanced: Promise<void>

  constructor(
    private readonly projectId: ProjectId,
    private readonly dependencies: ProjectFeedDependencies,
  ) {
    this.opened = this.open()
    this.advanced = this.opened.then(() => undefined)
    this.advanced.catch(() => undefined)
  }

  /**
   * Adds every change after those that have been reported, from now on without any, until the result is called.
   * @throws AppError invalid_input naming `since`, store_unavailable.
   */
  async follow(add: AddItems<FoundChange>, since: ReportedChanges | null): Promise<() => void> {
    await this.opened
    if (since !== null && isBeyond(since.place, this.last)) await this.advance()
    if (since !== null && isBeyond(since.place, this.last))
      throw new AppError("invalid_input", { attr: "since", detail: "since is no cursor of what is stored here." })
    const [upTo, untilMs] = [this.last, this.sessions.untilMs]
    const early: Parameters<AddItems<FoundChange>>[] = []
    let deliver: AddItems<FoundChange> = (...added) => void early.push(added)
    const listener: AddItems<FoundChange> = (...added) => deliver(...added)
    // From here on nothing is missed; what came before is found meanwhile.
    this.listeners.add(listener)
    try {
      if (since !== null) {
        const { changes, missed } = await this.findBetween(since, upTo, untilMs)
        if (changes.length + missed > 0) add(changes, missed)
      }
    } catch (failure) {
      this.listeners.delete(listener)
      throw failure
    }
    for (const added of early) add(...added)
    deliver = add
    return () => void this.listeners.delete(listener)
  }

  private async open(): Promise<() => Promise<void>> {
    const { blocks, findLast, onStored, now, every, onFailure } = this.dependencies
    const wake = (): void => void this.advance().catch(onFailure)
    const stopListening = await onStored(this.projectId, wake)
    try {
      this.last = await findLast(this.projectId)
      const nowMs = now()
      // These were ongoing before, so they do not start.
      const ongoing = await blocks.listOngoing(this.projectId, this.last, nowMs - ONGOING_MS)
      this.sessions = new OngoingSessions({ place: this.last, endedMs: nowMs, endedSession: "" }, ongoing)
    } catch (failure) {
      await stopListening()
      throw failure
    }
    const stopExpiring = every(EXPIRED_EVERY_MS, () => this.emit(this.sessions.advanceTo(now()), 0))
    const stopAsking = every(ASKED_EVERY_MS, wake)
    return () => {
      stopExpiring()
      stopAsking()
      return stopListening()
    }
  }

  /** Reads what is new once everything that was asked for before is read. */
  private advance(): Promise<void> {
    this.advanced = this.advanced.catch(() => undefined).then(() => this.readNext())
    return this.advanced
  }

  private async readNext(): Promise<void> {
    const { blocks, findLast } = this.dependencies
    const upTo = await findLast(this.projectId)
    if (!isBeyond(upTo, this.last)) return
    const { items, missed } = await blocks.read(this.projectId, this.last, upTo)
    this.last = upTo
    this.emit(
      items.flatMap((block) => this.sessions.add(block)),
      missed,
    )
  }

  /** The changes that follow what has been reported, up to a place and a time. */
  private async findBetween(since: ReportedChanges, upTo: Place, untilMs: number): Promise<ReadChanges> {
    const { blocks } = this.dependencies
    const { items, missed } = await blocks.read(this.projectId, since.place, upTo)
    const [first] = items
    // Where blocks had to be left out, all begins anew with the first that was read.
    const reported =
      missed > 0 && first !== undefined ? { ...since, endedMs: first.receivedAtMs, endedSession: "" } : since
    const ongoing = await blocks.listOngoing(this.projectId, since.place, reported.endedMs - ONGOING_MS)
    const sessions = new OngoingSessions(reported, ongoing)
    const started = items.flatMap((block) => sessions.add(block))
    return { changes: [...started, ...sessions.advanceTo(untilMs)], missed }
  }

  private emit(changes: readonly FoundChange[], missed: number): void {
    if (changes.length + missed > 0) for (const add of this.listeners) add(changes, missed)
  }
}
