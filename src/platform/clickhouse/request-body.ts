import { Readable } from "node:stream"
import type { Insert } from "./click-house.js"

/** Large enough to cost few writes, small enough not to hold a second copy of a large insert in memory. */
const CHUNK_CHARACTERS = 256 * 1024

/**
 * How the engine reads what `toTextRows` writes. The apostrophes around all rows make them one text for the embedded
 * engine, which looks for comments in whatever follows a statement: it would take half of the time of an insert, and
 * find comments in what users have sent.
 */
export const TEXT_ROW_SETTINGS = {
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

/** Rows as one JSON object a line (JSONEachRow), in chunks. Rows that are texts already go out as they are. */
export const toJsonLines = (rows: Insert["rows"]): Readable => toStream(chunksOf(rows, "", ""))

/** Rows of escaped fields with tabs between (CustomSeparated), in chunks. */
export const toTextRows = (rows: Insert["rows"]): Readable => toStream(chunksOf(rows, "'", "'"))

const toStream = (chunks: Iterable<Buffer>): Readable => Readable.from(chunks, { objectMode: false })

function* chunksOf(rows: Insert["rows"], before: string, after: string): Generator<Buffer> {
  let lines: string[] = [before]
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
  lines.push(after)
  const rest = lines.join("")
  if (rest !== "") yield Buffer.from(rest)
}

/** A multipart/form-data body of named fields. The boundary must occur in none of the values. */
export function toMultipart(fields: Readonly<Record<string, string>>, boundary: string): Readable {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return Readable.from([Buffer.from(`${parts.join("")}--${boundary}--\r\n`)], { objectMode: false })
}
