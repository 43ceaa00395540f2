import { GraphQLInputObjectType, GraphQLNonNull, type GraphQLObjectType, GraphQLString } from "graphql"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { TypedPlace, TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { isObject, makeEnum, makeList, makeObject } from "./make-types.js"
import { createFilterPresenter, readFilters } from "./property-filters.js"

const MATCHING = makeEnum("TextMatching", "How a text is compared.", {
  EXACT: "It is the same.",
  CONTAINS: "It is part of the other.",
  REGEX: "It is a regular expression that fits the other.",
})
const URL_MATCHING = { type: MATCHING, description: "How the address is compared; CONTAINS when absent." }
const MATCHINGS = {
  textMatching: { type: MATCHING, description: "How the text is compared; any case, as a whole, when absent." },
  hrefMatching: { type: MATCHING, description: "How the address of the link is compared; as a whole when absent." },
} as const
const TEXTS = {
  event: { type: GraphQLString, description: "Name of the event." },
  url: { type: GraphQLString, description: "Address of the page." },
  selector: { type: GraphQLString, description: "CSS selector of the element that was clicked." },
  tagName: { type: GraphQLString, description: "Tag of the element." },
  text: { type: GraphQLString, description: "Text of the element." },
  href: { type: GraphQLString, description: "Address that the element leads to." },
} as const
const NAMES = {
  event: "event",
  url: "url",
  urlMatching: "url_matching",
  selector: "selector",
  tagName: "tag_name",
  text: "text",
  textMatching: "text_matching",
  href: "href",
  hrefMatching: "href_matching",
} as const

/** Steps of actions: every field of a stored one is known. */
export function listStepPlaces(find: TypeFinder, filter: GraphQLObjectType): Readonly<Record<string, TypedPlace>> {
  const step = makeObject("ActionStep", "Which events an action is of: all that is said must fit.", () => ({
    ...TEXTS,
    urlMatching: URL_MATCHING,
    ...MATCHINGS,
    properties: { type: new GraphQLNonNull(makeList(filter)), description: "What else must hold." },
  }))
  const input = new GraphQLInputObjectType({
    name: "ActionStepInput",
    description: "Which events an action is of: all that is given must fit.",
    fields: () => ({
      ...TEXTS,
      urlMatching: URL_MATCHING,
      ...MATCHINGS,
      properties: { type: makeList(find.input("PropertyFilterInput")), description: "What else must hold." },
    }),
  })
  const show = createFilterPresenter(find)
  return {
    "Action.steps": {
      type: makeList(step),
      description: "Descriptions of events, of which one must fit.",
      show: (steps) => toList(steps).map((one) => ({ ...rename(one), properties: toList(one.properties).map(show) })),
    },
    "ActionInput.steps": {
      type: makeList(input),
      description: "Descriptions of events, at most 50, of which one must fit.",
      read: (steps) => (Array.isArray(steps) ? steps.map(readStep) : steps),
    },
  }
}

const toList = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

const rename = (step: JsonObject): Record<string, Json> =>
  Object.fromEntries(Object.entries(NAMES).map(([name, stored]) => [name, step[stored] ?? null]))

function readStep({ properties, ...step }: Record<string, Json>): JsonObject {
  const given = Object.entries(NAMES).flatMap(([name, stored]) => {
    const value = step[name]
    return value == null ? [] : [[stored, value] as const]
  })
  return { ...Object.fromEntries(given), ...(properties != null && { properties: readFilters(properties) }) }
}
