import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { readInteger, readJson, readText } from "../read-query.js"

/** The events behind one point of a trend. */
export interface TrendEntity {
  /** Null for every event. */
  readonly event: string | null
  /** Property filters that all hold. */
  readonly properties: readonly Json[]
  /** Days before the end of the range that count instead of its beginning; null for the range as it is. */
  readonly activeDays: number | null
}

/** Ways of counting that every person with an event is behind. */
const COUNTS_EVENTS = ["total", "dau", "unique_session"]
const ACTIVE_DAYS: Readonly<Record<string, number>> = { weekly_active: 7, monthly_active: 30 }
/** Ways of counting that only events with a value of the property are behind. */
const COUNTS_VALUES = ["sum", "avg", "min", "max", "median", "p75", "p90", "p95", "p99"]
const MATHS = [...COUNTS_EVENTS, ...Object.keys(ACTIVE_DAYS), ...COUNTS_VALUES]
const BREAKDOWN_TYPES = ["event", "person", "group", "cohort"]
/**
 * Values that insights show for events without a value and for all beyond the limit
 * (`docs/contract/management.md#person-trends`).
 */
const NO_VALUE = "$$_posthog_breakdown_null_$$"
const OTHER_VALUES = "$$_posthog_breakdown_other_$$"
const COHORT_VALUE = "The value of a cohort breakdown is the number of a cohort, or all."
/** Parameters of a breakdown that is read here. */
const BREAKDOWN_PARAMETERS = ["breakdown", "breakdown_type", "breakdown_value", "breakdown_group_type_index"]

/**
 * Reads which events are meant: `entity_id` with `entity_type` and `entity_math`, or the one of `events` that they name, cut
 * to the value of a breakdown. Null when there is none of these.
 * @throws AppError invalid_input naming the parameter.
 */
export function readTrendEntity(query: URLSearchParams): TrendEntity | null {
  const named = readNamed(query)
  const breakdown = readBreakdown(query)
  if (named === null) {
    if (BREAKDOWN_PARAMETERS.some((name) => query.has(name))) throw noEntity()
    return null
  }
  const { id = null, properties = [] } = named
  const action = named.type === "actions" ? readNumber("entity_id", id, "The id of an action is its number.") : null
  if (action === null && id !== null && typeof id !== "string")
    throw invalid("entity_id", "The id of an event is its name.")
  const math = toTextOrUndefined(named.math) ?? readText(query, "entity_math") ?? "total"
  if (!MATHS.includes(math))
    throw invalid(
      "entity_math",
      `There is no entity_math "${math.slice(0, 40)}" here. Use one of: ${MATHS.join(", ")}.`,
    )
  return {
    event: action === null && typeof id === "string" ? id : null,
    properties: [
      ...(action === null ? [] : [{ type: "hogql", key: `matchesAction(${action})` }]),
      ...(Array.isArray(properties) ? properties : []),
      ...valueFilter(query, named, math),
      ...(breakdown === null ? [] : [breakdown]),
    ],
    activeDays: ACTIVE_DAYS[math] ?? null,
  }
}

function readNamed(query: URLSearchParams): JsonObject | null {
  const id = readText(query, "entity_id")
  const type = readText(query, "entity_type")
  const entities = [...readEntities(query, "events"), ...readEntities(query, "actions")]
  const isAsked = query.has("events") || query.has("actions") || id !== undefined || type !== undefined
  if (!isAsked) return null
  const entity = id === undefined ? entities[0] : entities.find((one) => String(one.id) === id)
  if (entity !== undefined) return checkType(entity)
  if (id === undefined || type === undefined) throw noEntity()
  return checkType({ id, type })
}

/** Entities of a list; those of `actions` are actions without saying so. */
function readEntities(query: URLSearchParams, name: "events" | "actions"): JsonObject[] {
  const entities = readJson(query, name) ?? []
  if (Array.isArray(entities) && entities.every(isJsonObject)) return entities.map((one) => ({ type: name, ...one }))
  throw invalid(name, "Write a list of entities.")
}

const noEntity = (): AppError =>
  invalid(null, "An entity id and the entity type must be provided to determine an entity")

function checkType(entity: JsonObject): JsonObject {
  const { type = "events" } = entity
  if (type !== "events" && type !== "actions")
    throw invalid("entity_type", 'Only entities of the types "events" and "actions" can be used here.')
  return entity
}

/** A sum or an average is worked out from events that have a value. */
function valueFilter(query: URLSearchParams, named: JsonObject, math: string): JsonObject[] {
  if (!COUNTS_VALUES.includes(math)) return []
  const property = toTextOrUndefined(named.math_property) ?? readText(query, "entity_math_property")
  if (property === undefined)
    throw invalid("entity_math_property", `entity_math "${math}" needs the name of a property.`)
  return [{ key: property, type: "event", operator: "is_set" }]
}

function readBreakdown(query: URLSearchParams): JsonObject | null {
  for (const name of query.keys())
    if (name.startsWith("breakdown") && !BREAKDOWN_PARAMETERS.includes(name))
      throw invalid(name, `Of a breakdown only ${BREAKDOWN_PARAMETERS.join(", ")} can be used here.`)
  const key = readText(query, "breakdown")
  const value = query.get("breakdown_value")
  if (key === undefined || value === null) return null
  const type = readText(query, "breakdown_type") ?? "event"
  if (!BREAKDOWN_TYPES.includes(type)) throw invalid("breakdown_type", `Use one of: ${BREAKDOWN_TYPES.join(", ")}.`)
  if (value === OTHER_VALUES)
    throw invalid("breakdown_value", "The one that stands for all remaining values names nobody in particular.")
  if (type === "cohort")
    return value === "all" ? null : { key: "id", type, value: readNumber("breakdown_value", value, COHORT_VALUE) }
  const group = readInteger(query, "breakdown_group_type_index")
  const property = { key, type, ...(group !== undefined && { group_type_index: group }) }
  if (value === NO_VALUE || value === "") return { ...property, operator: "is_not_set" }
  return { ...property, operator: "exact", value: [value] }
}

/** @param rule what is said of a value that is no number. */
function readNumber(attr: string, value: Json, rule: string): number {
  if (/^\d{1,9}$/.test(String(value))) return Number(value)
  throw invalid(attr, rule)
}

const toTextOrUndefined = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : undefined

const invalid = (attr: string | null, detail: string): AppError => new AppError("invalid_input", { attr, detail })
