import type { Pool } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import { type ListPage, mapPage, type PageRequest } from "../../../kernel/paging.js"
import { readPage } from "../../../kernel/read-page.js"
import { toOrderColumn } from "../../../platform/postgres/sql-order.js"
import { toRangeSql } from "../../../platform/postgres/sql-range.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { IngestionWarningCount, IngestionWarningHistory } from "../capture.types.js"

/** A row as it is stored: an event without a name has the empty one, which can be compared. */
type StoredWarning = IngestionWarningCount & { readonly event: string }

/** The day of a row is that of its time. */
const NEWEST_FIRST = [
  toOrderColumn("lastAt", "time", { isDescending: true }),
  toOrderColumn("reason", "text"),
  toOrderColumn("event", "text"),
]
const LIST = `
SELECT severity, reason, event, occurrences::int, last_at AS "lastAt",
  last_distinct_id AS "distinctId", last_uuid AS "uuid", last_detail AS "detail"
FROM ingestion_warning WHERE project_id = $1`
const COUNT = "SELECT count(*)::int AS total FROM ingestion_warning WHERE project_id = $1"

/** Reads what `PostgresIngestionWarnings` wrote. Methods throw AppError store_unavailable when PostgreSQL is away. */
export class PostgresIngestionWarningHistory implements IngestionWarningHistory {
  constructor(private readonly pool: Pool) {}

  async list(projectId: ProjectId, page: PageRequest): Promise<ListPage<IngestionWarningCount>> {
    const found = await readPage<StoredWarning>(
      {
        order: NEWEST_FIRST,
        read: (range) =>
          whenReachable(async () => {
            const { beyond, orderBy, limit, offset, values } = toRangeSql(NEWEST_FIRST, range, [projectId])
            const text = `${LIST} AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`
            return { rows: (await this.pool.query<StoredWarning>(text, values)).rows }
          }),
        count: () =>
          whenReachable(async () => (await this.pool.query<{ total: number }>(COUNT, [projectId])).rows[0]?.total ?? 0),
      },
      page,
    )
    return mapPage(found, (warning) => ({ ...warning, event: warning.event === "" ? null : warning.event }))
  }
}
