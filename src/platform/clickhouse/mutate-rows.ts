import { setTimeout as sleep } from "node:timers/promises"
import { type ClickHouse, EngineError, type QueryParameters } from "./click-house.js"
import { toLocalName } from "./cluster/rewrite-command.js"

/** Rows to delete or change. */
export interface MutatedRows {
  readonly table: string
  /**
   * What is true of them, and of none of them afterwards. The engine keeps the text of a mutation for long, so that ids
   * belong into a subquery on a table and not here.
   */
  readonly condition: string
  readonly parameters: QueryParameters
  /** Tells this mutation from all others of the table. */
  readonly name: string
}

/** Pauses between looks: a small table is done by then, and whoever asks about a large one asks again later. */
const LOOK_AFTER_MS = [20, 40, 80, 160, 320, 640]

/** Of a cluster all servers are asked, which have the database of this connection as a value. */
const FIND_MUTATION = `SELECT latest_fail_reason AS failure FROM system.mutations
  WHERE database = (SELECT currentDatabase()) AND table IN {tables:Array(String)} AND NOT is_done AND NOT is_killed
    AND position(command, {name:String}) > 0`

/**
 * Deletes rows in the background of the engine, and waits a moment for it. May be repeated: the same deletion runs once
 * at a time.
 * @returns whether none of the rows is left.
 * @throws EngineError also for what the engine said when it could not delete them.
 */
export const deleteRows = (clickHouse: Pick<ClickHouse, "rows" | "command">, rows: MutatedRows): Promise<boolean> =>
  mutateRows(clickHouse, rows, "DELETE")

/**
 * Changes rows likewise.
 * @param assignments `column = expression, …`, after which the condition holds for none of them.
 */
export const updateRows = (
  clickHouse: Pick<ClickHouse, "rows" | "command">,
  rows: MutatedRows,
  assignments: string,
): Promise<boolean> => mutateRows(clickHouse, rows, `UPDATE ${assignments}`)

async function mutateRows(
  clickHouse: Pick<ClickHouse, "rows" | "command">,
  { table, condition, parameters, name }: MutatedRows,
  mutation: string,
): Promise<boolean> {
  const isGone = async (): Promise<boolean> => {
    const sql = `SELECT 1 AS found FROM ${table} WHERE ${condition} LIMIT 1`
    return (await clickHouse.rows({ sql, parameters })).length === 0
  }
  if (await isGone()) return true
  const [running] = await clickHouse.rows<{ failure: string }>({
    sql: FIND_MUTATION,
    parameters: { tables: [table, toLocalName(table)], name: `'${name}'` },
  })
  if (running !== undefined && running.failure !== "") throw new EngineError(341, "UNFINISHED", running.failure)
  if (running !== undefined) return false
  await clickHouse.command({
    sql: `ALTER TABLE ${table} ${mutation} WHERE ${condition} AND '${name}' != ''`,
    parameters,
  })
  for (const pauseMs of LOOK_AFTER_MS) {
    await sleep(pauseMs)
    if (await isGone()) return true
  }
  return false
}
