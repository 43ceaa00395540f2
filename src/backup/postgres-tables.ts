import { createReadStream } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import type { ClientBase } from "pg"
import { from as copyFrom, to as copyTo } from "pg-copy-streams"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { Progress } from "../platform/progress/progress.js"
import { writeCompressedFile } from "./backup-file.js"
import type { Manifest } from "./manifest.js"

type Records = Manifest["postgres"]
type RecordTable = Records["tables"][number]

/** Tables that say something of one installation, which a restored one says of itself. */
const OWN_TABLES = ["schema_migration", "store_pair"]

const LIST_TABLES = `
SELECT c.relname AS name,
       array(SELECT a.attname::text FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
              ORDER BY a.attnum)
         AS columns,
       array(SELECT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
              WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS "refersTo"
  FROM pg_class c
 WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1::text[])
 ORDER BY c.relname`

const LIST_SEQUENCES = `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
  WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`

interface FoundTable extends Pick<RecordTable, "name" | "columns"> {
  readonly refersTo: readonly string[]
}

/** What `pg_dump` calls a plain name. */
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

const toTarget = ({ name, columns }: Pick<RecordTable, "name" | "columns">): string =>
  `${quote(name)} (${columns.map(quote).join(", ")})`

/** Id that the store shares with its ClickHouse (decision 0052). */
export async function readStoreId(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ id: string }>("SELECT id::text FROM store_pair")
  return rows[0]?.id ?? ""
}

/**
 * Writes all records as they are for the transaction of the connection: a file of each table, as `COPY` writes it,
 * compressed. `folder` is that of the backup, `inside` a new one in it.
 */
export async function exportRecords(
  client: ClientBase,
  folder: string,
  inside: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<Records> {
  const { rows: migrations } = await client.query<Records["migrations"][number]>(
    "SELECT name, checksum FROM schema_migration ORDER BY name",
  )
  const tables: RecordTable[] = []
  for (const { name, columns } of await listTables(client)) {
    progress.show(`PostgreSQL: ${name}`)
    signal.throwIfAborted()
    const copy = client.query(copyTo(`COPY ${toTarget({ name, columns })} TO STDOUT`))
    const file = await writeCompressedFile(folder, `${inside}/${name}.copy.gz`, copy)
    tables.push({ name, columns, rows: copy.rowCount, file })
  }
  // They are not part of the transaction: read last, they are beyond every row that was read.
  const { rows: sequences } = await client.query<Records["sequences"][number]>(LIST_SEQUENCES)
  return { migrations, sequences, tables }
}

/**
 * Replaces what migrations have put into the tables by the records of a backup, in one transaction.
 * @param whenLoaded called before it commits.
 * @throws StartupError when a table has other rows than the manifest says; nothing is changed then.
 */
export async function importRecords(
  client: ClientBase,
  folder: string,
  { tables, sequences }: Records,
  progress: Progress,
  whenLoaded: () => Promise<void>,
): Promise<void> {
  await client.query("BEGIN")
  if (tables.length > 0) await client.query(`TRUNCATE ${tables.map(({ name }) => quote(name)).join(", ")}`)
  for (const table of tables) {
    progress.show(`PostgreSQL: ${table.name}`)
    // Triggers note changes, and these are none: what they noted before is among the records.
    await client.query(`ALTER TABLE ${quote(table.name)} DISABLE TRIGGER USER`)
    const copy = client.query(copyFrom(`COPY ${toTarget(table)} FROM STDIN`))
    await pipeline(createReadStream(join(folder, table.file.path)), createGunzip(), copy)
    await client.query(`ALTER TABLE ${quote(table.name)} ENABLE TRIGGER USER`)
    if (copy.rowCount !== table.rows)
      throw new StartupError(`${table.name} got ${copy.rowCount} rows and not ${table.rows}.`)
  }
  for (const { name, value } of sequences) await client.query("SELECT setval($1::regclass, $2)", [quote(name), value])
  await whenLoaded()
  await client.query("COMMIT")
}

/** Whether there is anything in the schema that tables would be made in. */
export async function isEmptyDatabase(client: ClientBase): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_tables WHERE schemaname = current_schema() LIMIT 1")
  return rowCount === 0
}

/** Tables after those that they refer to. Those that refer to one another would follow the names. */
async function listTables(client: ClientBase): Promise<FoundTable[]> {
  const { rows } = await client.query<FoundTable>(LIST_TABLES, [OWN_TABLES])
  const byName = new Map(rows.map((table) => [table.name, table]))
  const ordered = new Set<FoundTable>()
  const visited = new Set<string>()
  const visit = (table: FoundTable | undefined): void => {
    if (table === undefined || visited.has(table.name)) return
    visited.add(table.name)
    for (const name of table.refersTo) visit(byName.get(name))
    ordered.add(table)
  }
  for (const table of rows) visit(table)
  return [...ordered]
}
