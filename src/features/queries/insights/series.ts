import {
  type ActionDefinition,
  type Expression,
  type HogqlScope,
  nodes,
  parseExpression,
} from "../../../hogql/index.js"
import { filterCondition, joinWithAnd } from "./property-conditions.js"
import type { QueryReader } from "./query-reader.js"

const { arithmetic, call, compare, constant, field } = nodes

const MAX_MULTIPLIER = 1e15

const PER_ACTOR = ["avg", "min", "max", "median", "p75", "p90", "p95", "p99"]
const AGGREGATES = ["sum", ...PER_ACTOR]
/** Ways of counting the events of a series (`math`). */
const MATHS: readonly string[] = [
  "total",
  "dau",
  "weekly_active",
  "monthly_active",
  "unique_session",
  "first_time_for_user",
  "first_matching_event_for_user",
  "first_time_for_user_with_filters",
  "unique_group",
  "hogql",
  ...AGGREGATES,
  ...PER_ACTOR.map((name) => `${name}_count_per_actor`),
]

/** Ways of counting that are about actors: persons, or the groups of `math_group_type_index`. */
const OF_ACTORS: readonly string[] = [
  "dau",
  "weekly_active",
  "monthly_active",
  "unique_group",
  ...PER_ACTOR.map((name) => `${name}_count_per_actor`),
]

/** One series of an insight: which events, and what of them is counted. */
export interface Series {
  readonly order: number
  /** Null is every event, or those of the action. */
  readonly event: string | null
  /** Number of the action whose events these are; null for events by their name. */
  readonly actionId: number | null
  readonly name: string
  readonly customName: string | null
  readonly math: string
  readonly condition: Expression
  /** Only the event's name or the action, without the filters of the series. */
  readonly eventCondition: Expression
  /** What an aggregate of values is taken of; null for counts. */
  readonly value: Expression | null
  /** Whether that value is one of the session, and each session has it once, however many events it has. */
  readonly isPerSession: boolean
  /** What distinct counts are of. */
  readonly actor: Expression
  /** Whether actors are groups, which not every event is of. */
  readonly countsGroups: boolean
  /** The aggregate of `math: "hogql"`. */
  readonly formula: Expression | null
}

/** @throws AppError parse_error naming the field, HogqlError for filters and expressions that cannot be read. */
export function readSeries(reader: QueryReader, order: number, scope: HogqlScope): Series {
  const kind = reader.requiredText("kind")
  if (kind !== "EventsNode" && kind !== "ActionsNode")
    throw reader.fault("kind", "must be EventsNode or ActionsNode: other series cannot be counted")
  const action = kind === "ActionsNode" ? readAction(reader, "id", scope) : null
  const event = action === null ? reader.text("event") || null : null
  const math = reader.choice("math", MATHS, "total")
  const named = event === null ? constant(true) : compare("==", field(["event"]), constant(event))
  const eventCondition = action === null ? named : matchesAction(action.id)
  const filters = [filterCondition(reader.value("properties")), filterCondition(reader.value("fixedProperties"))]
  const group = readGroupIndex(reader, math)
  const hogql = math === "hogql" ? reader.requiredText("math_hogql") : null
  return {
    order,
    event,
    actionId: action?.id ?? null,
    name: reader.text("name") ?? action?.name ?? event ?? "All events",
    customName: reader.text("custom_name"),
    math,
    eventCondition,
    condition: event === null && action === null ? joinWithAnd(filters) : joinWithAnd([eventCondition, ...filters]),
    value: readValue(reader, math),
    isPerSession: AGGREGATES.includes(math) && reader.text("math_property") === "$session_duration",
    actor: group !== null ? groupKey(group) : field([math === "unique_session" ? "$session_id" : "person_id"]),
    countsGroups: group !== null,
    formula: hogql === null ? null : parseExpression(hogql),
  }
}

/**
 * The action that a field names by its number (`docs/contract/queries.md#actions`).
 * @throws AppError parse_error.
 */
export function readAction(reader: QueryReader, name: string, scope: HogqlScope): ActionDefinition {
  const written = reader.value(name)
  const id = typeof written === "number" || typeof written === "string" ? Number(written) : Number.NaN
  const action = scope.actions?.get(id)
  if (action === undefined) throw reader.fault(name, "must be the number of an action of the project")
  return action
}

/** Whether an event is one of the action. */
export const matchesAction = (id: number): Expression => call("matchesAction", [constant(id)])

/** `math_property` as a number, times `math_multiplier`; null where something else is counted. */
function readValue(reader: QueryReader, math: string): Expression | null {
  const multiplier = reader.number("math_multiplier", { min: -MAX_MULTIPLIER, max: MAX_MULTIPLIER }) ?? 1
  if (AGGREGATES.includes(math)) {
    const value = readProperty(reader)
    return multiplier === 1 ? value : arithmetic("*", value, constant(multiplier))
  }
  if (multiplier !== 1) throw reader.fault("math_multiplier", `has no effect on math ${math}: it is of math_property`)
  return null
}

function readProperty(reader: QueryReader): Expression {
  const name = reader.requiredText("math_property")
  const types = ["event_properties", "person_properties", "session_properties"] as const
  const isSession = name === "$session_duration"
  const type = reader.choice("math_property_type", types, isSession ? "session_properties" : "event_properties")
  if (type === "session_properties") return call("toFloat", [field(["session", name])])
  return call("toFloat", [field(type === "person_properties" ? ["person", "properties", name] : ["properties", name])])
}

/**
 * Who is counted: persons, or groups of the type that `aggregation_group_type_index` names.
 * @throws AppError parse_error.
 */
export function readActor(reader: QueryReader) {
  const group = reader.integer("aggregation_group_type_index", { min: 0, max: 4 })
  return {
    actor: group === null ? field(["person_id"]) : groupKey(group),
    bornAt: field([group === null ? "person" : `group_${group}`, "created_at"]),
    /** Every event has a person, but not every event is of a group. */
    isPerson: group === null,
  }
}

/** The type of groups that are counted; null for persons. */
function readGroupIndex(reader: QueryReader, math: string): number | null {
  const index = reader.integer("math_group_type_index", { min: 0, max: 4 })
  if (index !== null && !OF_ACTORS.includes(math))
    throw reader.fault("math_group_type_index", `has no effect on math ${math}: only counts of actors can be of groups`)
  return index ?? (math === "unique_group" ? 0 : null)
}

/** The group of an event, null for events without one. */
const groupKey = (index: number): Expression => call("nullIf", [field([`$group_${index}`]), constant("")])

/** What an answer says of the series it belongs to. */
export const describeSeries = ({ order, event, actionId, name, customName, math }: Series) => ({
  order,
  ...(actionId === null
    ? { type: "events", id: event, name: event ?? "All events" }
    : { type: "actions", id: actionId, name }),
  custom_name: customName ?? (actionId !== null || name === event ? null : name),
  math,
})
