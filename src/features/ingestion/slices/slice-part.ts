import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { type ProjectChanges, type ProjectQuestion, QuestionCollector } from "../../persons/index.js"
import { type EnrichContext, enrich } from "../enrich/index.js"
import type { LoggedEvent } from "../ingestion.types.js"
import { deadLetterText } from "../reading/dead-letter-text.js"
import { asVisitors, withoutTraces } from "../reading/identify-heads.js"
import { PoisonError } from "../reading/poison-error.js"
import { type EventHead, type ReadPart, readEvents } from "../reading/read-requests.js"
import { toPersonRows } from "../rows/person-rows.js"
import { NO_SNAPSHOTS, type PreparedSnapshots, type SnapshotMessage } from "../rows/snapshot-sink.types.js"
import { type ProjectWarning, toDeadLetterWarning, toSnapshotWarning } from "../warnings/ingestion-warning.js"
import type { DeadLetter } from "./slice.types.js"
import { type SliceRun, settled } from "./slice-run.js"
import { addDefinitions, EventWork, type WorkedOut } from "./work-out-events.js"

/** A single request may hold far more events than a part should: they are worked out and stored this many at a time. */
const MAX_PORTION_EVENTS = 20_000

/**
 * Events that were worked out together, under the name that their inserts have at every replay. A portion ends early where its
 * persons or rows get too large: that depends on nothing but what the replay finds as well.
 */
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

/** What goes on beside the work on a part. */
interface Others {
  readonly alongside: () => Promise<unknown>
  readonly afterOthers: () => Promise<unknown>
}

/** Some requests of a slice on their way through persons and groups into both stores. */
export class SlicePart {
  private readonly warnings: ProjectWarning[] = []
  private readonly deadLetters: DeadLetter[] = []
  private storedCount = 0
  private droppedCount = 0
  /** One, unless the part is huge or an event of it cannot be processed. */
  private readonly portions: Portion[] = []
  /** Changes of persons that had waited and were saved while this part was worked out. */
  private readonly settled: ProjectChanges[] = []

  constructor(
    private readonly run: SliceRun,
    private readonly part: ReadPart,
    /** Indexes of events that were stored before. */
    private readonly known: ReadonlySet<number>,
  ) {}

  /**
   * Does all the work in PostgreSQL. Rows are kept for ClickHouse, except portions that are too large to keep.
   *
   * @param alongside called, and waited for, where this leaves the connection alone for a while; however often it is
   * called, it happens once
   * @param afterOthers resolves when the part before is stored, and this one may store portions
   * @param isAlone nobody waits for other parts, so that whoever sees an event of this slice sees its persons as they
   * are after it
   */
  async workOut(
    alongside: () => Promise<unknown>,
    afterOthers: () => Promise<unknown>,
    isAlone: boolean,
  ): Promise<void> {
    const { heads } = this.part
    this.droppedCount += this.known.size
    const fresh = this.known.size === 0 ? heads : heads.filter((_, index) => !this.known.has(index))
    const end = (heads.at(-1)?.position ?? -1) + 1
    for (let from = heads[0]?.position ?? end; from < end; from += MAX_PORTION_EVENTS) {
      const to = Math.min(from + MAX_PORTION_EVENTS, end)
      const range = fresh.filter(({ position }) => position >= from && position < to)
      await this.workOutRange(range, from, to, { alongside, afterOthers })
    }
    await alongside()
    const { persons } = this.run
    if (isAlone || persons.isFull) this.settled.push(...(await settled(this.run, await persons.settle())))
  }

  /** Stores in ClickHouse what was worked out and is not stored yet. Answers the outcome of the part up to here. */
  async store(): Promise<PartOutcome> {
    const { sink } = this.run.work
    const copies = this.settled.splice(0)
    const portions = this.portions.splice(0)
    if (portions.length === 0) await sink.write(this.run.token, toPersonRows(copies), [])
    for (const { token, heads, workedOut, snapshots } of portions) {
      const { changes, eventRows, warnings } = workedOut
      const refused = await sink.write(token, toPersonRows([...copies.splice(0), ...changes]), eventRows)
      const refusedRows = await sink.writeSnapshots(token, snapshots.inserts)
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
   * Works out the events of a range of places, in one portion if there is room. Nothing of a portion is kept once it is
   * stored.
   */
  private async workOutRange(heads: readonly EventHead[], from: number, to: number, others: Others): Promise<void> {
    let rest = heads
    let start = from
    while (rest.length > 0) {
      if (this.portions.length > 0) await this.makeRoom(others)
      const count = await this.workOutPortion(rest, start, to, others)
      rest = rest.slice(count)
      start = rest[0]?.position ?? to
    }
  }

  /**
   * Works out the first events of a range and answers how many; when one of them cannot be processed, halves the range until it
   * stands alone. Ranges are named by places, not by events, so that the name does not depend on which events were known before.
   */
  private async workOutPortion(heads: readonly EventHead[], from: number, to: number, others: Others): Promise<number> {
    try {
      const { count, ...processed } = await this.process(heads, others.alongside)
      const end = heads[count]?.position ?? to
      this.portions.push({ token: `${this.run.token}/${from}-${end}`, heads: heads.slice(0, count), ...processed })
      return count
    } catch (error) {
      if (!(error instanceof PoisonError)) throw error
      // The persons in memory have seen the events that could not be worked out.
      this.settled.push(...(await settled(this.run, await this.run.persons.settleAfterFailure())))
      const [only] = heads
      if (only !== undefined && heads.length === 1) await this.bury(only, error.message)
      else await this.workOutHalves(heads, from, to, others)
      return heads.length
    }
  }

  private async workOutHalves(heads: readonly EventHead[], from: number, to: number, others: Others): Promise<void> {
    const middle = (from + to) >> 1
    const isEarly = ({ position }: EventHead): boolean => position < middle
    await this.workOutRange(heads.filter(isEarly), from, middle, others)
    await this.workOutRange(
      heads.filter((head) => !isEarly(head)),
      middle,
      to,
      others,
    )
  }

  /** Stores what is worked out, once the part before is stored, and forgets the persons when they are many. */
  private async makeRoom({ afterOthers }: Others): Promise<void> {
    const { persons } = this.run
    if (persons.isFull) this.settled.push(...(await settled(this.run, await persons.settle())))
    await afterOthers()
    await this.store()
  }

  /** Works out as many of the events as there is room for, at least one; `count` says how many. */
  private async process(
    heads: readonly EventHead[],
    alongside: () => Promise<unknown>,
  ): Promise<Pick<Portion, "workedOut" | "snapshots"> & { readonly count: number }> {
    const { transaction, persons, work, names } = this.run
    const { requests } = this.part
    const questions = questionsOf(heads)
    const contextOf = await this.enrichContexts(questions.map(({ projectId }) => projectId))
    const collector = work.definitions.collect()
    const workspaces = await transaction.attempt(() => persons.workspaces(questions))
    const working = new EventWork(workspaces, collector, work.maxRowBytes)
    const messages: SnapshotMessage[] = []
    const other = alongside()
    let count: number
    try {
      count = await readEvents(requests, heads, (head, event) => {
        const { position, projectId, asked } = head
        if (working.isFull) return "end"
        if (asked === null) {
          messages.push({ position, ...event })
          return 0
        }
        return persons.knows(projectId, asked)
          ? orPoison(() => working.add(position, enrich(asVisitors(event, head), contextOf(event))))
          : "end"
      })
    } finally {
      await other
    }
    if (count === 0) throw new Error("the store has not answered what the first event asks for")
    const workedOut = orPoison(() => working.finish())
    const snapshots = await this.prepareSnapshots(messages)
    const changes = await transaction.attempt(async () => {
      const saved = await persons.save(workedOut.changes)
      await transaction.tellMerges(saved.flatMap(({ merges }) => merges))
      addDefinitions(saved, collector)
      await transaction.saveDefinitions(collector.definitions())
      return saved
    })
    names.push(collector.definitions())
    return { count, workedOut: { ...workedOut, changes }, snapshots }
  }

  /** By project: whether it has switched GeoIP off is asked once for all its events, and from memory nearly always. */
  private async enrichContexts(projectIds: readonly ProjectId[]): Promise<(event: LoggedEvent) => EnrichContext> {
    const { geoIp, geoIpPlugin } = this.run.work
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
      return await this.run.work.snapshots.prepare(messages)
    } catch (error) {
      throw error instanceof AppError ? error : new PoisonError(error)
    }
  }

  private async bury(head: EventHead, reason: string): Promise<void> {
    this.droppedCount += 1
    await readEvents(this.part.requests, [head], ({ projectId, position }, event, request) => {
      const text = deadLetterText(withoutTraces(event, head), request, position - request.firstPosition)
      this.deadLetters.push({ projectId, event: text, reason })
      return text.length
    })
    this.warnings.push(toDeadLetterWarning(head, reason))
  }
}

/** One question for each project, in the order of the events: what the first of them needs to know is asked for first. */
function questionsOf(heads: readonly EventHead[]): ProjectQuestion[] {
  const collectors = new Map<ProjectId, QuestionCollector>()
  for (const { projectId, asked } of heads) {
    if (asked === null) continue
    let collector = collectors.get(projectId)
    if (collector === undefined) {
      collector = new QuestionCollector(projectId)
      collectors.set(projectId, collector)
    }
    collector.add(asked)
  }
  return [...collectors.values()].map((each) => each.question())
}

function warningsOf(heads: readonly EventHead[], { dropped }: PreparedSnapshots): ProjectWarning[] {
  if (dropped.length === 0) return []
  const reasons = new Map(dropped.map(({ position, reason }) => [position, reason]))
  return heads.flatMap((head) => {
    const reason = reasons.get(head.position)
    return reason === undefined ? [] : [toSnapshotWarning(head, reason)]
  })
}

/** An exception of pure code means an event that it cannot deal with. */
function orPoison<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new PoisonError(error)
  }
}
