import type { Json } from "../../../kernel/json.js"
import type { Statement } from "../../../platform/clickhouse/click-house.js"
import type { AnswerTable } from "./answer-table.js"
import { distinct } from "./export-format.js"

/** Far more than any insight answers. */
const MAX_CHARACTERS = 50_000_000

/** A SELECT that returns a given table, so that the engine can write it as a file; null for one that is too large. */
export function toTableStatement({ columns, rows }: AnswerTable): Statement | null {
  const types = columns.map((_, index) => inferType(rows.map((row) => row[index] ?? null)))
  const lines = rows.map((row) => row.map((value, index) => (types[index] === "String" ? toText(value) : value)))
  const text = JSON.stringify(lines)
  if (text.length > MAX_CHARACTERS) return null
  const selected = distinct(columns).map(
    (name, index) => `JSONExtract(line, ${index + 1}, 'Nullable(${types[index]})') AS ${quotedName(name)}`,
  )
  return {
    sql: `SELECT ${selected.join(", ")} FROM (SELECT arrayJoin(JSONExtractArrayRaw({rows:String})) AS line)`,
    parameters: { rows: text },
  }
}

/** A name as the engine's SQL writes it, whatever it holds. */
export const quotedName = (name: string): string => `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``

function inferType(values: readonly Json[]): "Float64" | "Bool" | "String" {
  const known = values.filter((value) => value !== null)
  if (known.length > 0 && known.every((value) => typeof value === "number")) return "Float64"
  return known.length > 0 && known.every((value) => typeof value === "boolean") ? "Bool" : "String"
}

const toText = (value: Json): Json => (value === null || typeof value === "string" ? value : JSON.stringify(value))
