import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { SpanStart, Traced } from "../../../kernel/trace.js"
import { type ProjectChanges, type ProjectLookup, toProjectLookup } from "../../persons/index.js"
import type { PreparedRecordings, SnapshotMessage } from "../../recordings/index.js"
import { enrich, type PlaceFinder } from "../enrich/index.js"
import type { DeadLetter, DeadLetterReason, LoggedEvent } from "../ingestion.types.js"
import { toVisitorEvent, withoutTraces } from "../reading/cookieless-events.js"
import { toDeadLetterText } from "../reading/dead-letter-text.js"
import { PoisonError } from "../reading/poison-error.js"
import { type EventMeta, forEachEvent, type ScannedRequests } from "../reading/scan-requests.js"
import { toPersonRows } from "../rows/person-rows.js"
import type { Spares } from "../spares/spare-catalogue.js"
import { type ProjectWarning, toDropWarning } from "../warnings/ingestion-warning.js"
import { type BatchAttempt, flushPersons } from "./batch-attempt.js"
import { addDefinitions, EventProcessor, type ProcessedEvents } from "./event-processor.js"

/** A single request may hold far more events than a sub-batch should: they are processed and stored this many at a time. */
const MAX_CHUNK_EVENTS = 20_000

/**
 * Events of a sub-batch that were processed together and are inserted under one token, which is the same at every replay. A chunk
 * ends early where its persons or rows get too large: that depends on nothing but what the replay finds as well.
 */
interface Chunk {
  readonly token: string
  readonly events: readonly EventMeta[]
  readonly processed: ProcessedEvents
  readonly snapshots: PreparedRecordings
}

/** What is left to do about a sub-batch once it is stored. */
export interface SubBatchOutcome {
  readonly warnings: readonly ProjectWarning[]
  readonly deadLetters: readonly DeadLetter[]
  readonly storedCount: number
  readonly droppedCount: number
}

/** The other sub-batches of the batch, while this one is processed. */
export interface Neighbours {
  /** Called, and awaited, where this one leaves the connection alone for a while; however often, it prepares the next once. */
  readonly prepareNext: () => Promise<unknown>
  /** Resolves when the previous one is stored, and this one may store chunks. */
  readonly previousStored: () => Promise<unknown>
  /** There is no other: whoever sees an event of this batch then sees its persons as they are after the batch. */
  readonly isOnly: boolean
}

/** Some requests of a batch on their way through persons and groups into both stores. */
export class SubBatch {
  private readonly warnings: ProjectWarning[] = []
  private readonly deadLetters: DeadLetter[] = []
  private storedCount = 0
  private droppedCount = 0
  /** Processed and not stored yet: one, unless the sub-batch is huge or an event of it cannot be processed. */
  private readonly chunks: Chunk[] = []
  /** Persons that were flushed meanwhile, for ClickHouse. */
  private readonly flushed: ProjectChanges[] = []

  constructor(
    private readonly attempt: BatchAttempt,
    private readonly scanned: ScannedRequests,
    /** Indexes of events that were stored before. */
    private readonly duplicates: ReadonlySet<number>,
  ) {}

  /** What is traced of it, and under which name work on it is shown. */
  toSpan(name: string): readonly [requests: readonly Traced[], start: SpanStart] {
    const { requests, events } = this.scanned
    const attributes = { "waymark.batch": this.attempt.number, "waymark.events": events.length }
    return [requests, { name, kind: "consumer", attributes }]
  }

  /** Does all the work in PostgreSQL. Rows are kept for ClickHouse, except chunks that are too large to keep. */
  async process(neighbours: Neighbours): Promise<void> {
    const { events } = this.scanned
    this.droppedCount += this.duplicates.size
    const fresh = this.duplicates.size === 0 ? events : events.filter((_, index) => !this.duplicates.has(index))
    const end = (events.at(-1)?.position ?? -1) + 1
    for (let from = events[0]?.position ?? end; from < end; from += MAX_CHUNK_EVENTS) {
      const to = Math.min(from + MAX_CHUNK_EVENTS, end)
      const range = fresh.filter(({ position }) => position >= from && position < to)
      await this.processRange(range, from, to, neighbours)
    }
    await neighbours.prepareNext()
    if (neighbours.isOnly || this.attempt.persons.isFull) this.flushed.push(...(await flushPersons(this.attempt)))
  }

  /** Stores in ClickHouse what was processed and is not stored yet. @returns the outcome of the sub-batch up to here. */
  async store(): Promise<SubBatchOutcome> {
    const { sink } = this.attempt.dependencies
    const persons = this.flushed.splice(0)
    const chunks = this.chunks.splice(0)
    if (chunks.length === 0) await sink.write(this.attempt.token, toPersonRows(persons), [])
    for (const { token, events, processed, snapshots } of chunks) {
      const { changes, eventRows, warnings } = processed
      const refused = await sink.write(token, toPersonRows([...persons.splice(0), ...changes]), eventRows)
      const refusedRows = await sink.writeSnapshots(token, snapshots.inserts)
      const refusedMessages = refusedRows.flatMap(({ position, reason }) =>
        (snapshots.positionsByRow.get(position) ?? []).map((message) => ({ position: message, reason })),
      )
      const drops = new Map(snapshots.dropped.map(({ position, reason }) => [position, reason]))
      this.warnings.push(...warnings)
      const reasons = new Map([...refused, ...refusedMessages].map(({ position, reason }) => [position, reason]))
      for (const event of events) {
        const [reason, drop] = [reasons.get(event.position), drops.get(event.position)]
        if (reason !== undefined) await this.deadLetter(event, "refused_by_store", reason)
        if (drop !== undefined) this.warnings.push(toDropWarning(event, drop, null))
      }
      const droppedCount = processed.droppedCount + snapshots.dropped.length
      this.droppedCount += droppedCount
      this.storedCount += events.length - droppedCount - reasons.size
    }
    const { warnings, deadLetters, storedCount, droppedCount } = this
    return { warnings, deadLetters, storedCount, droppedCount }
  }

  /** Processes the events at positions `from` up to `to`, in one chunk if there is room. */
  private async processRange(
    events: readonly EventMeta[],
    from: number,
    to: number,
    neighbours: Neighbours,
  ): Promise<void> {
    let rest = events
    let start = from
    while (rest.length > 0) {
      if (this.chunks.length > 0) await this.makeRoom(neighbours)
      const count = await this.processFirst(rest, start, to, neighbours)
      rest = rest.slice(count)
      start = rest[0]?.position ?? to
    }
  }

  /**
   * Processes the first events of a range as a chunk; when one of them cannot be processed, halves the range until that one is
   * alone, and dead-letters it. Tokens name positions, not events, so that they do not depend on which events were stored before.
   * @returns how many events are done.
   */
  private async processFirst(
    events: readonly EventMeta[],
    from: number,
    to: number,
    neighbours: Neighbours,
  ): Promise<number> {
    try {
      const { count, ...chunk } = await this.processChunk(events, neighbours)
      const end = events[count]?.position ?? to
      this.chunks.push({ token: `${this.attempt.token}/${from}-${end}`, events: events.slice(0, count), ...chunk })
      return count
    } catch (error) {
      if (!(error instanceof PoisonError)) throw error
      // The persons in memory have seen the events that could not be processed.
      this.flushed.push(...(await flushPersons(this.attempt, true)))
      const [only] = events
      if (only !== undefined && events.length === 1) await this.deadLetter(only, "unprocessable", error.message)
      else {
        const middle = (from + to) >> 1
        const { early = [], late = [] } = Object.groupBy(events, ({ position }) =>
          position < middle ? "early" : "late",
        )
        await this.processRange(early, from, middle, neighbours)
        await this.processRange(late, middle, to, neighbours)
      }
      return events.length
    }
  }

  /** Stores what is processed, once the previous sub-batch is stored, and flushes the persons when they are many. */
  private async makeRoom({ previousStored }: Neighbours): Promise<void> {
    if (this.attempt.persons.isFull) this.flushed.push(...(await flushPersons(this.attempt)))
    await previousStored()
    await this.store()
  }

  /** Processes as many of the events as there is room for, at least one; `count` says how many. */
  private async processChunk(
    events: readonly EventMeta[],
    { prepareNext }: Neighbours,
  ): Promise<Pick<Chunk, "processed" | "snapshots"> & { readonly count: number }> {
    const { transaction, persons, dependencies, savedDefinitions } = this.attempt
    const lookups = toLookups(events)
    const findGeoIp = await this.readGeoIp(lookups.map(({ projectId }) => projectId))
    const collector = dependencies.definitions.collect()
    const spares = await this.readSpares(lookups.map(({ projectId }) => projectId))
    const workspaces = await transaction.attempt(() => persons.load(lookups))
    const processor = new EventProcessor(
      workspaces,
      collector,
      spares,
      dependencies.spares,
      this.attempt.number,
      dependencies.maxRowBytes,
    )
    const messages: SnapshotMessage[] = []
    const preparing = prepareNext()
    let count: number
    try {
      count = await forEachEvent(this.scanned.requests, events, (meta, event) => {
        const { position, projectId, lookup } = meta
        if (processor.isFull) return "stop"
        if (lookup === null) {
          messages.push({ position, ...event })
          return 0
        }
        return persons.isLoaded(projectId, lookup)
          ? orPoison(() => processor.add(position, enrich(toVisitorEvent(event, meta), findGeoIp(event))))
          : "stop"
      })
    } finally {
      await preparing
    }
    if (count === 0) throw new Error("what the first event needs was not loaded")
    const processed = orPoison(() => processor.finish())
    const snapshots = await this.prepareSnapshots(messages)
    const changes = await transaction.attempt(async () => {
      const saved = await persons.save(processed.changes)
      await transaction.notifyMerged(saved.flatMap(({ merges }) => merges))
      addDefinitions(saved, collector)
      await transaction.saveDefinitions(collector.definitions())
      return saved
    })
    savedDefinitions.push(collector.definitions())
    return { count, processed: { ...processed, changes }, snapshots }
  }

  /** By project: whether it has switched GeoIP off is asked once for all its events, and from memory nearly always. */
  private async readGeoIp(projectIds: readonly ProjectId[]): Promise<(event: LoggedEvent) => PlaceFinder | null> {
    const { geoIp, geoIpPlugin } = this.attempt.dependencies
    const switchedOff = await geoIpPlugin.findSwitchedOff(new Set(projectIds))
    const { logMiss } = geoIpPlugin
    const finder = geoIp && { lookUp: (ipAddress: string) => geoIp.lookUp(ipAddress), logMiss }
    return ({ projectId }) => (switchedOff.has(projectId) ? null : finder)
  }

  /** The same for all events of a project in this attempt. */
  private async readSpares(projectIds: readonly ProjectId[]): Promise<Spares> {
    const { spares, transaction, dependencies } = this.attempt
    const unread = projectIds.filter((projectId) => !spares.has(projectId))
    const read = await dependencies.spares.read(unread, transaction.listSpares)
    for (const [projectId, names] of read) spares.set(projectId, names)
    return spares
  }

  private async prepareSnapshots(messages: readonly SnapshotMessage[]): Promise<PreparedRecordings> {
    try {
      return await this.attempt.dependencies.snapshots.prepare(messages, this.attempt.number)
    } catch (error) {
      throw error instanceof AppError ? error : new PoisonError(error)
    }
  }

  private async deadLetter(event: EventMeta, reason: DeadLetterReason, detail: string): Promise<void> {
    this.droppedCount += 1
    await forEachEvent(this.scanned.requests, [event], ({ projectId, position, uuid }, logged, request) => {
      const kept = withoutTraces(logged, event)
      const text = toDeadLetterText(kept, request, position - request.firstPosition)
      const { receivedAtMs, clientIp, historicalMigration } = kept
      const facts = { projectId, receivedAtMs, clientIp, historicalMigration }
      this.deadLetters.push({ ...facts, reason, detail, event: text, eventName: event.event, notedUuid: uuid })
      return text.length
    })
    this.warnings.push(toDropWarning(event, "event_could_not_be_stored", detail))
  }
}

/** One lookup for each project, in the order of the events: what the first of them needs is loaded first. */
function toLookups(events: readonly EventMeta[]): ProjectLookup[] {
  const needing = events.filter(({ lookup }) => lookup !== null)
  return [...Map.groupBy(needing, ({ projectId }) => projectId)].map(([projectId, own]) =>
    toProjectLookup(
      projectId,
      own.flatMap(({ lookup }) => lookup ?? []),
    ),
  )
}

/** An exception of pure code means an event that it cannot deal with. */
function orPoison<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new PoisonError(error)
  }
}
