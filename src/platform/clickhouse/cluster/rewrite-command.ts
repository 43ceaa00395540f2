import { readTokens } from "../sql-tokens.js"
import type { Cluster, ShardedTable } from "./cluster.types.js"
import { renameTables } from "./rewrite-tables.js"

const NAME = "`?(?<name>\\w+)`?"
const CREATE_TABLE = new RegExp(`^CREATE TABLE (?<ifNotExists>IF NOT EXISTS )?${NAME}\\s+(?<columns>\\([\\s\\S]*)$`)
const ENGINE = /^(?<columns>[\s\S]*\))\s*ENGINE = (?<engine>\w*MergeTree)(?:\((?<arguments>[^()]*)\))?(?<rest>[\s\S]*)$/
const CREATE_VIEW = /^(?<head>CREATE MATERIALIZED VIEW (?:IF NOT EXISTS )?\w+)(?<rest> TO [\s\S]*)$/
const ALTER_TABLE = new RegExp(`^ALTER TABLE ${NAME}\\s+(?<changes>[\\s\\S]*)$`)
const ON_TABLE = new RegExp(`^(?<verb>TRUNCATE TABLE|OPTIMIZE TABLE|DELETE FROM) ${NAME}(?<rest>[\\s\\S]*)$`)
const DROP = new RegExp(`^(?<verb>DROP (?:TABLE|VIEW)(?: IF EXISTS)?) ${NAME}(?<rest>[\\s\\S]*)$`)
const KILL_QUERY = /^KILL QUERY (?<rest>[\s\S]*)$/
const COLUMN_CHANGE = /^(?:ADD|MODIFY|DROP|RENAME) COLUMN /
const WINDOW = /non_replicated_deduplication_window = (\d+)/
/** For how long a cluster may be away and an insert that it has stored still be recognised: 30 days. */
const WINDOW_SECONDS = 2_592_000

/** The table that holds the rows of one on each shard. */
export const toLocalName = (table: string): string => `${table}_local`

/**
 * The statements that do in a cluster what a statement does on one server.
 * @param database whose tables they are.
 * @throws Error for a statement that this room has no rule for, and for a table of rows without a key.
 */
export function rewriteCommand(sql: string, cluster: Cluster, database: string): readonly string[] {
  const onCluster = `ON CLUSTER \`${cluster.name}\``
  const has = (name: string): boolean => Object.hasOwn(cluster.tables, name)
  const toHeld = (name: string): string => (has(name) ? toLocalName(name) : name)

  const created = CREATE_TABLE.exec(sql)?.groups
  if (created !== undefined) return createTable(created, cluster, database, onCluster)

  const view = CREATE_VIEW.exec(sql)?.groups
  // It sees what is inserted on its shard; the rows that it makes may belong on others.
  if (view !== undefined) return [`${view.head} ${onCluster}${renameTables(view.rest ?? "", toHeld)}`]

  const altered = ALTER_TABLE.exec(sql)?.groups
  if (altered !== undefined) return alterTable(altered, has(altered.name ?? ""), onCluster)

  const onTable = ON_TABLE.exec(sql)?.groups
  if (onTable !== undefined) return [`${onTable.verb} ${toHeld(onTable.name ?? "")} ${onCluster}${onTable.rest}`]

  const dropped = DROP.exec(sql)?.groups
  if (dropped !== undefined) {
    const { verb, name = "", rest } = dropped
    return [...new Set([name, toHeld(name)])].map((table) => `${verb} ${table} ${onCluster}${rest}`)
  }

  const killed = KILL_QUERY.exec(sql)?.groups
  if (killed !== undefined) return [`KILL QUERY ${onCluster} ${killed.rest}`]
  if (/^(?:INSERT|SELECT) /.test(sql)) return [sql]
  throw new Error(`no rule for a cluster: ${sql.slice(0, 100)}`)
}

type Groups = Readonly<Record<string, string | undefined>>

function createTable(
  { ifNotExists = "", name = "", columns = "" }: Groups,
  { name: cluster, tables }: Cluster,
  database: string,
  onCluster: string,
): readonly string[] {
  const create = `CREATE TABLE ${ifNotExists}`
  const stored = ENGINE.exec(columns)?.groups
  if (stored === undefined) return [`${create}${name} ${onCluster} ${columns}`]
  const table = Object.hasOwn(tables, name) ? tables[name] : undefined
  if (table === undefined) throw new Error(`no key by which the table ${name} is spread over a cluster`)
  const local = toLocalName(name)
  const place = `'/clickhouse/tables/{shard}/${database}/${local}', '{replica}'`
  const args = [place, ...(stored.arguments ? [stored.arguments] : [])].join(", ")
  return [
    `${create}${local} ${onCluster} ${stored.columns} ENGINE = Replicated${stored.engine}(${args})${toWindows(stored.rest ?? "", table)}`,
    `${create}${name} ${onCluster} AS ${database}.${local}
  ENGINE = Distributed('${cluster}', '${database}', '${local}', ${table.shardedBy})`,
  ]
}

/** Without a window of its own a table recognises no repetition, as on one server. */
function toWindows(rest: string, { isFilledByViews }: ShardedTable): string {
  const none = "replicated_deduplication_window = 0"
  if (!WINDOW.test(rest)) return rest.includes("SETTINGS ") ? `${rest}, ${none}` : `${rest} SETTINGS ${none}`
  return rest.replace(WINDOW, (_, count: string) =>
    isFilledByViews
      ? none
      : `replicated_deduplication_window = ${count}, replicated_deduplication_window_seconds = ${WINDOW_SECONDS}`,
  )
}

/** What the rows of a table are like is changed where they lie; what it is read and written through has columns alone. */
function alterTable({ name = "", changes = "" }: Groups, isSharded: boolean, onCluster: string): readonly string[] {
  if (!isSharded) return [`ALTER TABLE ${name} ${onCluster} ${changes}`]
  const local = toLocalName(name)
  // A deletion on a shard that asks for other rows of the table means those of this shard.
  const ofShard = renameTables(changes, (read) => (read === name ? local : read))
  const columns = splitChanges(changes).filter((change) => COLUMN_CHANGE.test(change))
  return [
    `ALTER TABLE ${local} ${onCluster} ${ofShard}`,
    ...(columns.length > 0 ? [`ALTER TABLE ${name} ${onCluster} ${columns.join(", ")}`] : []),
  ]
}

/** Parts of a list between its own commas. */
function splitChanges(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const { kind, value, end } of readTokens(list)) {
    if (kind !== "sign") continue
    if ("([{".includes(value)) depth++
    if (")]}".includes(value)) depth--
    if (value !== "," || depth > 0) continue
    parts.push(list.slice(start, end - 1).trim())
    start = end
  }
  return [...parts, list.slice(start).trim()]
}
