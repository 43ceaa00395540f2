import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { compressors } from "hyparquet-compressors"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { FoundRow } from "./found-row.js"

const UUID_BYTES = 16

/** The rows of a Parquet file, a group of rows at a time: a part of one costs as much as all of it. */
export async function* readParquetRows(path: string, name: string): AsyncGenerator<FoundRow> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  let number = 0
  for (const group of metadata.row_groups) {
    const rowEnd = number + Number(group.num_rows)
    const rows = await parquetReadObjects({ file, metadata, compressors, rowStart: number, rowEnd })
    for (const row of rows) yield { place: `${name} row ${++number}`, row: toJsonObject(row) }
  }
}

const toJsonObject = (row: Record<string, unknown>): JsonObject =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toJson(value)]))

/** Of what Parquet has and JSON has not: times, long numbers, and ids as bytes. */
function toJson(value: unknown): Json {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Uint8Array) return value.length === UUID_BYTES ? toUuid(value) : Buffer.from(value).toString()
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  return typeof value === "object" && value !== null ? toJsonObject({ ...value }) : null
}

function toUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}
