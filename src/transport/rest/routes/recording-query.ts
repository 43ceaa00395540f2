import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject, toStorableText } from "../../../kernel/json.js"
import { readTime } from "../read-query.js"

const MEASURES = new Set([
  "duration",
  "active_seconds",
  "inactive_seconds",
  "click_count",
  "keypress_count",
  "mouse_activity_count",
  "console_log_count",
  "console_warn_count",
  "console_error_count",
  "activity_score",
])
const OPERATORS: ReadonlySet<Json | undefined> = new Set(["gt", "gte", "lt", "lte"])
const WHOLE_DAY = /^\d{4}-\d{2}-\d{2}$/

interface MeasureCondition {
  readonly measure: string
  readonly comparison: string
  readonly value: number
}

const invalid = (attr: string, detail: string): AppError => new AppError("invalid_input", { attr, detail })

/**
 * Reads the conditions of a recordings list (`management.md` 4.1). Every parameter is JSON where it can be, else text.
 * @throws AppError invalid_input or invalid_choice naming the parameter, also for a condition that cannot be met here.
 */
export function readRecordingFilter(query: URLSearchParams, receivedAtMs: number) {
  const read = (name: string): Json => decode(query.get(name))
  const list = (name: string): Json[] => toList(read(name), name)
  const predicates = [
    ...list("having_predicates").map((item) => ["having_predicates", "recording", item] as const),
    ...list("console_log_filters").map((item) => ["console_log_filters", "log_entry", item] as const),
    ...list("properties").map((item) => ["properties", typeOf(item), item] as const),
  ]
  if (list("actions").length > 0) throw unsupported("actions")
  return {
    from: toTime(read("date_from"), "date_from", receivedAtMs),
    to: toTime(endOfDay(read("date_to")), "date_to", receivedAtMs),
    sessionIds: toTexts(read("session_ids"), "session_ids"),
    distinctIds: toTexts(read("distinct_ids"), "distinct_ids"),
    personUuid: toText(read("person_uuid"), "person_uuid"),
    events: someOrNone(list("events").map(toEventName)),
    having: someOrNone(
      predicates.flatMap(([name, type, item]) => (type === "recording" ? [toMeasure(item, name)] : [])),
    ),
    ...toConsoleConditions(predicates.flatMap(([name, type, item]) => (type === "log_entry" ? [[name, item]] : []))),
    matchAny: toMatchAny(read("operand")),
  }

  function typeOf(item: Json): string {
    const type = isJsonObject(item) ? item.type : null
    if (type === "recording" || type === "log_entry") return type
    throw unsupported("properties")
  }
}

/** `order` and `order_direction`; descending unless told otherwise. @throws AppError invalid_choice naming the parameter. */
export function readRecordingOrder(query: URLSearchParams): { orderBy?: string; descending: boolean } {
  const order = decode(query.get("order"))
  const direction = decode(query.get("order_direction"))
  if (direction !== null && direction !== "ASC" && direction !== "DESC")
    throw new AppError("invalid_choice", { attr: "order_direction", detail: "Write ASC or DESC." })
  const descending = direction !== "ASC"
  if (order === null) return { descending }
  const field = order === "recording_duration" ? "duration" : order
  if (typeof field === "string" && (field === "start_time" || MEASURES.has(field)))
    return { orderBy: field.toUpperCase(), descending }
  const detail = `Order by one of: start_time, recording_duration, ${[...MEASURES].join(", ")}.`
  throw new AppError("invalid_choice", { attr: "order", detail })
}

const unsupported = (attr: string): AppError => invalid(attr, `Conditions of this kind are not supported in ${attr}.`)

function decode(text: string | null): Json {
  if (text === null || text === "") return null
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function toList(value: Json, name: string): Json[] {
  if (value === null) return []
  if (Array.isArray(value)) return value
  throw invalid(name, "Write a JSON array.")
}

const someOrNone = <Item>(items: readonly Item[]): readonly Item[] | undefined =>
  items.length === 0 ? undefined : items

function toText(value: Json, name: string): string | undefined {
  if (value === null) return undefined
  if (typeof value === "string" || typeof value === "number") return toStorableText(String(value))
  throw invalid(name, "Not a valid string.")
}

function toTexts(value: Json, name: string): string[] | undefined {
  if (value === null) return undefined
  return toList(value, name).map((item) => {
    if (typeof item === "string") return toStorableText(item)
    throw invalid(name, "Write a JSON array of texts.")
  })
}

function toTime(value: Json, name: string, receivedAtMs: number): string | undefined {
  const text = toText(value, name)
  return text === undefined ? undefined : readTime(new URLSearchParams({ [name]: text }), name, receivedAtMs)
}

/** A day as an upper end means all of it. */
const endOfDay = (value: Json): Json =>
  typeof value === "string" && WHOLE_DAY.test(value) ? `${value}T23:59:59.999Z` : value

function toEventName(item: Json): string {
  const { id, name = null, properties = null }: JsonObject = isJsonObject(item) ? item : {}
  if (Array.isArray(properties) && properties.length > 0) throw unsupported("events")
  const event = typeof id === "string" ? id : name
  if (typeof event === "string") return toStorableText(event)
  throw invalid("events", "Each event needs an id, which is its name.")
}

function toMeasure(item: Json, name: string): MeasureCondition {
  const { key, operator = "exact", value }: JsonObject = isJsonObject(item) ? item : {}
  const comparison = operator === "exact" ? "eq" : operator
  const number = Number(Array.isArray(value) ? value[0] : value)
  if (typeof key !== "string" || !MEASURES.has(key))
    throw invalid(name, `key must be one of: ${[...MEASURES].join(", ")}.`)
  if (typeof comparison !== "string" || (comparison !== "eq" && !OPERATORS.has(comparison)))
    throw invalid(name, "operator must be one of: exact, gt, gte, lt, lte.")
  if (value === null || !Number.isFinite(number)) throw invalid(name, "value must be a number.")
  return { measure: key.toUpperCase(), comparison: comparison.toUpperCase(), value: number }
}

function toConsoleConditions(items: readonly (readonly [string, Json])[]) {
  const conditions: { consoleLevels?: string[]; consoleSearch?: string } = {}
  for (const [name, item] of items) {
    const { key, operator = "exact", value = null }: JsonObject = isJsonObject(item) ? item : {}
    const texts = toTexts(Array.isArray(value) || value === null ? value : [value], name) ?? []
    if (key === "level" && operator === "exact") conditions.consoleLevels = texts
    else if (key === "message" && (operator === "icontains" || operator === "exact") && texts.length === 1)
      conditions.consoleSearch = texts[0]
    else throw invalid(name, "Write a level with exact, or one message with icontains.")
  }
  return conditions
}

function toMatchAny(operand: Json): boolean | undefined {
  if (operand === null) return undefined
  if (operand === "AND" || operand === "OR") return operand === "OR"
  throw new AppError("invalid_choice", { attr: "operand", detail: "Write AND or OR." })
}
