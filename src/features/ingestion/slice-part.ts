import { AppError } from "../../kernel/errors.js"
import { SNAPSHOT_EVENT_NAME } from "../capture/index.js"
import { collectQuestion } from "../persons/index.js"
import type { Definitions } from "./definitions/definition-catalogue.js"
import { type EnrichContext, enrich } from "./enrich/index.js"
import type { LoggedEvent } from "./ingestion.types.js"
import { type ProjectWarning, toDeadLetterWarning, toSnapshotWarning } from "./ingestion-warning.js"
import { toPersonRows } from "./person-rows.js"
import { PoisonError } from "./poison-error.js"
import type { SliceWork } from "./process-slice.js"
import type { PlacedEvent } from "./read-requests.js"
import type { DeadLetter, SliceTransaction } from "./slice.types.js"
import { NO_SNAPSHOTS, type PreparedSnapshots } from "./snapshot-sink.types.js"
import { type EnrichedPlace, type WorkedOut, workOutEvents } from "./work-out-events.js"

/** A single request may hold far more events than a part should: they are worked out and stored this many at a time. */
const MAX_PORTION_EVENTS = 20_000

/** Events that were worked out together, under the name that their inserts have at every replay. */
interface Portion {
  readonly token: string
  readonly events: readonly PlacedEvent[]
  readonly workedOut: WorkedOut
  readonly snapshots: PreparedSnapshots
}

/** Some requests of a slice on their way through persons and groups into both stores. */
export class SlicePart {
  readonly warnings: ProjectWarning[] = []
  readonly deadLetters: DeadLetter[] = []
  storedCount = 0
  droppedCount = 0
  /** One, unless the part is huge or an event of it cannot be processed. */
  private readonly portions: Portion[] = []

  constructor(
    private readonly transaction: SliceTransaction,
    private readonly sliceToken: string,
    private readonly work: SliceWork,
    private readonly names: Definitions[],
  ) {}

  /** Does all that concerns PostgreSQL. ClickHouse hears of nothing yet. */
  async workOut(events: readonly PlacedEvent[]): Promise<void> {
    const [first, last] = [events[0], events.at(-1)]
    if (first === undefined || last === undefined) return
    const known = await this.transaction.keepUuids(events.map(({ event }) => event))
    this.droppedCount += known.size
    const fresh = events.filter((_, index) => !known.has(index))
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
  async store(): Promise<void> {
    for (const { token, events, workedOut, snapshots } of this.portions) {
      const { changes, eventRows, warnings } = workedOut
      const refused = await this.work.sink.write(token, toPersonRows(changes), eventRows)
      const refusedRows = await this.work.sink.writeSnapshots(token, snapshots.inserts)
      const refusedMessages = refusedRows.flatMap(({ position, reason }) =>
        (snapshots.positionsOfRow.get(position) ?? []).map((place) => ({ position: place, reason })),
      )
      this.warnings.push(...warnings, ...warningsOf(events, snapshots))
      const reasons = new Map([...refused, ...refusedMessages].map(({ position, reason }) => [position, reason]))
      for (const placed of events) {
        const reason = reasons.get(placed.position)
        if (reason !== undefined) this.bury(placed, reason)
      }
      const droppedCount = workedOut.droppedCount + snapshots.dropped.length
      this.droppedCount += droppedCount
      this.storedCount += events.length - droppedCount - reasons.size
    }
  }

  /**
   * Works out the events of a range of places; when one of them cannot be processed, halves the range until it stands alone.
   * Ranges are named by places, not by events, so that the name does not depend on which events were known before.
   */
  private async workOutRange(events: readonly PlacedEvent[], from: number, to: number): Promise<void> {
    const [first] = events
    if (first === undefined) return
    try {
      const processed = await this.transaction.attempt(() => this.process(events))
      this.portions.push({ token: `${this.sliceToken}/${from}-${to}`, events, ...processed })
    } catch (error) {
      if (!(error instanceof PoisonError)) throw error
      if (events.length === 1) return this.bury(first, error.message)
      const middle = (from + to) >> 1
      const isEarly = ({ position }: PlacedEvent): boolean => position < middle
      await this.workOutRange(events.filter(isEarly), from, middle)
      await this.workOutRange(
        events.filter((placed) => !isEarly(placed)),
        middle,
        to,
      )
    }
  }

  private async process(events: readonly PlacedEvent[]): Promise<Pick<Portion, "workedOut" | "snapshots">> {
    const messages = events.filter(isSnapshot)
    const workedOut = await this.processEvents(
      messages.length === 0 ? events : events.filter((placed) => !isSnapshot(placed)),
    )
    return { workedOut, snapshots: await this.prepareSnapshots(messages) }
  }

  private async prepareSnapshots(messages: readonly PlacedEvent[]): Promise<PreparedSnapshots> {
    if (messages.length === 0) return NO_SNAPSHOTS
    try {
      return await this.work.snapshots.prepare(messages.map(({ position, event }) => ({ position, ...event })))
    } catch (error) {
      throw error instanceof AppError ? error : new PoisonError(error)
    }
  }

  private async processEvents(events: readonly PlacedEvent[]): Promise<WorkedOut> {
    const { persons } = this.transaction
    const contextOf = await this.enrichContexts(events)
    const enriched = orPoison(() =>
      events.map(({ position, event }): EnrichedPlace => ({ position, event: enrich(event, contextOf(event)) })),
    )
    const byProject = Map.groupBy(
      enriched.map(({ event }) => event),
      ({ projectId }) => projectId,
    )
    const questions = orPoison(() => [...byProject].map(([projectId, asking]) => collectQuestion(projectId, asking)))
    const facts = await persons.load(questions)
    const collector = this.work.definitions.collect()
    const workedOut = orPoison(() => workOutEvents(enriched, questions, facts, collector))
    await persons.save(workedOut.changes)
    await this.transaction.tellMerges(workedOut.changes.flatMap(({ merges }) => merges))
    const names = collector.definitions()
    await this.transaction.saveDefinitions(names)
    this.names.push(names)
    return workedOut
  }

  /** By project: whether it has switched GeoIP off is asked once for all its events, and from memory nearly always. */
  private async enrichContexts(events: readonly PlacedEvent[]): Promise<(event: LoggedEvent) => EnrichContext> {
    const { geoIp, geoIpPlugin } = this.work
    const switchedOff = await geoIpPlugin.switchedOffIn(new Set(events.map(({ event }) => event.projectId)))
    const off: EnrichContext = { geoIp: null }
    if (geoIp === null) return () => off
    const { placeNotFound } = geoIpPlugin
    const on: EnrichContext = { geoIp: { lookUp: (ipAddress) => geoIp.lookUp(ipAddress), placeNotFound } }
    return ({ projectId }) => (switchedOff.has(projectId) ? off : on)
  }

  private bury({ event }: PlacedEvent, reason: string): void {
    this.droppedCount += 1
    this.deadLetters.push({ projectId: event.projectId, event: JSON.stringify(event), reason })
    this.warnings.push(toDeadLetterWarning(event, reason))
  }
}

const isSnapshot = ({ event }: PlacedEvent): boolean => event.event === SNAPSHOT_EVENT_NAME

function warningsOf(events: readonly PlacedEvent[], { dropped }: PreparedSnapshots): ProjectWarning[] {
  const reasons = new Map(dropped.map(({ position, reason }) => [position, reason]))
  return events.flatMap(({ position, event }) => {
    const reason = reasons.get(position)
    return reason === undefined ? [] : [toSnapshotWarning(event, reason)]
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
