import { QUERY_SETTINGS } from "../../hogql/index.js"
import type { ProjectId } from "../../kernel/ids.js"
import { type ListPage, mapPage, type PageRequest } from "../../kernel/paging.js"
import { readPage } from "../../kernel/read-page.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import { toRangeSql } from "../../platform/clickhouse/sql-range.js"
import { createRecordingDeletions } from "./recording-deletions.store.js"
import { type RecordingQuery, toPlaceSql, toRecordingOrder, toRecordingsSql } from "./recording-sql.js"
import type { StoredRecording } from "./recordings.types.js"
import { createReplayStore, READ_SETTINGS } from "./replay.store.js"

/** Conditions of HogQL mean what they mean in queries, and are bounded like them. */
const LIST_SETTINGS = { ...QUERY_SETTINGS, ...READ_SETTINGS }

/** A session with what it is ordered by, and with how many there are where that was asked for. */
interface PlacedRecording extends StoredRecording {
  readonly place: number
  readonly total: number
}

/** Recordings at rest. Every call is bounded to one project. */
export type RecordingStore = ReturnType<typeof createRecordingStore>

/**
 * Recordings in ClickHouse: one row of counters and some of snapshots for each block that ingestion stored.
 * @param toFault makes a request fault of the engine's refusal of a condition.
 */
export function createRecordingStore(clickHouse: ClickHouse, toFault: (failure: unknown) => unknown) {
  return {
    ...createReplayStore(clickHouse),
    ...createRecordingDeletions(clickHouse),

    /** Deleted sessions are never found. */
    async list(projectId: ProjectId, query: RecordingQuery, request: PageRequest): Promise<ListPage<StoredRecording>> {
      const { sql, parameters } = toRecordingsSql(projectId, query)
      const order = toRecordingOrder(query)
      const read = <Row extends object>(text: string, more: object = {}): Promise<Row[]> =>
        clickHouse
          .rows<Row>({ sql: text, parameters: { ...parameters, ...more }, settings: LIST_SETTINGS })
          .catch((failure: unknown) => {
            // Without conditions of the user's own the statement is always right.
            throw query.test === null ? failure : toFault(failure)
          })
      const page = await readPage<PlacedRecording>(
        {
          order,
          read: async (range) => {
            const { beyond, orderBy, limit, parameters: bounds } = toRangeSql(order, range)
            // Counted beside the page, the sessions are added up once for both.
            const total = range.isCounted === true ? "count() OVER () AS total" : "0 AS total"
            const rows = await read<PlacedRecording>(
              `SELECT * FROM (SELECT *, ${toPlaceSql(query)} AS place, ${total} FROM (${sql}))
               WHERE ${beyond} ORDER BY ${orderBy} ${limit}`,
              { ...bounds, order: query.sessionIds ?? [] },
            )
            const [first] = rows
            return { rows, ...(range.isCounted === true && first !== undefined && { total: first.total }) }
          },
          count: async () => (await read<{ total: number }>(`SELECT count() AS total FROM (${sql})`))[0]?.total ?? 0,
        },
        request,
      )
      return mapPage(page, ({ total: _, place: __, ...recording }) => recording)
    },
  }
}
