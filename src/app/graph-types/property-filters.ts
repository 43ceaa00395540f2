import { GraphQLBoolean, GraphQLInt, GraphQLNonNull, type GraphQLObjectType, GraphQLString } from "graphql"
import { type PropertyFilterInput, toProperties } from "../../features/queries/index.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { TypedPlace, TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { makeBehaviour, showBehaviour } from "./behaviours.js"
import { isObject, makeEnum, makeList, makeObject } from "./make-types.js"

const FILTER_TYPE = makeEnum("PropertyFilterType", "What a filter is about.", {
  EVENT: "A property of the event.",
  PERSON: "A property of the person.",
  PERSON_METADATA: "When the person was created.",
  GROUP: "A property of a group.",
  SESSION: "A property of the session.",
  ELEMENT: "The element that was clicked.",
  EVENT_METADATA: "A column of events.",
  COHORT: "A cohort of the person.",
  FLAG: "The value of a flag.",
  RECORDING: "The recording of the session.",
  HOGQL: "A HogQL expression, its key.",
  BEHAVIORAL: "What the person did; only in cohorts.",
})
const KNOWN_TYPES: ReadonlySet<Json> = new Set(FILTER_TYPE.getValues().map(({ value }): Json => value))

/** A stored filter as GraphQL shows it. */
interface ShownFilter {
  readonly type: Json
  readonly key: string | null
  readonly operator: Json
  readonly value: Json
  readonly groupTypeIndex: number | null
  readonly isNegated: boolean
  readonly behaviour: object | null
  readonly all: ShownFilter[] | null
  readonly any: ShownFilter[] | null
}

/** Makes the type of stored property filters; `operators` are the words that its enum has. */
export function makePropertyFilter(find: TypeFinder): GraphQLObjectType {
  const filter: GraphQLObjectType = makeObject("PropertyFilter", "A stored condition, or several.", () => ({
    type: { type: FILTER_TYPE, description: "What it is about; null for several and for kinds that are not known." },
    key: { type: GraphQLString, description: "Name of the property; null for several." },
    operator: {
      type: find.output("PropertyOperator"),
      description: "How it is compared; null where that is not said, for several, and for ways that are not known.",
    },
    value: { type: find.output("JSON"), description: "What it is compared with." },
    groupTypeIndex: { type: GraphQLInt, description: "Index of the group type." },
    isNegated: { type: new GraphQLNonNull(GraphQLBoolean), description: "Whether the opposite is meant, in cohorts." },
    behaviour: { type: behaviour, description: "What the person did, for BEHAVIORAL." },
    all: { type: makeList(filter), description: "Several that must all hold; null for one." },
    any: { type: makeList(filter), description: "Several of which one is enough; null for one." },
  }))
  const behaviour = makeBehaviour(filter)
  return filter
}

/** Makes what shows a stored filter; null for what is none. */
export function createFilterPresenter(find: TypeFinder): (filter: Json) => ShownFilter | null {
  const known = listWords(find)
  const show = (filter: Json): ShownFilter | null => {
    if (!isObject(filter)) return null
    if (Array.isArray(filter.values)) {
      const own = filter.values.flatMap((one) => show(one) ?? [])
      return { ...NOTHING, all: filter.type === "OR" ? null : own, any: filter.type === "OR" ? own : null }
    }
    const { type = "event", key = null, operator = null, value = null, group_type_index: group } = filter
    return {
      ...NOTHING,
      type: KNOWN_TYPES.has(type) ? type : null,
      key: key === null ? null : String(key),
      operator: known.has(operator) ? operator : null,
      value,
      groupTypeIndex: typeof group === "number" ? group : null,
      isNegated: filter.negation === true,
      behaviour: showBehaviour(filter, show),
    }
  }
  return show
}

const NOTHING: ShownFilter = {
  type: null,
  key: null,
  operator: null,
  value: null,
  groupTypeIndex: null,
  isNegated: false,
  behaviour: null,
  all: null,
  any: null,
}

/** The words of operators that the graph has. */
const listWords = (find: TypeFinder): ReadonlySet<Json> =>
  new Set(
    find
      .enum("PropertyOperator")
      .getValues()
      .map(({ value }): Json => value),
  )

/** A list of the graph's filters as REST writes them; the graph has checked their form. */
export const readFilters = (filters: unknown): JsonObject[] =>
  (Array.isArray(filters) && toProperties(filters.filter(isFilter))) || []

const isFilter = (value: unknown): value is PropertyFilterInput => isObject(value)

/** Places that take property filters as queries do. */
export function listFilterPlaces(find: TypeFinder): Readonly<Record<string, TypedPlace>> {
  const filters: TypedPlace = {
    type: makeList(find.input("PropertyFilterInput")),
    description: "What must hold for them.",
    read: readFilters,
  }
  return {
    "Query.eventActors.properties": filters,
    "Query.exportEventActors.properties": filters,
    "SessionRecordingEventCondition.properties": { ...filters, description: "What must hold for that event." },
    "SessionRecordingFilter.properties": filters,
  }
}
