import { Readable } from "node:stream"
import type { Insert } from "./click-house.js"

/** Large enough to cost few writes, small enough not to hold a second copy of a large insert in memory. */
const CHUNK_CHARACTERS = 256 * 1024

/** Rows as one JSON object a line (JSONEachRow), in chunks. Rows that are texts already go out as they are. */
export function toJsonLines(rows: Insert["rows"]): Readable {
  return Readable.from(jsonChunks(rows), { objectMode: false })
}

function* jsonChunks(rows: Insert["rows"]): Generator<Buffer> {
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
export function toMultipart(fields: Readonly<Record<string, string>>, boundary: string): Readable {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return Readable.from([Buffer.from(`${parts.join("")}--${boundary}--\r\n`)], { objectMode: false })
}
