import { collectQuestion, type GeoIp } from "../persons/index.js"
import type { DefinitionCatalogue, Definitions } from "./definitions/definition-catalogue.js"
import { enrich } from "./enrich/index.js"
import { type ProjectWarning, toDeadLetterWarning } from "./ingestion-warning.js"
import { toPersonRows } from "./person-rows.js"
import { PoisonError } from "./poison-error.js"
import { type PlacedEvent, readRequests } from "./read-requests.js"
import type { Slice, SliceCounts, SliceLog, SliceTransaction } from "./slice.types.js"
import type { SliceSink } from "./slice-sink.types.js"
import { type EnrichedPlace, type WorkedOut, workOutEvents } from "./work-out-events.js"

/** One huge request is worked on in parts, to bound memory and the length of statements. */
const EVENTS_PER_PART = 10_000

export interface SliceWork {
  readonly sink: SliceSink
  /** Null when no GeoIP file is configured. */
  readonly geoIp: GeoIp | null
  readonly definitions: DefinitionCatalogue
}

/** Places from `from` up to, not including, `to`. */
interface Range {
  readonly from: number
  readonly to: number
}

/**
 * Works on one slice: persons, groups and uuids into PostgreSQL, rows into ClickHouse, then the log rows are removed, all in one
 * transaction of PostgreSQL that commits last. Whatever fails on the way, the next try finds the same slice, works out the
 * same rows from the same state and sends them with the same tokens: each event is stored exactly once.
 * @throws AppError store_unavailable when a store cannot be reached; nothing is lost, try again later.
 */
export async function processSlice(log: SliceLog, slice: Slice, work: SliceWork): Promise<SliceCounts> {
  const names: Definitions[] = []
  const counts = await log.transaction((transaction) => processIn(transaction, slice, work, names))
  for (const committed of names) work.definitions.remember(committed)
  return counts
}

async function processIn(
  transaction: SliceTransaction,
  slice: Slice,
  work: SliceWork,
  names: Definitions[],
): Promise<SliceCounts> {
  const read = readRequests(await transaction.readRequests(slice))
  await transaction.saveDeadLetters(read.deadLetters)
  const known = await transaction.keepUuids(read.events.map(({ event }) => event))
  const fresh = read.events.filter((_, index) => !known.has(index))
  const run = new SliceRun(transaction, slice.token, fresh, work, names)
  const end = (read.events.at(-1)?.position ?? -1) + 1
  for (let from = 0; from < end; from += EVENTS_PER_PART) await run.processRange({ from, to: from + EVENTS_PER_PART })
  const counts = {
    stored: run.storedCount,
    dropped: run.droppedCount + known.size + read.duplicateCount + read.deadLetters.length,
  }
  await transaction.saveWarnings(run.warnings)
  await transaction.finish(slice, counts)
  return counts
}

class SliceRun {
  readonly warnings: ProjectWarning[] = []
  storedCount = 0
  droppedCount = 0

  constructor(
    private readonly transaction: SliceTransaction,
    private readonly token: string,
    private readonly events: readonly PlacedEvent[],
    private readonly work: SliceWork,
    private readonly names: Definitions[],
  ) {}

  /** Stores the events of a range; when one of them cannot be processed, halves the range until it stands alone. */
  async processRange(range: Range): Promise<void> {
    const events = this.events.filter(({ position }) => position >= range.from && position < range.to)
    const [first] = events
    if (first === undefined) return
    try {
      await this.store(range, await this.transaction.attempt(() => this.prepare(events)))
    } catch (error) {
      if (!(error instanceof PoisonError)) throw error
      if (events.length === 1) return this.bury([first], () => error.message)
      const middle = (range.from + range.to) >> 1
      await this.processRange({ from: range.from, to: middle })
      await this.processRange({ from: middle, to: range.to })
    }
  }

  /** Works the events out and writes what they mean for PostgreSQL. ClickHouse hears of them only once that is done. */
  private async prepare(events: readonly PlacedEvent[]): Promise<WorkedOut> {
    const { persons } = this.transaction
    const enriched = orPoison(() => events.map((placed) => this.enrich(placed)))
    const byProject = Map.groupBy(enriched, ({ event }) => event.projectId)
    const questions = orPoison(() =>
      [...byProject].map(([projectId, places]) =>
        collectQuestion(
          projectId,
          places.map(({ event }) => event),
        ),
      ),
    )
    const facts = await persons.load(questions)
    const factsByProject = new Map(questions.map(({ projectId }, index) => [projectId, facts[index] ?? NO_FACTS]))
    const collector = this.work.definitions.collect()
    const workedOut = orPoison(() => workOutEvents(enriched, factsByProject, collector))
    await persons.save(workedOut.changes)
    await this.transaction.tellMerges(workedOut.changes.flatMap(({ merges }) => merges))
    const names = collector.definitions()
    await this.transaction.saveDefinitions(names)
    this.names.push(names)
    return workedOut
  }

  private enrich({ position, event }: PlacedEvent): EnrichedPlace {
    const enriched = enrich(event, this.work)
    return { position, event: { ...enriched, timestampMs: Date.parse(event.timestamp) } }
  }

  private async store({ from, to }: Range, { changes, eventRows, droppedCount, warnings }: WorkedOut): Promise<void> {
    const token = `${this.token}/${from}-${to}`
    const refused = await this.work.sink.write(token, toPersonRows(changes), eventRows)
    const reasons = new Map(refused.map(({ position, reason }) => [position, reason]))
    this.storedCount += eventRows.length - refused.length
    this.droppedCount += droppedCount
    this.warnings.push(...warnings)
    await this.bury(
      this.events.filter(({ position }) => reasons.has(position)),
      ({ position }) => reasons.get(position) ?? "",
    )
  }

  private async bury(events: readonly PlacedEvent[], reasonOf: (placed: PlacedEvent) => string): Promise<void> {
    this.droppedCount += events.length
    this.warnings.push(...events.map((placed) => toDeadLetterWarning(placed.event, reasonOf(placed))))
    await this.transaction.saveDeadLetters(
      events.map((placed) => ({
        projectId: placed.event.projectId,
        event: JSON.stringify(placed.event),
        reason: reasonOf(placed),
      })),
    )
  }
}

const NO_FACTS = { persons: [], distinctIds: [], personlessDistinctIds: [], groupTypes: [], groups: [] }

/** Pure code that throws has met an event that it cannot deal with. */
function orPoison<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new PoisonError(error)
  }
}
