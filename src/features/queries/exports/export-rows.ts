import type { Readable } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import { AppError } from "../../../kernel/errors.js"
import { parseExactJson } from "../../../kernel/exact-json.js"
import type { Json } from "../../../kernel/json.js"
import { createRowWriter, type RowShape } from "./export-format.js"

/** How far an export is. */
export interface ExportCount {
  /** Null for a file that the engine itself writes. */
  readonly rows: number | null
  /** Whether there were more rows than the limit. */
  readonly isCut: boolean
}

/** The rows of an export as they are counted. */
export interface RowCount {
  rows: number
  isCut: boolean
}

/** The rows of an export as the engine gives them. */
export interface RowSource {
  /** One JSON array a line. */
  readonly lines: Readable
  readonly shape: RowShape
  readonly limit: number
  /** Whether the source has only rows to show; otherwise a row after the last one says that there are more. */
  readonly isExact: boolean
  readonly count: RowCount
}

/** Reads rows as the engine makes them and writes them in another text format, a few hundred kilobytes at a time. */
export async function* readRows(format: "csv" | "jsonl", source: RowSource): AsyncGenerator<string> {
  const { count, limit, isExact } = source
  const writer = createRowWriter(format, source.shape)
  if (writer.head !== "") yield writer.head
  for await (const rows of parseRows(source.lines)) {
    const left = isExact ? rows.length : limit - count.rows
    const shown = rows.length > left ? rows.slice(0, left) : rows
    count.rows += shown.length
    if (shown.length > 0) yield writer.write(shown)
    if (shown.length < rows.length) {
      count.isCut = true
      return
    }
  }
}

async function* parseRows(lines: Readable): AsyncGenerator<Json[][]> {
  const decoder = new StringDecoder("utf8")
  let rest = ""
  for await (const bytes of lines as AsyncIterable<Buffer>) {
    const text = rest + decoder.write(bytes)
    const end = text.lastIndexOf("\n") + 1
    rest = text.slice(end)
    if (end > 0) yield toRows(text.slice(0, end))
  }
  if (rest.trim() !== "") yield toRows(rest)
}

function toRows(text: string): Json[][] {
  const lines = text.trimEnd().replaceAll("\n", ",")
  try {
    return lines === "" ? [] : (parseExactJson(`[${lines}]`) as Json[][])
  } catch (failure) {
    // Servers of ClickHouse write what went wrong behind the rows and close the connection.
    throw text.includes("__exception__") ? brokenOff(failure) : failure
  }
}

const BREAKS: ReadonlySet<unknown> = new Set(["UND_ERR_SOCKET", "ECONNRESET"])

/** A failure in the middle of the rows. The engine closes the connection then, so that the reason is not known. */
export const orBrokenOff = (failure: unknown): unknown =>
  BREAKS.has((failure as { readonly code?: unknown } | null)?.code) ? brokenOff(failure) : failure

const brokenOff = (cause: unknown): AppError =>
  new AppError("store_unavailable", {
    detail:
      "The engine broke off in the middle of the rows: the query failed on a row that was still to come, or took too long or too much memory.",
    cause,
  })
