import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json } from "../../kernel/json.js"

const MAX_DEPTH = 20
const LEAF_TYPES = new Set(["person", "cohort"])

/**
 * Checks the tree of a dynamic cohort as it is saved.
 * @throws AppError invalid_input naming the field.
 */
export function checkCohortFilters(filters: Json): void {
  if (!isJsonObject(filters) || filters.properties === undefined)
    throw refuse(["filters", "properties"], "must be a group of conditions")
  checkNode(filters.properties, ["filters", "properties"], 0)
}

function checkNode(node: Json, path: readonly (string | number)[], depth: number): void {
  if (depth > MAX_DEPTH) throw refuse(path, `must not be nested deeper than ${MAX_DEPTH} levels`)
  if (!isJsonObject(node)) throw refuse(path, "must be an object")
  if (node.type === "AND" || node.type === "OR") {
    if (!Array.isArray(node.values)) throw refuse([...path, "values"], "must be a list")
    node.values.forEach((value, index) => {
      checkNode(value, [...path, "values", index], depth + 1)
    })
    return
  }
  if (typeof node.type !== "string" || !LEAF_TYPES.has(node.type))
    throw refuse([...path, "type"], "must be AND, OR, person or cohort; conditions on events are not supported")
  if (typeof node.key !== "string" || node.key === "") throw refuse([...path, "key"], "must be text")
  if (node.type === "cohort" && typeof node.value !== "number" && typeof node.value !== "string")
    throw refuse([...path, "value"], "must be the id of a cohort")
}

const refuse = (path: readonly (string | number)[], rule: string): AppError =>
  new AppError("invalid_input", { attr: path.join("__"), detail: `${path.join(".")} ${rule}.` })
