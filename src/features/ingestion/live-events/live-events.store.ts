import {
  compileSelect,
  HogqlError,
  type HogqlScope,
  nodes,
  propertyCondition,
  QUERY_SETTINGS,
} from "../../../hogql/index.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { OrderedItems } from "../../../kernel/ordered-feed.js"
import type { Place } from "../../../kernel/place.js"
import { Semaphore } from "../../../kernel/semaphore.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import { writePlaceCursor } from "../../../platform/graphql/place-cursor.js"
import { type LiveEvent, type LiveEventFilter, toLiveIdentity } from "./live-event.types.js"

const { and, array, compare, constant, field, select, source } = nodes

/** Of one read only the newest events are looked at: nobody can follow more. */
const MAX_EVENTS_READ = 2000
/** Each of them is named in a statement of its own where properties decide. */
const MAX_EVENTS_TESTED = 500
const MAX_PROPERTIES_CHARACTERS = 4096
/** Reads at a time in this process: with many filters they come later, and take no more of the engine. */
const MAX_READS_AT_ONCE = 2
const READ_SETTINGS = { max_execution_time: 30 }
/** Conditions of HogQL mean what they mean in queries, and are bounded like them. */
const TEST_SETTINGS = { ...QUERY_SETTINGS, ...READ_SETTINGS }
const NOWHERE = { start: 0, end: 0 }
/** What the column of times holds. */
const [EARLIEST_MS, LATEST_MS] = [Date.UTC(1900, 0), Date.UTC(2262, 0)]
const NO_UUID = "00000000-0000-0000-0000-000000000000"

export interface LiveEventStoreDependencies {
  readonly clickHouse: Pick<ClickHouse, "query" | "rows">
  /** What HogQL means in a project just now. */
  readonly readScope: (projectId: ProjectId) => Promise<HogqlScope>
  /** Makes a request fault of the refusal of a user's condition; gives back anything else as it is. */
  readonly toQueryFault: (failure: unknown) => unknown
}

interface Row extends Pick<LiveEvent, "uuid" | "event" | "distinctId" | "personId"> {
  readonly timestampMs: number
  readonly createdAtMs: number
  /** Empty when they are too large. */
  readonly propertiesJson: string
  readonly batch: number
  readonly batchPosition: number
}

export type LiveEventStore = ReturnType<typeof createLiveEventStore>

/** Events in the order in which they were stored. */
export function createLiveEventStore({ clickHouse, readScope, toQueryFault }: LiveEventStoreDependencies) {
  const reads = new Semaphore(MAX_READS_AT_ONCE)

  /**
   * Those of the rows for which the conditions hold.
   * @throws AppError naming what is wrong with the conditions, or what the engine refuses to ask of these rows.
   */
  async function selectMatching(
    projectId: ProjectId,
    properties: readonly Json[],
    rows: readonly Row[],
  ): Promise<readonly Row[]> {
    const scope = await readScope(projectId)
    try {
      const found = await clickHouse.query({ ...toMatchingSql(scope, properties, rows), settings: TEST_SETTINGS })
      const matching = new Set(found.rows.map(([uuid]) => uuid))
      return rows.filter(({ uuid }) => matching.has(uuid))
    } catch (failure) {
      if (!(failure instanceof HogqlError)) throw toQueryFault(failure)
      throw new AppError("invalid_input", { attr: "properties", detail: failure.message, cause: failure })
    }
  }

  return {
    /**
     * Checks the conditions of a filter, by the compiler and by the engine.
     * @throws AppError naming what is wrong with them.
     */
    async check({ projectId, properties }: LiveEventFilter): Promise<void> {
      if (properties !== null) await selectMatching(projectId, properties, [])
    },

    /**
     * Events beyond `after` and not beyond `upTo` that match, oldest first; of many only the newest are looked at.
     * @throws AppError naming a condition that cannot be asked of them.
     */
    async read(filter: LiveEventFilter, after: Place, upTo: Place): Promise<OrderedItems<LiveEvent>> {
      const { projectId, properties } = filter
      const limit = properties === null ? MAX_EVENTS_READ : MAX_EVENTS_TESTED
      const release = await reads.acquire()
      try {
        const { where, parameters } = toCondition(filter, after, upTo)
        const read = <Found extends object>(sql: string): Promise<Found[]> =>
          clickHouse.rows<Found>({ sql, parameters, settings: READ_SETTINGS })
        const rows = await read<Row>(
          `SELECT toString(uuid) AS "uuid", event AS "event", distinct_id AS "distinctId",
             toString(person_id) AS "personId", toUnixTimestamp64Milli(timestamp) AS "timestampMs",
             toUnixTimestamp64Milli(created_at) AS "createdAtMs",
             if(lengthUTF8(properties) <= ${MAX_PROPERTIES_CHARACTERS}, properties, '') AS "propertiesJson",
             batch, batch_position AS "batchPosition"
           FROM events AS e WHERE ${where} ORDER BY batch DESC, batch_position DESC LIMIT ${limit}`,
        )
        // Only where there are more than were read: counting them costs another look.
        const counted =
          rows.length < limit
            ? []
            : await read<{ total: number }>(`SELECT count() AS total FROM events AS e WHERE ${where}`)
        const missed = Math.max(0, (counted[0]?.total ?? rows.length) - rows.length)
        const oldestFirst = rows.toReversed()
        const hasAll = properties === null || rows.length === 0
        const matching = hasAll ? oldestFirst : await selectMatching(projectId, properties, oldestFirst)
        return { items: matching.map((row) => toLiveEvent(projectId, row)), missed }
      } finally {
        release()
      }
    },
  }
}

/** Every value is bound; the project comes first and always. */
function toCondition({ projectId, event, distinctId }: LiveEventFilter, after: Place, upTo: Place) {
  const conditions = [
    "e.project_id = {project:Int64}",
    "e.batch >= {afterBatch:UInt64} AND (e.batch > {afterBatch:UInt64} OR e.batch_position > {afterPosition:UInt64})",
    "e.batch <= {lastBatch:UInt64} AND (e.batch < {lastBatch:UInt64} OR e.batch_position <= {lastPosition:UInt64})",
    ...(event === null ? [] : ["e.event = {event:String}"]),
    ...(distinctId === null ? [] : ["e.distinct_id = {distinctId:String}"]),
  ]
  return {
    where: conditions.join(" AND "),
    parameters: {
      project: projectId,
      afterBatch: after[0],
      afterPosition: after[1],
      lastBatch: upTo[0],
      lastPosition: upTo[1],
      event: event ?? undefined,
      distinctId: distinctId ?? undefined,
    },
  }
}

/** The uuids of those of some events for which the conditions hold. */
function toMatchingSql(scope: HogqlScope, properties: readonly Json[], rows: readonly Row[]) {
  const times = rows.map(({ timestampMs }) => timestampMs)
  // Stored times are finer than those that were read, and were cut towards 1970.
  const [first, last] = [Math.min(...times, LATEST_MS) - 1, Math.max(...times, EARLIEST_MS) + 1]
  const at = (ms: number) => constant(new Date(ms).toISOString())
  const uuids = rows.length === 0 ? [NO_UUID] : rows.map(({ uuid }) => uuid)
  const { sql, parameters } = compileSelect(
    select({
      columns: [field(["events", "uuid"])],
      from: [source(field(["events"]))],
      where: and([
        compare("in", field(["events", "uuid"]), array(uuids.map((uuid) => constant(uuid)))),
        compare(">=", field(["events", "timestamp"]), at(first)),
        compare("<=", field(["events", "timestamp"]), at(last)),
        propertyCondition(properties, "events", NOWHERE),
      ]),
    }),
    { ...scope, rowLimit: { defaultRows: MAX_EVENTS_TESTED, maxRows: MAX_EVENTS_TESTED } },
  )
  return { sql, parameters }
}

function toLiveEvent(projectId: ProjectId, row: Row): LiveEvent {
  const { uuid, event, distinctId, personId, timestampMs, createdAtMs, propertiesJson, batch, batchPosition } = row
  return {
    cursor: writePlaceCursor(toLiveIdentity(projectId), [batch, batchPosition]),
    uuid,
    event,
    distinctId,
    personId,
    timestamp: new Date(timestampMs).toISOString(),
    createdAt: new Date(createdAtMs).toISOString(),
    properties: propertiesJson === "" ? null : JSON.parse(propertiesJson),
  }
}
