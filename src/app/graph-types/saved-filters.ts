import { GraphQLBoolean, GraphQLInputObjectType, GraphQLNonNull, type GraphQLObjectType, GraphQLString } from "graphql"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { TypedPlace, TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { makeBehaviourInput, readBehaviour } from "./behaviours.js"
import { isObject, makeList, makeObject } from "./make-types.js"
import { createFilterPresenter, readFilters } from "./property-filters.js"

/** Filters of cohorts and of playlists: their known form, and all of them as REST has it. */
export function listSavedFilterPlaces(find: TypeFinder, filter: GraphQLObjectType): Record<string, TypedPlace> {
  return { ...listCohortPlaces(find, filter), ...listPlaylistPlaces(find, filter) }
}

function listCohortPlaces(find: TypeFinder, filter: GraphQLObjectType): Record<string, TypedPlace> {
  const show = createFilterPresenter(find)
  const filters = makeObject("CohortFilters", "Who belongs to a cohort.", () => ({
    condition: { type: filter, description: "What must hold; null where that cannot be read." },
    raw: { type: new GraphQLNonNull(find.output("JSON")), description: "All of it, as REST has it." },
  }))
  const condition = makeMemberCondition(find)
  const input = new GraphQLInputObjectType({
    name: "CohortFiltersInput",
    description: "Who belongs to a cohort. Exactly one of these.",
    isOneOf: true,
    fields: () => ({
      all: { type: makeList(condition), description: "All of these hold." },
      any: { type: makeList(condition), description: "One of these holds." },
      raw: { type: find.input("JSON"), description: "The filters as REST has them." },
    }),
  })
  return {
    "Cohort.filters": {
      type: filters,
      description: "Who belongs to it; null for one whose members are listed.",
      show: (raw) => ({ condition: show(toObject(raw).properties ?? null), raw }),
    },
    "CohortInput.filters": {
      type: input,
      description: "Who belongs to it; only for a cohort that is not static.",
      read: readCohortFilters,
    },
    "Query.cohortSize.filters": {
      type: input,
      description: "Conditions as a cohort has them.",
      read: readCohortFilters,
    },
  }
}

function makeMemberCondition(find: TypeFinder): GraphQLInputObjectType {
  const input: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: "CohortMemberConditionInput",
    description: "What must hold for a person of a cohort. Exactly one of these.",
    isOneOf: true,
    fields: () => {
      const behaviour = makeBehaviourInput(find.input("PropertyFilterInput"))
      return {
        person: { type: find.input("PropertyConditionInput"), description: "A property of the person." },
        cohort: { type: find.input("CohortConditionInput"), description: "Another cohort." },
        did: { type: behaviour, description: "What the person did." },
        didNot: { type: behaviour, description: "What the person did not do." },
        all: { type: makeList(input), description: "All of these." },
        any: { type: makeList(input), description: "Any of these." },
      }
    },
  })
  return input
}

function readCohortFilters(given: unknown): Json {
  const { all, any, raw } = Object(given)
  return raw === undefined ? { properties: readGroup(all, any) } : raw
}

const readGroup = (all: unknown, any: unknown): JsonObject => {
  const given = any ?? all
  const values = Array.isArray(given) ? given.filter(isObject).flatMap(readMemberCondition) : []
  return { type: any == null ? "AND" : "OR", values }
}

function readMemberCondition(condition: JsonObject): JsonObject[] {
  const { did, didNot, all, any } = condition
  if (isObject(did)) return [readBehaviour(did, readFilters)]
  if (isObject(didNot)) return [{ ...readBehaviour(didNot, readFilters), negation: true }]
  return all == null && any == null ? readFilters([condition]) : [readGroup(all, any)]
}

const RANGE = {
  dateFrom: { type: GraphQLString, description: "A time, or a distance such as `-7d`." },
  dateTo: { type: GraphQLString, description: "Likewise; now when absent." },
  filterTestAccounts: {
    type: GraphQLBoolean,
    description: "Whether what the project calls test accounts is left out.",
  },
} as const

function listPlaylistPlaces(find: TypeFinder, filter: GraphQLObjectType): Record<string, TypedPlace> {
  const show = createFilterPresenter(find)
  const filters = makeObject("SavedRecordingFilters", "Which recordings a playlist finds.", () => ({
    ...RANGE,
    condition: { type: filter, description: "What must hold; null for nothing, and where that cannot be read." },
    raw: { type: new GraphQLNonNull(find.output("JSON")), description: "All of it, as REST has it." },
  }))
  const input = new GraphQLInputObjectType({
    name: "SavedRecordingFiltersInput",
    description: "Which recordings a playlist finds.",
    fields: () => ({
      ...RANGE,
      properties: {
        type: makeList(find.input("PropertyFilterInput")),
        description: "What must hold for an event of the session.",
      },
      raw: { type: find.input("JSON"), description: "The filters as REST has them, any JSON; the others win over it." },
    }),
  })
  return {
    "SessionRecordingPlaylist.filters": {
      type: filters,
      description: "Saved filters; null when there are none.",
      show: (raw) => {
        const { date_from, date_to, filter_test_accounts, filter_group, properties } = toObject(raw)
        const condition = filter_group ?? (Array.isArray(properties) ? { type: "AND", values: properties } : null)
        return {
          dateFrom: toText(date_from),
          dateTo: toText(date_to),
          filterTestAccounts: filter_test_accounts === true,
          condition: show(condition),
          raw,
        }
      },
    },
    "SessionRecordingPlaylistInput.filters": { type: input, description: "Saved filters.", read: readSavedFilters },
  }
}

/** Filters as REST writes them; `raw` is what the other fields do not say. */
export function readSavedFilters(given: unknown): Json {
  const { dateFrom, dateTo, filterTestAccounts, properties, raw } = Object(given)
  const own: JsonObject = {
    ...(dateFrom != null && { date_from: dateFrom }),
    ...(dateTo != null && { date_to: dateTo }),
    ...(filterTestAccounts != null && { filter_test_accounts: filterTestAccounts }),
    ...(properties != null && { properties: readFilters(properties) }),
  }
  if (Object.keys(own).length === 0) return raw ?? {}
  return { ...toObject(raw), ...own }
}

/** The value itself when it is an object, else an empty one. */
export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {})
/** The value itself when it is a text, else null. */
export const toText = (value: Json | undefined): string | null => (typeof value === "string" ? value : null)
