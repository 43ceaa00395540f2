import { Readable } from "node:stream"
import type { Insert, JsonInsert, Statement } from "./click-house.js"

/** The rows of an insert as they are sent. */
export interface InsertBody {
  /** What follows the table's name. */
  readonly clause: string
  readonly settings: NonNullable<Statement["settings"]>
  readonly stream: Readable
  /** Of all rows; null when they are only made while they are sent. */
  readonly byteCount: number | null
}

/** Large enough to cost few writes, small enough not to hold a second copy of a large insert in memory. */
const CHUNK_CHARACTERS = 256 * 1024

/**
 * The apostrophes around all rows make them one text for the embedded engine, which looks for comments in whatever follows
 * a statement: token by token, that would take as long as everything else about an insert (decision 0013).
 */
const QUOTE = Buffer.from("'")
const FIELD_SETTINGS = {
  format_custom_escaping_rule: "Escaped",
  format_custom_result_before_delimiter: "'",
  format_custom_field_delimiter: "\t",
  format_custom_row_before_delimiter: "",
  format_custom_row_after_delimiter: "\n",
  format_custom_row_between_delimiter: "",
  format_custom_result_after_delimiter: "'",
  input_format_custom_detect_header: 0,
  // Quicker than guessing, and strict.
  date_time_input_format: "basic",
} as const

/** How the rows of an insert travel; null when there are none. */
export function toInsertBody(insert: Insert): InsertBody | null {
  if ("rows" in insert) {
    if (insert.rows.length === 0) return null
    return { clause: "FORMAT JSONEachRow", settings: {}, stream: toStream(jsonChunks(insert.rows)), byteCount: null }
  }
  const { columns, blocks } = insert
  if (blocks.length === 0) return null
  // The engine takes an empty line for the end of the rows, and one empty text alone would be one.
  if (columns.length < 2) throw new Error("rows of fields need at least two columns")
  const clause = `(${toColumnList(columns)}) FORMAT CustomSeparated`
  const pieces = [QUOTE, ...blocks, QUOTE]
  const byteCount = pieces.reduce((bytes, piece) => bytes + piece.length, 0)
  return { clause, settings: FIELD_SETTINGS, stream: toStream(pieces), byteCount }
}

/** Columns as an INSERT names them. */
export const toColumnList = (columns: readonly string[]): string => columns.map((column) => `\`${column}\``).join(", ")

const toStream = (chunks: Iterable<Uint8Array>): Readable => Readable.from(chunks, { objectMode: false })

function* jsonChunks(rows: JsonInsert["rows"]): Generator<Buffer> {
  let lines: string[] = []
  let characters = 0
  for (const row of rows) {
    const line = typeof row === "string" ? row : JSON.stringify(row)
    lines.push(line, "\n")
    characters += line.length + 1
    if (characters < CHUNK_CHARACTERS) continue
    yield Buffer.from(lines.join(""))
    lines = []
    characters = 0
  }
  if (lines.length > 0) yield Buffer.from(lines.join(""))
}

/** A multipart/form-data body of named fields. The boundary must occur in none of the values. */
export function toMultipart(fields: Readonly<Record<string, string>>, boundary: string): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return Buffer.from(`${parts.join("")}--${boundary}--\r\n`)
}
