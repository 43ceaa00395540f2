import { AppError } from "../../../kernel/errors.js"
import { isUuid } from "../../../kernel/ids.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { ANY_OBJECT, BOOLEAN, objectOf, TEXT, TIME } from "../../../kernel/json-schema.js"
import { readText } from "../read-query.js"

/** Path of the persons of a project. */
export const PERSONS = "/api/environments/:project_id/persons"
/** GraphQL fields of `PersonData`. */
export const PERSON_FIELDS = "id name distinctIds properties createdAt isIdentified"

/** A person as the operations answer it. */
export interface PersonData {
  readonly id: string
  readonly name: string
  readonly distinctIds: readonly string[]
  readonly properties: JsonObject
  readonly createdAt: string
  readonly isIdentified: boolean
}

/** Deeper ones are refused by the operation as well. */
const MAX_GROUP_DEPTH = 10
const UUID = { type: "string", format: "uuid" }
const DISTINCT_IDS = { type: "array", items: TEXT }

/** JSON Schema of a person. */
export const PERSON = objectOf({
  id: UUID,
  name: TEXT,
  distinct_ids: DISTINCT_IDS,
  properties: ANY_OBJECT,
  created_at: TIME,
  uuid: UUID,
  is_identified: BOOLEAN,
})

/** An item of a list of persons (`reference/management.md` section 5). */
export const toWirePerson = (person: PersonData): JsonObject => ({
  id: person.id,
  uuid: person.id,
  name: person.name,
  distinct_ids: [...person.distinctIds],
  properties: person.properties,
  created_at: person.createdAt,
  is_identified: person.isIdentified,
  // Both belong to the lists behind an insight; clients read them from every list.
  matched_recordings: [],
  value_at_data_point: null,
})

/** @throws AppError invalid_input unless it is a UUID or a number, which is what recordings call their person by. */
export function readPersonId(id: string | undefined): string {
  if (id !== undefined && (isUuid(id) || /^\d+$/.test(id))) return id
  throw new AppError("invalid_input", {
    detail: `The ID provided does not look like a personID. If you are using a distinctId, please use /persons?distinct_id=${encodeURIComponent(id ?? "")} instead.`,
  })
}

/** Conditions on properties: a list of them, or a group `{type, values}` of conditions and groups as newer clients write it. */
export function readPropertyFilters(query: URLSearchParams): JsonObject | undefined {
  const text = readText(query, "properties")
  if (text === undefined) return undefined
  const written = parse(text)
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

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw invalid("This is not JSON.")
  }
}

const invalid = (detail: string): AppError => new AppError("invalid_input", { attr: "properties", detail })
