import { isLongNumber } from "../../../kernel/exact-json.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { Statement } from "../../../platform/clickhouse/click-house.js"
import { toWireRows } from "../insights/wire-value.js"

/** What an export can be written in. */
export const EXPORT_FORMATS = ["csv", "jsonl", "parquet"] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Media type of each format. */
export const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/x-ndjson; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
}

const NEEDS_QUOTES = /[",\r\n]/
/** A spreadsheet would run a text that begins with one of these as a formula. */
const BEGINS_FORMULA = /^[=+\-@\t\r]/

/** Writes rows as text. `head` comes once, before everything. */
export interface RowWriter {
  readonly head: string
  readonly write: (rows: readonly (readonly Json[])[]) => string
}

/** What the rows of an export have in common. */
export interface RowShape {
  readonly columns: readonly string[]
  /** The engine's types, by which times are shown in the project's zone. */
  readonly types: readonly string[]
  readonly timezone: string
}

/** nan and inf are written as such in CSV, and as null in JSON, which has no words for them. */
export const withDenormals = (format: "csv" | "jsonl", statement: Statement): Statement => ({
  ...statement,
  settings: { ...statement.settings, output_format_json_quote_denormals: format === "csv" ? 1 : 0 },
})

/** A writer of one of the text formats. */
export function createRowWriter(format: "csv" | "jsonl", { columns, types, timezone }: RowShape): RowWriter {
  const shown = (rows: readonly (readonly Json[])[]) => toWireRows(rows, types, timezone)
  if (format === "csv") {
    const isFraction = types.map((type) => FRACTION.test(type))
    const toLine = (row: readonly Json[]): string =>
      toCsvLine(row.map((value, index) => toCell(value, isFraction[index])))
    return { head: toCsvLine(columns.map((name) => toCell(name))), write: (rows) => shown(rows).map(toLine).join("") }
  }
  const names = distinct(columns).map((name) => `${JSON.stringify(name)}:`)
  const toLine = (row: readonly Json[]): string =>
    `{${row.map((value, index) => `${names[index]}${JSON.stringify(value)}`).join(",")}}\n`
  return { head: "", write: (rows) => shown(rows).map(toLine).join("") }
}

/** Names that occur twice get a number, as an object and a Parquet file can have each only once. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let free = name
    for (let number = 2; taken.has(free); number++) free = `${name}_${number}`
    taken.add(free)
    return free
  })
}

const FRACTION = /^(?:Nullable\()?(?:LowCardinality\()?(?:Nullable\()?(?:B?Float)/

const toCsvLine = (cells: readonly string[]): string => `${cells.join(",")}\r\n`

/**
 * One cell of RFC 4180: lists and objects as JSON, null as nothing and an empty text as `""`, an apostrophe before what a
 * spreadsheet would run. Of numbers `nan`, `inf` and `-inf` are the only texts.
 */
function toCell(value: Json, isNumber = false): string {
  if (value === null) return ""
  if (value === "") return '""'
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (isLongNumber(value)) return JSON.stringify(value)
  // ClickHouse writes NaN with a sign.
  if (isNumber && value === "-nan") return "nan"
  const text = Array.isArray(value) || isJsonObject(value) ? JSON.stringify(value) : value
  const harmless = BEGINS_FORMULA.test(text) && !isNumber ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
