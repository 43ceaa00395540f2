import { setTimeout as sleep } from "node:timers/promises"
import { type ClickHouse, EngineError, type QueryParameters } from "./click-house.js"

/** Rows to delete. */
export interface DeletedRows {
  readonly table: string
  /**
   * What is true of them. The engine keeps the text of a mutation for long, so that ids belong into a subquery on a table and
   * not here.
   */
  readonly condition: string
  readonly parameters: QueryParameters
  /** Tells this deletion from all others of the table. */
  readonly name: string
}

/** Pauses between looks: a small table is done by then, and whoever asks about a large one asks again later. */
const LOOK_AFTER_MS = [20, 40, 80, 160, 320, 640]

const FIND_MUTATION = `SELECT latest_fail_reason AS failure FROM system.mutations
  WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done AND NOT is_killed
    AND position(command, {name:String}) > 0`

/**
 * Deletes rows in the background of the engine, and waits a moment for it. May be repeated: the same deletion runs once at a time.
 * @returns whether none of the rows is left.
 * @throws EngineError also for what the engine said when it could not delete them.
 */
export async function deleteRows(
  clickHouse: Pick<ClickHouse, "rows" | "command">,
  { table, condition, parameters, name }: DeletedRows,
): Promise<boolean> {
  const isGone = async (): Promise<boolean> => {
    const sql = `SELECT 1 AS found FROM ${table} WHERE ${condition} LIMIT 1`
    return (await clickHouse.rows({ sql, parameters })).length === 0
  }
  if (await isGone()) return true
  const [running] = await clickHouse.rows<{ failure: string }>({
    sql: FIND_MUTATION,
    parameters: { table, name: `'${name}'` },
  })
  if (running !== undefined && running.failure !== "") throw new EngineError(341, "UNFINISHED", running.failure)
  if (running !== undefined) return false
  await clickHouse.command({ sql: `ALTER TABLE ${table} DELETE WHERE ${condition} AND '${name}' != ''`, parameters })
  for (const pauseMs of LOOK_AFTER_MS) {
    await sleep(pauseMs)
    if (await isGone()) return true
  }
  return false
}
