import type { Pool } from "pg"
import { splitByLength } from "../../../kernel/split-by-length.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"

/**
 * What an id of a deletion names: `orphan` is a distinct id of its events that belongs to nobody, `session` a session
 * that they were in, `stale_session` one whose rows have to be made anew. `remade_session` names none and says that
 * they were.
 */
type DeletionIdKind = "person" | "distinct_id" | "orphan" | "session" | "stale_session" | "remade_session"

export interface DeletionId {
  readonly kind: DeletionIdKind
  readonly id: string
  /** Of its tombstone; of a stale session the milliseconds since the epoch when it was found. */
  readonly version: number
}

const TABLE = "person_deletion_ids"
const MAX_PIECE_CHARACTERS = 64 * 1024

/** Subquery that gives the ids of one kind of the deletion that the parameter `deletion` names. */
export const selectIds = (kind: DeletionIdKind): string =>
  `SELECT id FROM ${TABLE} WHERE deletion = {deletion:UInt64} AND kind = '${kind}'`

/**
 * Subquery that gives `columns` of the project's rows `stored` of a table, which carry versions and whose `idColumn` is one of the
 * deletion's ids, joined as `listed`.
 */
export const selectVersions = (columns: string, table: string, idColumn: string, kind: DeletionIdKind): string =>
  `SELECT ${columns} FROM ${table} AS stored INNER JOIN ${TABLE} AS listed ON listed.id = toString(stored.${idColumn})
    WHERE stored.project_id = {project:Int64} AND listed.deletion = {deletion:UInt64} AND listed.kind = '${kind}'`

export type DeletionIds = ReturnType<typeof createDeletionIds>

/**
 * Ids of deletions under way as rows of ClickHouse: statements name the deletion and join them, so that no text and no parameter
 * of a statement holds an id.
 */
export function createDeletionIds(pool: Pool, clickHouse: Pick<ClickHouse, "insert" | "rows" | "command">) {
  const drop = (deletion: string): Promise<void> =>
    clickHouse.command({ sql: `ALTER TABLE ${TABLE} DROP PARTITION ${deletion}` })
  return {
    /** Adds ids, a bounded piece at a time; the same ones may be added again. */
    async add(deletion: string, ids: readonly DeletionId[]): Promise<void> {
      for (const piece of splitByLength(ids, MAX_PIECE_CHARACTERS, ({ id }) => id.length))
        await clickHouse.insert({ table: TABLE, rows: piece.map((id) => ({ deletion, ...id })) })
    },
    drop,
    /** Drops the ids of deletions that are over: two processes may have worked on one. */
    async dropLeftovers(): Promise<void> {
      const kept = await clickHouse.rows<{ deletion: string }>({
        sql: `SELECT DISTINCT toString(deletion) AS deletion FROM ${TABLE}`,
      })
      const { rows } = await pool.query<{ deletion: string }>(
        `SELECT deletion::text FROM unnest($1::bigint[]) AS kept (deletion)
          WHERE NOT EXISTS (SELECT FROM unfinished_deletion WHERE id = kept.deletion)`,
        [kept.map(({ deletion }) => deletion)],
      )
      for (const { deletion } of rows) await drop(deletion)
    },
  }
}
