import { createReadStream } from "node:fs"
import { join } from "node:path"
import type { ClickHouse } from "../platform/clickhouse/click-house.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { Progress } from "../platform/progress/progress.js"
import { writeBackupFile } from "./backup-file.js"
import type { TableSnapshot } from "./click-house-tables.js"
import type { Manifest, TablePart } from "./manifest.js"

type EventTable = Manifest["clickHouse"]["tables"][number]

/** Of whole days and tables, so the time limit of questions does not fit; others are to notice little of them. */
const SETTINGS = { max_execution_time: 6 * 3600, max_threads: 2 }
/** Bounds what the writer and each reader hold of wide rows. */
const PARQUET_SETTINGS = {
  output_format_parquet_row_group_size: 100_000,
  output_format_parquet_row_group_size_bytes: 64 * 1024 * 1024,
}

type Counted = Pick<TablePart, "day" | "rows" | "checksum">

/**
 * Writes the rows of a table, a Parquet file for each day, under `clickhouse/` in the folder of the backup.
 * @param known what the folder has of an earlier backup: days whose rows are still the same are not written again.
 */
export async function exportTable(
  clickHouse: ClickHouse,
  table: TableSnapshot,
  folder: string,
  known: readonly TablePart[],
  progress: Progress,
  signal: AbortSignal,
): Promise<EventTable> {
  const { name, columns, hasEnd } = table
  const rows = `FROM ${table.snapshot}${table.isReplacing ? " FINAL" : ""}`
  const counted = await countRows(clickHouse, rows, table, signal)
  const parts: TablePart[] = []
  for (const [index, { day, ...count }] of counted.entries()) {
    progress.show(`ClickHouse: ${name} ${day ?? ""} (${index + 1} of ${counted.length})`)
    const same = known.find((part) => part.day === day && part.rows === count.rows && part.checksum === count.checksum)
    parts.push(same ?? { day, ...count, file: await writePart({ day, ...count }) })
  }
  return { name, columns, hasEnd, parts }

  async function writePart({ day, checksum }: Counted) {
    const sql = `SELECT ${toList(columns)} ${rows}${day === null ? "" : ` WHERE ${toDayCondition(table.timeColumn)}`}`
    const settings = { ...SETTINGS, ...PARQUET_SETTINGS }
    const stream = await clickHouse.stream({ sql, parameters: { day }, settings, signal }, "Parquet")
    return writeBackupFile(folder, `clickhouse/${name}/${day ?? "all"}-${checksum}.parquet`, stream)
  }
}

/**
 * Inserts the rows of a table of a backup.
 * @throws StartupError when the table then has other rows than those that the backup was made of.
 */
export async function importTable(
  clickHouse: ClickHouse,
  { name, columns, hasEnd, parts }: EventTable,
  folder: string,
  progress: Progress,
): Promise<void> {
  for (const [index, { day, file }] of parts.entries()) {
    progress.show(`ClickHouse: ${name} ${day ?? ""} (${index + 1} of ${parts.length})`)
    await clickHouse.insertParquet(name, columns, createReadStream(join(folder, file.path)))
  }
  // Rows may have come to their end since the backup was made, and are gone then.
  if (hasEnd) return
  const [found] = await countRows(clickHouse, `FROM ${name}`, { columns, timeColumn: "" })
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const checksum = BigInt.asUintN(
    64,
    parts.reduce((sum, part) => sum + BigInt(part.checksum), 0n),
  )
  if ((found?.rows ?? 0) === rows && BigInt(found?.checksum ?? 0) === checksum) return
  throw new StartupError(`${name} has ${found?.rows ?? 0} rows and not the ${rows} of the backup, or other ones.`)
}

/** As `countRows` groups, so that each row is in one part, whatever its time; the month finds the partition. */
const toDayCondition = (column: string): string =>
  `toDate32(${column}) = {day:Date32} AND toYYYYMM(${column}) = toYYYYMM({day:Date32})`

async function countRows(
  clickHouse: ClickHouse,
  from: string,
  { columns, timeColumn }: Pick<TableSnapshot, "columns" | "timeColumn">,
  signal?: AbortSignal,
): Promise<Counted[]> {
  const day = timeColumn === "" ? "NULL" : `toString(toDate32(${timeColumn}))`
  const sql = `SELECT ${day} AS day, count() AS rows, toString(sum(cityHash64(tuple(${toList(columns)})))) AS checksum
    ${from} GROUP BY day HAVING rows > 0 ORDER BY day`
  return clickHouse.rows<Counted>({ sql, settings: SETTINGS, signal })
}

const toList = (columns: readonly string[]): string => columns.map((column) => `\`${column}\``).join(", ")
