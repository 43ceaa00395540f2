import { createReadStream } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import type { ClickHouse, QueryParameters, Statement, StreamFormat } from "../platform/clickhouse/click-house.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { Progress } from "../platform/progress/progress.js"
import { writeBackupFile } from "./backup-file.js"
import type { TableSnapshot } from "./click-house-tables.js"
import type { Manifest, TablePart } from "./manifest.js"

type EventTable = Manifest["clickHouse"]["tables"][number]

/** Of whole days and tables, so the time limit of questions does not fit; others are to notice little of them. */
const SETTINGS = { max_execution_time: 6 * 3600, max_threads: 2 }
/** Of files, in each way to write them. */
export const FORMAT_SETTINGS: Readonly<Record<StreamFormat, Statement["settings"]>> = {
  // Bounds what the writer and each reader hold of wide rows.
  Parquet: {
    output_format_parquet_row_group_size: 100_000,
    output_format_parquet_row_group_size_bytes: 64 * 1024 * 1024,
  },
  // A time that says its zone is read the same everywhere.
  JSONCompactEachRow: { date_time_output_format: "iso" },
}

type Counted = Pick<TablePart, "day" | "rows" | "checksum">

/** Rows that are written in parts, those of a day each. */
export interface DividedRows {
  /** For whoever waits for them. */
  readonly title: string
  readonly columns: readonly string[]
  /** What follows `FROM`, and does not change while it is read. */
  readonly source: string
  readonly parameters?: QueryParameters
  /** Whose days divide the rows; empty where nothing does. */
  readonly timeColumn: string
}

/** Where parts go to. */
export interface PartsTarget {
  readonly folder: string
  /** Folder in it, with slashes. */
  readonly inside: string
  /** What the folder has of an earlier run: days whose rows are still the same are not written again. */
  readonly known: readonly TablePart[]
  readonly format: StreamFormat
  /** Ends the names of files. */
  readonly extension: string
  /** Makes the content of a file of what the engine answers. */
  readonly toContent: (answer: Readable) => Readable
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** Of files as the engine writes them. */
export const PARQUET = { format: "Parquet", extension: "parquet", toContent: (answer: Readable) => answer } as const

/** Writes rows, a file for each day. Yields each part once its file is on disk. */
export async function* exportParts(
  clickHouse: ClickHouse,
  rows: DividedRows,
  target: PartsTarget,
): AsyncGenerator<TablePart> {
  const { folder, inside, known, format, extension, toContent, progress, signal } = target
  const counted = await countRows(clickHouse, rows, signal)
  for (const [index, { day, ...count }] of counted.entries()) {
    progress.show(`${rows.title} ${day ?? ""} (${index + 1} of ${counted.length})`)
    const same = known.find((part) => part.day === day && part.rows === count.rows && part.checksum === count.checksum)
    if (same !== undefined) {
      yield same
      continue
    }
    const condition = day === null ? "" : ` WHERE ${toDayCondition(rows.timeColumn)}`
    const sql = `SELECT ${toList(rows.columns)} FROM ${rows.source}${condition}`
    const settings = { ...SETTINGS, ...FORMAT_SETTINGS[format] }
    const answer = await clickHouse.stream({ sql, parameters: { ...rows.parameters, day }, settings, signal }, format)
    const path = `${inside}/${day ?? "all"}-${count.checksum}.${extension}`
    yield { day, ...count, file: await writeBackupFile(folder, path, toContent(answer)) }
  }
}

/** Writes the rows of a table, a Parquet file for each day, under `clickhouse/` in the folder of the backup. */
export async function exportTable(
  clickHouse: ClickHouse,
  { name, snapshot, columns, hasEnd, isReplacing, timeColumn }: TableSnapshot,
  target: Pick<PartsTarget, "folder" | "known" | "progress" | "signal">,
): Promise<EventTable> {
  const rows = {
    title: `ClickHouse: ${name}`,
    columns,
    source: `${snapshot}${isReplacing ? " FINAL" : ""}`,
    timeColumn,
  }
  const parts: TablePart[] = []
  for await (const part of exportParts(clickHouse, rows, { ...target, ...PARQUET, inside: `clickhouse/${name}` }))
    parts.push(part)
  return { name, columns, hasEnd, parts }
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
  const [found] = await countRows(clickHouse, { source: name, columns, timeColumn: "" })
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
  { source, columns, parameters, timeColumn }: Omit<DividedRows, "title">,
  signal?: AbortSignal,
): Promise<Counted[]> {
  const day = timeColumn === "" ? "NULL" : `toString(toDate32(${timeColumn}))`
  const sql = `SELECT ${day} AS day, count() AS rows, toString(sum(cityHash64(tuple(${toList(columns)})))) AS checksum
    FROM ${source} GROUP BY day HAVING rows > 0 ORDER BY day`
  return clickHouse.rows<Counted>({ sql, parameters: { ...parameters }, settings: SETTINGS, signal })
}

const toList = (columns: readonly string[]): string => columns.map((column) => `\`${column}\``).join(", ")
