import type { Pool } from "pg"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { type ClickHouse, EngineError } from "../../../platform/clickhouse/click-house.js"
import { deleteRows } from "../../../platform/clickhouse/mutate-rows.js"
import { createDeletionIds, type KeptAnswers } from "../../persons/index.js"

export interface PendingProjectDeletionsDependencies {
  readonly pool: Pool
  readonly clickHouse: Pick<ClickHouse, "insert" | "rows" | "command">
  readonly clock: Clock
  readonly answers: Pick<KeptAnswers, "delete">
}

interface PendingDeletion {
  readonly projectId: ProjectId
  readonly requestedAtMs: number
  /** Whether events of it may still wait in the log; ingestion stores them, and then they are deleted. */
  readonly isEarly: boolean
}

/** Processes that missed the message know the project and its keys for this long. */
const SETTLING_MS = 45_000
const PAUSE_SECONDS = { unfinished: 5, refused: 60 } as const
const DELETED_PER_STATEMENT = 20_000

const READ_DUE = `SELECT project_id AS "projectId", (extract(epoch FROM requested_at) * 1000)::float8 AS "requestedAtMs",
    EXISTS (SELECT FROM ingest_log WHERE ingest_log.project_id = project_deletion.project_id) AS "isEarly"
  FROM project_deletion WHERE due_at <= $1 ORDER BY project_id`
/** The rows of a batch in the log are named in what was claimed: ingestion alone removes them. */
const LIST_TABLES = `SELECT quote_ident(c.relname) AS name FROM pg_class AS c
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'project_id' AND NOT a.attisdropped
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    AND c.relname NOT IN ('ingest_log', 'project_deletion') ORDER BY c.relname`
const LIST_ENGINE_TABLES = `SELECT table FROM system.columns WHERE database = currentDatabase() AND name = 'project_id'
  AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')
  ORDER BY table`

/**
 * Removes what is left of deleted projects: every row of every table of both stores that has their number, whatever tables there
 * are. Every step may be repeated.
 */
export function createPendingProjectDeletions(dependencies: PendingProjectDeletionsDependencies) {
  const { pool, clickHouse, clock, answers } = dependencies
  const listed = createDeletionIds(pool, clickHouse)

  /** @returns whether there was nothing to delete. */
  async function emptyTable(table: string, projectId: ProjectId): Promise<boolean> {
    const sql = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE project_id = $1 LIMIT ${DELETED_PER_STATEMENT}))`
    let total = 0
    for (;;) {
      const { rowCount } = await pool.query(sql, [projectId])
      total += rowCount ?? 0
      if ((rowCount ?? 0) < DELETED_PER_STATEMENT) return total === 0
    }
  }

  /** One look. @returns whether nothing is left, and nothing can come any more. */
  async function advance({ projectId, requestedAtMs, isEarly }: PendingDeletion): Promise<boolean> {
    let isGone = !isEarly && clock.now() - requestedAtMs >= SETTLING_MS
    const { rows: tables } = await pool.query<{ name: string }>(LIST_TABLES)
    for (const { name } of tables) isGone = (await emptyTable(name, projectId)) && isGone
    for (const { table } of await clickHouse.rows<{ table: string }>({ sql: LIST_ENGINE_TABLES })) {
      const rows = { table, condition: "project_id = {project:Int64}", parameters: { project: projectId } }
      isGone = (await deleteRows(clickHouse, { ...rows, name: `project ${projectId}` })) && isGone
    }
    if (!(await answers.delete(projectId)) || !isGone) return false
    await listed.dropLeftovers()
    await pool.query("DELETE FROM project_deletion WHERE project_id = $1", [projectId])
    return true
  }

  return {
    /** @throws the first refusal of the engine, once all have been looked at; anything else at once. */
    async applyDue(): Promise<void> {
      let refusal: EngineError | null = null
      const { rows } = await pool.query<PendingDeletion>(READ_DUE, [new Date(clock.now())])
      for (const deletion of rows)
        try {
          if (!(await advance(deletion))) await delay(deletion, PAUSE_SECONDS.unfinished)
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          await delay(deletion, PAUSE_SECONDS.refused)
          refusal ??= error
        }
      if (refusal !== null) throw refusal
    },
  }

  async function delay({ projectId }: PendingDeletion, seconds: number): Promise<void> {
    const dueAt = new Date(clock.now() + seconds * 1000)
    await pool.query("UPDATE project_deletion SET due_at = $2 WHERE project_id = $1", [projectId, dueAt])
  }
}
