import type { Pool } from "pg"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { toStorableText } from "../../../kernel/json.js"
import { cutText } from "../../../kernel/text-length.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { IngestionWarning, IngestionWarnings } from "../capture.types.js"
import { toWarningKey } from "./warning-key.js"

const WRITE_EVERY_MS = 1_000
const MAX_TEXT_LENGTH = 200
/** Different rules and event names that one write tells apart; what comes after counts under the empty name. */
const MAX_ROWS_PER_WRITE = 1_000
const KEPT_DAYS = 30

const UPSERT = `
INSERT INTO ingestion_warning AS kept
  (project_id, day, reason, event, severity, occurrences, last_at, last_distinct_id, last_uuid, last_detail)
SELECT project_id, last_at::date, reason, event, severity, occurrences, last_at, last_distinct_id, last_uuid, last_detail
FROM json_to_recordset($1::json) AS reported (project_id int, reason text, event text, severity text, occurrences bigint,
  last_at timestamptz, last_distinct_id text, last_uuid text, last_detail text)
ON CONFLICT (project_id, day, reason, event) DO UPDATE SET occurrences = kept.occurrences + excluded.occurrences,
  last_at = excluded.last_at, last_distinct_id = excluded.last_distinct_id, last_uuid = excluded.last_uuid,
  last_detail = excluded.last_detail`
const PRUNE = `DELETE FROM ingestion_warning WHERE day < $1::timestamptz::date - ${KEPT_DAYS}`

interface WarningRow {
  readonly project_id: ProjectId
  readonly reason: string
  readonly event: string
  readonly severity: string
  occurrences: number
  last_at: string
  last_distinct_id: string | null
  last_uuid: string | null
  last_detail: string | null
}

export interface IngestionWarningsOptions {
  readonly pool: Pool
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Warnings as rows of PostgreSQL: counted in memory, written together about once a second, kept for 30 days. A write that
 * fails loses its counts and is logged; the events themselves never depend on it.
 */
export class PostgresIngestionWarnings implements IngestionWarnings {
  private pending = new Map<string, WarningRow>()
  private timer: NodeJS.Timeout | null = null
  private prunedDay = ""

  constructor(private readonly options: IngestionWarningsOptions) {}

  record(projectId: ProjectId, warnings: readonly IngestionWarning[]): void {
    const at = new Date(this.options.clock.now()).toISOString()
    for (const warning of warnings) this.count(projectId, warning, at)
    this.timer ??= setTimeout(() => void this.flush(), WRITE_EVERY_MS).unref()
  }

  /** Writes what was counted so far; never rejects. Called by itself, and once more when shutting down. */
  async flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    const rows = [...this.pending].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
    this.pending = new Map()
    const day = new Date(this.options.clock.now()).toISOString()
    try {
      if (rows.length > 0) await this.options.pool.query(UPSERT, [JSON.stringify(rows)])
      if (this.prunedDay === day.slice(0, 10)) return
      await this.options.pool.query(PRUNE, [day])
      this.prunedDay = day.slice(0, 10)
    } catch (error) {
      this.options.logger.warn("ingestion warnings could not be written", { err: error, rows: rows.length })
    }
  }

  private count(projectId: ProjectId, warning: IngestionWarning, at: string): void {
    const event = this.pending.size < MAX_ROWS_PER_WRITE ? (shorten(warning.event) ?? "") : ""
    const { reason, severity } = warning
    const key = toWarningKey(projectId, reason, event)
    const row = this.pending.get(key) ?? { project_id: projectId, reason, event, severity, occurrences: 0 }
    const last = {
      last_at: at,
      last_distinct_id: shorten(warning.distinctId),
      last_uuid: shorten(warning.uuid),
      last_detail: shorten(warning.detail),
    }
    this.pending.set(key, { ...row, ...last, occurrences: row.occurrences + 1 })
  }
}

const shorten = (text: string | null): string | null =>
  text === null ? null : cutText(toStorableText(text), MAX_TEXT_LENGTH)
