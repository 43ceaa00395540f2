import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"
import { toCsv } from "./csv.js"

/** More would be no table that anybody can read, and rows × columns has to stay within memory. */
const MAX_COLUMNS = 2000

/**
 * Writes objects as CSV: nested objects become columns whose names are joined with dots (`properties.email`), the
 * columns are those of all rows together in the order in which they first occur (`docs/contract/management.md#csv`).
 * @throws AppError invalid_input when there would be more than 2,000 columns.
 */
export function toFlatCsv(items: readonly JsonObject[]): string {
  const columns = new Set<string>()
  const rows = items.map((item) => {
    const cells = new Map<string, Json>()
    flatten(item, "", cells)
    for (const name of cells.keys()) columns.add(name)
    if (columns.size > MAX_COLUMNS)
      throw new AppError("invalid_input", {
        attr: "format",
        detail: `These rows have more than ${MAX_COLUMNS} different properties. Ask for fewer rows, or for JSON.`,
      })
    return cells
  })
  const names = [...columns]
  return toCsv(
    names,
    rows.map((cells) => names.map((name) => cells.get(name) ?? null)),
  )
}

function flatten(value: JsonObject, prefix: string, cells: Map<string, Json>): void {
  for (const [key, inner] of Object.entries(value)) {
    if (isJsonObject(inner)) flatten(inner, `${prefix}${key}.`, cells)
    else cells.set(prefix + key, inner)
  }
}
