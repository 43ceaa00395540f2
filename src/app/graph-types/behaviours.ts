import {
  type GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from "graphql"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { isObject, makeEnum, makeList, makeObject } from "./make-types.js"

const KIND = makeEnum("BehaviourKind", "What a person did with an event.", {
  PERFORMED: ["performed_event", "Performed it in the time."],
  PERFORMED_TIMES: ["performed_event_multiple", "Performed it so often in the time, `times`."],
  PERFORMED_FIRST: ["performed_event_first_time", "Performed it for the first time ever in the time."],
  PERFORMED_BEFORE: ["performed_event_sequence", "Performed it, and `followedBy` not later than `recent` after."],
  PERFORMED_REGULARLY: ["performed_event_regularly", "Performed it `times` in each of some periods before today."],
  STOPPED: ["stopped_performing_event", "Performed it `within` a time, and not in the `recent` part of that."],
  RESTARTED: ["restarted_performing_event", "Performed it long ago, then not, and again in the `recent` time."],
})
const UNIT = makeEnum("BehaviourTimeUnit", "What a time is counted in.", {
  MINUTE: "Minutes.",
  HOUR: "Hours.",
  DAY: "Days, of which the first one counts as a whole.",
  WEEK: "Weeks.",
  MONTH: "Months.",
  YEAR: "Years.",
})
const COMPARISON = makeEnum("CountComparison", "How a count is compared.", {
  EXACT: "Just so often.",
  GTE: "At least so often.",
  GT: "More often.",
  LTE: "At most so often, but once.",
  LT: "Less often, but once.",
})
const SPAN = {
  count: { type: new GraphQLNonNull(GraphQLInt), description: "How many." },
  unit: { type: new GraphQLNonNull(UNIT), description: "Of what." },
}
const EVENT = {
  event: { type: GraphQLString, description: "Name of the event." },
  action: { type: GraphQLInt, description: "Number of the action that the event is of." },
}
const listFields = <Type extends GraphQLInputType | GraphQLOutputType>(event: Type, span: Type, filters: Type) => ({
  followedBy: { type: event, description: "The event that follows." },
  filters: { type: filters, description: "What must hold for the event, of two for the first one." },
  within: { type: span, description: "Since when it counts, and how long a period is." },
  recent: { type: span, description: "The last part of the time, or how much later the event that follows may come." },
  from: { type: GraphQLString, description: "Since when it counts, a date or a distance such as `-30d`." },
  to: { type: GraphQLString, description: "To the end of which day, likewise; counts with `from`." },
  comparison: { type: COMPARISON, description: "How `times` is compared; EXACT when absent." },
  times: { type: GraphQLInt, description: "How often, from 1." },
  minPeriods: { type: GraphQLInt, description: "In how many periods at least." },
  totalPeriods: { type: GraphQLInt, description: "Of how many periods, up to 100." },
})

/** Makes the type of what a person did, as it is stored in a cohort; `filter` is that of stored property filters. */
export function makeBehaviour(filter: GraphQLObjectType): GraphQLObjectType {
  const event = makeObject("PerformedEvent", "An event, by its name or by an action.", () => EVENT)
  const span = makeObject("BehaviourTime", "A length of time.", () => SPAN)
  return makeObject("Behaviour", "What a person did with an event.", () => ({
    kind: { type: KIND, description: "What was done; null for what is not known." },
    of: { type: event, description: "The event." },
    ...listFields<GraphQLOutputType>(event, span, new GraphQLNonNull(makeList(filter))),
  }))
}

/** Makes the input for the same; `filter` is that of property filters. */
export function makeBehaviourInput(filter: ReturnType<TypeFinder["input"]>): GraphQLInputObjectType {
  const event = new GraphQLInputObjectType({
    name: "PerformedEventInput",
    description: "An event, by its name or by an action. Exactly one of these.",
    isOneOf: true,
    fields: EVENT,
  })
  const span = new GraphQLInputObjectType({
    name: "BehaviourTimeInput",
    description: "A length of time.",
    fields: SPAN,
  })
  return new GraphQLInputObjectType({
    name: "BehaviourInput",
    description: "What a person did with an event.",
    fields: () => ({
      kind: { type: new GraphQLNonNull(KIND), description: "What was done." },
      of: { type: new GraphQLNonNull(event), description: "The event." },
      ...listFields<GraphQLInputType>(event, span, makeList(filter)),
    }),
  })
}

/** A stored leaf of a cohort as the graph shows it; null for one that is about something else. */
export function showBehaviour(leaf: JsonObject, show: (filter: Json) => object | null): object | null {
  if (leaf.type !== "behavioral") return null
  const { event_filters: filters, operator } = leaf
  return {
    kind: toWord(KIND, leaf.value),
    of: showEvent(leaf.event_type, leaf.key),
    followedBy: showEvent(leaf.seq_event_type, leaf.seq_event),
    filters: Array.isArray(filters) ? filters.flatMap((filter) => show(filter) ?? []) : [],
    within: showTime(leaf.time_value, leaf.time_interval),
    recent: showTime(leaf.seq_time_value, leaf.seq_time_interval),
    from: leaf.explicit_datetime ?? null,
    to: leaf.explicit_datetime_to ?? null,
    comparison: toWord(COMPARISON, operator === "eq" ? "exact" : operator),
    times: toCount(leaf.operator_value),
    minPeriods: toCount(leaf.min_periods),
    totalPeriods: toCount(leaf.total_periods),
  }
}

/** The same as it is stored; `readFilters` reads property filters of the graph. */
export function readBehaviour(given: JsonObject, readFilters: (filters: unknown) => JsonObject[]): JsonObject {
  const { kind = null, of = null, followedBy, filters, within, recent, from, to, comparison, times } = given
  const stored: Record<string, Json | undefined> = {
    type: "behavioral",
    value: kind,
    ...readEvent(of, "key", "event_type"),
    ...(isObject(followedBy) && readEvent(followedBy, "seq_event", "seq_event_type")),
    ...(isObject(within) && { time_value: within.count, time_interval: within.unit }),
    ...(isObject(recent) && { seq_time_value: recent.count, seq_time_interval: recent.unit }),
    ...(filters != null && { event_filters: readFilters(filters) }),
    explicit_datetime: from,
    explicit_datetime_to: to,
    operator: comparison,
    operator_value: times,
    min_periods: given.minPeriods,
    total_periods: given.totalPeriods,
  }
  return Object.fromEntries(Object.entries(stored).flatMap(([name, value]) => (value == null ? [] : [[name, value]])))
}

const readEvent = (event: Json, key: string, type: string): JsonObject => {
  const { event: name, action } = isObject(event) ? event : {}
  return action == null ? { [key]: name ?? null, [type]: "events" } : { [key]: action, [type]: "actions" }
}

function showEvent(type: Json | undefined, key: Json | undefined): object | null {
  if (key == null) return null
  return type === "actions" ? { event: null, action: toCount(key) } : { event: String(key), action: null }
}

function showTime(value: Json | undefined, interval: Json | undefined): object | null {
  const [count, unit] = [toCount(value), toWord(UNIT, interval)]
  return count === null || unit === null ? null : { count, unit }
}

/** A word that the enum has; null for any other. */
const toWord = (type: GraphQLEnumType, word: Json | undefined): Json =>
  type.getValues().some(({ value }) => value === word) ? (word ?? null) : null

/** Whole numbers may be stored as text. */
const toCount = (value: Json | undefined): number | null =>
  value != null && /^\d{1,9}$/.test(String(value)) ? Number(value) : null
