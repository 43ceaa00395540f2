import { createReadStream } from "node:fs"
import { basename } from "node:path"
import { pipeline, type Readable } from "node:stream"
import { createBrotliDecompress, createGunzip, createZstdDecompress } from "node:zlib"
import { parse } from "csv-parse"
import { isJsonObject, isNestedDeeper, type JsonObject, parseJson } from "../../kernel/json.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import type { FoundRow } from "./found-row.js"
import { readLines } from "./read-lines.js"
import { readParquetRows } from "./read-parquet-rows.js"
import { MAX_LEVELS, MAX_LINE_BYTES } from "./row-limits.js"

const DECOMPRESSORS = { gz: createGunzip, br: createBrotliDecompress, zst: createZstdDecompress } as const

/**
 * The rows of a file in the format that the end of its name says: Parquet, CSV with a line of names, and for any other
 * name JSON, an object a line. `.gz`, `.br` or `.zst` behind that is unpacked.
 * @throws StartupError naming the file where it is not what its name says, or ends too early.
 */
export async function* readRows(path: string): AsyncGenerator<FoundRow> {
  try {
    yield* readFormat(path)
  } catch (error) {
    throw new StartupError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function readFormat(path: string): AsyncIterable<FoundRow> {
  const name = basename(path)
  const { plain, compression } = splitName(name)
  if (plain.endsWith(".parquet")) return readParquetRows(path, name)
  const stream = createReadStream(path)
  const bytes = compression === null ? stream : pipeline(stream, DECOMPRESSORS[compression](), () => undefined)
  return plain.endsWith(".csv") ? readCsvRows(bytes, name) : readJsonRows(bytes, name)
}

/** The kind of compression is that of the last part of a name. */
function splitName(name: string): { plain: string; compression: keyof typeof DECOMPRESSORS | null } {
  const end = /\.(gz|br|zst)$/i.exec(name)?.[1]?.toLowerCase()
  const plain = name.toLowerCase()
  if (end !== "gz" && end !== "br" && end !== "zst") return { plain, compression: null }
  return { plain: plain.slice(0, -end.length - 1), compression: end }
}

async function* readJsonRows(bytes: Readable, name: string): AsyncGenerator<FoundRow> {
  let number = 0
  for await (const { text } of readLines(bytes)) {
    number += 1
    if (text.trim() !== "") yield { place: `${name} line ${number}`, row: parseRow(text) }
  }
}

/** An object of a line; null for anything else, and for what no request may hold. */
function parseRow(text: string): JsonObject | null {
  try {
    const row = parseJson(text)
    return isJsonObject(row) && !isNestedDeeper(row, MAX_LEVELS) ? row : null
  } catch {
    return null
  }
}

/** A row with more or fewer cells than there are names is none. */
async function* readCsvRows(bytes: Readable, name: string): AsyncGenerator<FoundRow> {
  const limit = { max_record_size: MAX_LINE_BYTES } as const
  const options = { bom: true, relax_column_count: true, skip_empty_lines: true, info: true, ...limit } as const
  let names: readonly string[] | null = null
  const parser = pipeline(bytes, parse(options), () => undefined)
  for await (const record of parser) {
    const { record: cells, info }: CsvRecord = record
    if (names === null) names = cells
    else yield { place: `${name} line ${info.lines}`, row: cells.length === names.length ? zip(names, cells) : null }
  }
}

interface CsvRecord {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

const zip = (names: readonly string[], cells: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]))
