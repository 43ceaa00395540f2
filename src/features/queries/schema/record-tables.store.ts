import { HogqlError } from "../../../hogql/index.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import type { RecordTable } from "../request/demanded-scopes.js"

/** A query is sent with all the rows: more belong into an export of the records. */
const MAX_ROWS = 5_000
const MAX_CHARACTERS = 1_500_000

const STATEMENTS: Readonly<Record<RecordTable, string>> = {
  // Payloads of some flags are secrets, which are shown to nobody.
  "system.feature_flags": `SELECT id, project_id AS team_id, key, name, active, tags, version, created_at, updated_at,
    CASE WHEN has_encrypted_payloads THEN filters - 'payloads' ELSE filters END AS filters
    FROM feature_flag WHERE project_id = $1 AND NOT deleted ORDER BY id LIMIT $2`,
  "system.cohorts": `SELECT id, project_id AS team_id, name, description, is_static, filters, created_at
    FROM cohort WHERE project_id = $1 AND NOT deleted ORDER BY id LIMIT $2`,
  "system.actions": `SELECT id, project_id AS team_id, name, description, steps, created_at, updated_at
    FROM action WHERE project_id = $1 AND NOT deleted ORDER BY id LIMIT $2`,
  "system.session_recording_playlists": `SELECT id, project_id AS team_id, short_id, name, derived_name,
    description, pinned, filters, created_at, last_modified_at
    FROM session_recording_playlist WHERE project_id = $1 AND NOT deleted ORDER BY id LIMIT $2`,
  "system.insights": `SELECT id, project_id AS team_id, short_id, name, description, tags, query, created_at,
    last_modified_at FROM insight WHERE project_id = $1 AND NOT deleted ORDER BY id LIMIT $2`,
  "system.dashboards": `SELECT id, project_id AS team_id, short_id, name, description, tags, pinned, filters, tiles,
    version, created_at, last_modified_at
    FROM dashboard WHERE project_id = $1 AND NOT deleted ORDER BY id LIMIT $2`,
  "system.group_types": `SELECT project_id AS team_id, type_index AS index, name
    FROM group_type WHERE project_id = $1 ORDER BY type_index LIMIT $2`,
  "system.project": `SELECT id AS team_id, name, timezone, week_start_day, created_at
    FROM project WHERE id = $1 LIMIT $2`,
}

/**
 * The rows of a table of records as a list in JSON.
 * @throws HogqlError of kind `query` for more of them than a query may carry
 */
export async function readRecords(
  { pool }: Pick<Database, "pool">,
  projectId: ProjectId,
  table: RecordTable,
): Promise<string> {
  const { rows } = await pool.query<object>(STATEMENTS[table], [projectId, MAX_ROWS + 1])
  const text = JSON.stringify(rows)
  if (rows.length <= MAX_ROWS && text.length <= MAX_CHARACTERS) return text
  const most = `at most ${MAX_ROWS} rows and ${MAX_CHARACTERS} characters of JSON`
  throw new HogqlError("query", `There is too much in ${table} for a query, which reads ${most}.`)
}
