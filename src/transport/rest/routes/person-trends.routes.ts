import { AppError } from "../../../kernel/errors.js"
import type { JsonObject } from "../../../kernel/json.js"
import { ANY_OBJECT, BOOLEAN, INTEGER, TIME, toObjectSchema } from "../../../kernel/json-schema.js"
import { type DataOf, defineRoutes } from "../define-route.js"
import { toFlatCsv } from "../flat-csv.js"
import { pagingLinks } from "../paging-links.js"
import { defineQuery, joinQueries, PAGING } from "../query-parameters.js"
import { csvReply, FORMAT, readFormat } from "../read-format.js"
import { readJson, readText, readTime, readWindow } from "../read-query.js"
import { LISTED_PERSON } from "../resources/person.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { PERSONS } from "./collections.js"
import { readTrendEntity } from "./trend-entity.js"

/** Without an entity nothing is counted; asking for nobody keeps the checks of key, project and scope. */
const NOBODY = "00000000-0000-0000-0000-000000000000"
const ACTOR_FIELDS = `eventCount person { ${LISTED_PERSON.selection} }`

type Actor = NonNullable<DataOf<"persons_trends_retrieve">["exported"]>[number]

const DAY_MS = 86_400_000

/** The days up to the end of the range, for entities that count who was active in them. */
function toDateRange({ query, receivedAtMs }: RestRequest, activeDays: number | null) {
  const [dateFrom, dateTo] = [readText(query, "date_from"), readText(query, "date_to")]
  if (activeDays === null) return { dateFrom, dateTo }
  const endIso = readTime(query, "date_to", receivedAtMs)
  const endMs = endIso === undefined ? receivedAtMs : Date.parse(endIso)
  return { dateFrom: new Date(endMs - activeDays * DAY_MS).toISOString(), dateTo }
}

function toVariables(request: RestRequest) {
  const { query } = request
  const entity = readTrendEntity(query)
  const more = readJson(query, "properties") ?? []
  if (!Array.isArray(more))
    throw new AppError("invalid_input", { attr: "properties", detail: "Write a list of conditions." })
  const isCsv = readFormat(request) === "csv"
  return {
    nobody: NOBODY,
    event: entity?.event ?? null,
    properties: [...(entity?.properties ?? []), ...more],
    ...toDateRange(request, entity?.activeDays ?? null),
    ...readWindow(query).variables,
    page: entity !== null && !isCsv,
    csv: entity !== null && isCsv,
  }
}

const toActor = ({ person }: Actor): JsonObject[] =>
  person === null ? [] : [{ type: "person", ...LISTED_PERSON.show(person) }]

const RANGE_AND_ENTITY = defineQuery({
  entity_id: { description: "Name of the events, or number of an action." },
  entity_type: { description: "`events` or `actions`." },
  entity_math: {
    description: "How the trend counts: `weekly_active` and `monthly_active` ask for the days up to date_to.",
  },
  entity_math_property: { description: "Property of a sum, average or the like." },
  breakdown: { description: "Property, with breakdown_value: only events with that value." },
  breakdown_type: { description: "`event`, `person`, `group` or `cohort`." },
  breakdown_value: { description: "Value of the breakdown, or number of a cohort." },
  events: { description: "Instead: JSON list of entities with id, type, properties." },
  actions: { description: "The same of actions." },
  date_from: { description: "ISO 8601, or relative; `-7d` when absent." },
  date_to: { description: "ISO 8601, or relative; now when absent." },
  properties: { description: "JSON list of property filters on the events." },
})

const { route } = defineRoutes({ ...PERSONS, source: "docs/contract/management.md#person-trends" })

/** The row of persons behind a trend. */
export const personTrendRoutes: readonly RestRoute[] = [
  route({
    id: "persons_trends_retrieve",
    on: "GET /trends",
    query: joinQueries(PAGING, FORMAT, RANGE_AND_ENTITY),
    operation: `query ($projectId: ID!, $nobody: ID!, $page: Boolean!, $csv: Boolean!) {
      person(projectId: $projectId, id: $nobody) { id }
      page: eventActors @include(if: $page) { totalCount nodes { ${ACTOR_FIELDS} } }
      exported: exportEventActors @include(if: $csv) { ${ACTOR_FIELDS} } }`,
    variables: toVariables,
    reply: ({ page, exported }, request) => {
      if (readFormat(request) === "csv") return csvReply(toFlatCsv((exported ?? []).flatMap(toActor)))
      const nodes = page?.nodes ?? []
      const people = nodes.flatMap(toActor)
      const window = readWindow(request.query)
      const first = new URLSearchParams(request.query)
      first.delete("offset")
      return {
        status: 200,
        body: {
          results: [{ people, count: people.length }],
          next: pagingLinks(request, window, page?.totalCount ?? 0).next,
          initial: `${request.baseUrl}${request.path}${first.size > 0 ? `?${first}` : ""}`,
          missing_persons: nodes.length - people.length,
          is_cached: false,
          last_refresh: new Date(request.receivedAtMs).toISOString(),
        },
      }
    },
    summary: "Export the persons behind a trend, those with more events first. As CSV at most 10,000, not paged.",
    responseSchema: toObjectSchema({
      results: {
        type: "array",
        items: toObjectSchema({ people: { type: "array", items: ANY_OBJECT }, count: INTEGER }),
      },
      next: { type: ["string", "null"], format: "uri" },
      initial: { type: "string", format: "uri" },
      missing_persons: INTEGER,
      is_cached: BOOLEAN,
      last_refresh: TIME,
    }),
    alsoAs: ["text/csv"],
    faults: [504],
  }),
]
