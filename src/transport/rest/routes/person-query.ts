import { AppError } from "../../../kernel/errors.js"
import { isUuid } from "../../../kernel/ids.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { readJson } from "../read-query.js"

/** Deeper ones are refused by the operation as well. */
const MAX_GROUP_DEPTH = 10

/** @throws AppError invalid_input unless it is a UUID or a number, which is what recordings call their person by. */
export function readPersonId(id: string | undefined): string {
  if (id !== undefined && (isUuid(id) || /^\d+$/.test(id))) return id
  throw new AppError("invalid_input", {
    detail: `The ID provided does not look like a personID. If you are using a distinctId, please use /persons?distinct_id=${encodeURIComponent(id ?? "")} instead.`,
  })
}

/** Conditions on properties: a list of them, or a group `{type, values}` of conditions and groups as newer clients write it. */
export function readPropertyFilters(query: URLSearchParams): JsonObject | undefined {
  const written = readJson(query, "properties")
  if (written === undefined) return undefined
  if (Array.isArray(written)) return toGroup({ type: "AND", values: written }, 0)
  if (isJsonObject(written) && Object.keys(written).length === 0) return undefined
  if (isJsonObject(written) && Array.isArray(written.values)) return toGroup(written, 0)
  throw invalid('Write a list of conditions such as [{"key": "plan", "value": "pro", "operator": "exact"}].')
}

function toGroup({ type = "AND", values = [] }: JsonObject, depth: number): JsonObject {
  if (type !== "AND" && type !== "OR") throw invalid("A group of conditions is of type AND or OR.")
  if (depth > MAX_GROUP_DEPTH) throw invalid(`Groups may be nested at most ${MAX_GROUP_DEPTH} deep.`)
  const isGroup = (value: Json): value is JsonObject => isJsonObject(value) && Array.isArray(value.values)
  const items = values as readonly Json[]
  return {
    type,
    conditions: items.filter((value) => !isGroup(value)).map(toCondition),
    groups: items.filter(isGroup).map((group) => toGroup(group, depth + 1)),
  }
}

function toCondition(condition: Json): JsonObject {
  if (!isJsonObject(condition) || typeof condition.key !== "string")
    throw invalid("Every condition must be an object with a key.")
  if (condition.type !== undefined && condition.type !== "person")
    throw invalid(`Conditions on persons only: type "${String(condition.type)}" cannot be used here.`)
  if (condition.operator != null && typeof condition.operator !== "string")
    throw invalid("The operator of a condition must be a text.")
  const { key, operator = null, value = null } = condition
  return { key, operator, value }
}

const invalid = (detail: string): AppError => new AppError("invalid_input", { attr: "properties", detail })
