import type { Pool } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import type { OffsetWindow, Page } from "../../../kernel/paging.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { IngestionWarningCount, IngestionWarningHistory } from "../capture.types.js"

const LIST = `
SELECT severity, reason, nullif(event, '') AS event, occurrences::int, last_at AS "lastAt",
  last_distinct_id AS "distinctId", last_uuid AS "uuid", last_detail AS "detail"
FROM ingestion_warning WHERE project_id = $1
ORDER BY last_at DESC, day DESC, reason, event LIMIT $2 OFFSET $3`
const COUNT = "SELECT count(*)::int AS total FROM ingestion_warning WHERE project_id = $1"

/** Reads what `PostgresIngestionWarnings` wrote. Methods throw AppError store_unavailable when PostgreSQL is away. */
export class PostgresIngestionWarningHistory implements IngestionWarningHistory {
  constructor(private readonly pool: Pool) {}

  list(projectId: ProjectId, { limit, offset }: OffsetWindow): Promise<Page<IngestionWarningCount>> {
    return whenReachable(async () => {
      const [items, count] = await Promise.all([
        this.pool.query<IngestionWarningCount>(LIST, [projectId, limit, offset]),
        this.pool.query<{ total: number }>(COUNT, [projectId]),
      ])
      return { items: items.rows, totalCount: count.rows[0]?.total ?? 0 }
    })
  }
}
