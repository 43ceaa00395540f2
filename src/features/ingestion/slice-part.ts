import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import { SNAPSHOT_EVENT_NAME } from "../capture/index.js"
import { deadLetterText } from "./dead-letter-text.js"
import type { Definitions } from "./definitions/definition-catalogue.js"
import { type EnrichContext, enrich } from "./enrich/index.js"
import type { LoggedEvent } from "./ingestion.types.js"
import { type ProjectWarning, toDeadLetterWarning, toSnapshotWarning } from "./ingestion-warning.js"
import { toPersonRows } from "./person-rows.js"
import { PoisonError } from "./poison-error.js"
import type { SliceWork } from "./process-slice.js"
import { type EventHead, type ReadPart, readEvents } from "./read-requests.js"
import type { DeadLetter, SliceTransaction } from "./slice.types.js"
import { NO_SNAPSHOTS, type PreparedSnapshots, type SnapshotMessage } from "./snapshot-sink.types.js"
import { EventWork, type WorkedOut } from "./work-out-events.js"

/** A single request may hold far more events than a part should: they are worked out and stored this many at a time. */
const MAX_PORTION_EVENTS = 20_000

/** Events that were worked out together, under the name that their inserts have at every replay. */
interface Portion {
  readonly token: string
  readonly heads: readonly EventHead[]
  readonly workedOut: WorkedOut
  readonly snapshots: PreparedSnapshots
}

/** What is left to do about a part once it is stored. */
export interface PartOutcome {
  readonly warnings: readonly ProjectWarning[]
  readonly deadLetters: readonly DeadLetter[]
  readonly storedCount: number
  readonly droppedCount: number
}

/** Some requests of a slice on their way through persons and groups into both stores. */
export class SlicePart {
  private readonly warnings: ProjectWarning[] = []
  private readonly deadLetters: DeadLetter[] = []
  private storedCount = 0
  private droppedCount = 0
  /** One, unless the part is huge or an event of it cannot be processed. */
  private readonly portions: Portion[] = []

  constructor(
    private readonly transaction: SliceTransaction,
    private readonly sliceToken: string,
    private readonly work: SliceWork,
    private readonly names: Definitions[],
    private readonly part: ReadPart,
  ) {}

  /** Does all that concerns PostgreSQL. ClickHouse hears of nothing yet. */
  async workOut(): Promise<void> {
    const { heads } = this.part
    const [first, last] = [heads[0], heads.at(-1)]
    if (first === undefined || last === undefined) return
    const known = await this.transaction.keepUuids(heads)
    this.droppedCount += known.size
    const fresh = heads.filter((_, index) => !known.has(index))
    const end = last.position + 1
    for (let from = first.position; from < end; from += MAX_PORTION_EVENTS) {
      const to = Math.min(from + MAX_PORTION_EVENTS, end)
      await this.workOutRange(
        fresh.filter(({ position }) => position >= from && position < to),
        from,
        to,
      )
    }
  }

  /** Stores in ClickHouse what was worked out. */
  async store(): Promise<PartOutcome> {
    for (const { token, heads, workedOut, snapshots } of this.portions) {
      const { changes, eventRows, warnings } = workedOut
      const refused = await this.work.sink.write(token, toPersonRows(changes), eventRows)
      const refusedRows = await this.work.sink.writeSnapshots(token, snapshots.inserts)
      const refusedMessages = refusedRows.flatMap(({ position, reason }) =>
        (snapshots.positionsOfRow.get(position) ?? []).map((place) => ({ position: place, reason })),
      )
      this.warnings.push(...warnings, ...warningsOf(heads, snapshots))
      const reasons = new Map([...refused, ...refusedMessages].map(({ position, reason }) => [position, reason]))
      for (const head of heads) {
        const reason = reasons.get(head.position)
        if (reason !== undefined) await this.bury(head, reason)
      }
      const droppedCount = workedOut.droppedCount + snapshots.dropped.length
      this.droppedCount += droppedCount
      this.storedCount += heads.length - droppedCount - reasons.size
    }
    const { warnings, deadLetters, storedCount, droppedCount } = this
    return { warnings, deadLetters, storedCount, droppedCount }
  }

  /**
   * Works out the events of a range of places; when one of them cannot be processed, halves the range until it stands alone.
   * Ranges are named by places, not by events, so that the name does not depend on which events were known before.
   */
  private async workOutRange(heads: readonly EventHead[], from: number, to: number): Promise<void> {
    const [first] = heads
    if (first === undefined) return
    try {
      const processed = await this.transaction.attempt(() => this.process(heads))
      this.portions.push({ token: `${this.sliceToken}/${from}-${to}`, heads, ...processed })
    } catch (error) {
      if (!(error instanceof PoisonError)) throw error
      if (heads.length === 1) return this.bury(first, error.message)
      const middle = (from + to) >> 1
      const isEarly = ({ position }: EventHead): boolean => position < middle
      await this.workOutRange(heads.filter(isEarly), from, middle)
      await this.workOutRange(
        heads.filter((head) => !isEarly(head)),
        middle,
        to,
      )
    }
  }

  private async process(heads: readonly EventHead[]): Promise<Pick<Portion, "workedOut" | "snapshots">> {
    const { persons } = this.transaction
    const { requests, questions } = this.part
    const contextOf = await this.enrichContexts(questions.map(({ projectId }) => projectId))
    const collector = this.work.definitions.collect()
    const working = new EventWork(questions, await persons.load(questions), collector)
    const messages: SnapshotMessage[] = []
    await readEvents(requests, heads, ({ position }, event) => {
      if (isSnapshot(event)) messages.push({ position, ...event })
      else orPoison(() => working.add(position, enrich(event, contextOf(event))))
    })
    const workedOut = orPoison(() => working.finish())
    await persons.save(workedOut.changes)
    await this.transaction.tellMerges(workedOut.changes.flatMap(({ merges }) => merges))
    const names = collector.definitions()
    await this.transaction.saveDefinitions(names)
    this.names.push(names)
    return { workedOut, snapshots: await this.prepareSnapshots(messages) }
  }

  /** By project: whether it has switched GeoIP off is asked once for all its events, and from memory nearly always. */
  private async enrichContexts(projectIds: readonly ProjectId[]): Promise<(event: LoggedEvent) => EnrichContext> {
    const { geoIp, geoIpPlugin } = this.work
    const switchedOff = await geoIpPlugin.switchedOffIn(new Set(projectIds))
    const off: EnrichContext = { geoIp: null }
    if (geoIp === null) return () => off
    const { placeNotFound } = geoIpPlugin
    const on: EnrichContext = { geoIp: { lookUp: (ipAddress) => geoIp.lookUp(ipAddress), placeNotFound } }
    return ({ projectId }) => (switchedOff.has(projectId) ? off : on)
  }

  private async prepareSnapshots(messages: readonly SnapshotMessage[]): Promise<PreparedSnapshots> {
    if (messages.length === 0) return NO_SNAPSHOTS
    try {
      return await this.work.snapshots.prepare(messages)
    } catch (error) {
      throw error instanceof AppError ? error : new PoisonError(error)
    }
  }

  private async bury(head: EventHead, reason: string): Promise<void> {
    this.droppedCount += 1
    await readEvents(this.part.requests, [head], ({ projectId, position }, event, request) => {
      const text = deadLetterText(event, request, position - request.firstPosition)
      this.deadLetters.push({ projectId, event: text, reason })
    })
    this.warnings.push(toDeadLetterWarning(head, reason))
  }
}

const isSnapshot = ({ event }: LoggedEvent): boolean => event === SNAPSHOT_EVENT_NAME

function warningsOf(heads: readonly EventHead[], { dropped }: PreparedSnapshots): ProjectWarning[] {
  if (dropped.length === 0) return []
  const reasons = new Map(dropped.map(({ position, reason }) => [position, reason]))
  return heads.flatMap((head) => {
    const reason = reasons.get(head.position)
    return reason === undefined ? [] : [toSnapshotWarning(head, reason)]
  })
}

/** Pure code that throws has met an event that it cannot deal with. */
function orPoison<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new PoisonError(error)
  }
}
