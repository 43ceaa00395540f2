import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { defineRoute } from "../define-route.js"
import { toFlatCsv } from "../flat-csv.js"
import { pagingLinks } from "../paging-links.js"
import { csvReply, FORMAT_PARAMETER, readFormat } from "../read-format.js"
import { readText, readWindow } from "../read-query.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { ANY_OBJECT, BOOLEAN, INTEGER, objectOf, PAGING_PARAMETERS, TEXT, TIME } from "../schemas.js"
import { PERSON_FIELDS, PERSONS, type PersonData, toWirePerson } from "./person.wire.js"

/** Without an entity nothing is counted; asking for nobody keeps the checks of key, project and scope. */
const NOBODY = "00000000-0000-0000-0000-000000000000"
const ACTOR_FIELDS = `eventCount person { ${PERSON_FIELDS} }`

interface ActorData {
  readonly eventCount: number
  readonly person: PersonData | null
}

interface TrendsData {
  readonly page?: { readonly totalCount: number; readonly nodes: readonly ActorData[] }
  readonly exported?: readonly ActorData[]
}

/** The events whose persons are asked for. A null name means every event. */
interface Entity {
  readonly event: string | null
  readonly properties: Json
}

/** Reads `entity_id` with `entity_type`, or the one of `events` that they name; null when there is none of these. */
function readEntity(query: URLSearchParams): Entity | null {
  const id = readText(query, "entity_id")
  const type = readText(query, "entity_type")
  const events = readJson(query, "events")
  if (events === null && id === undefined && type === undefined) return null
  if (events !== null) {
    if (!Array.isArray(events) || !events.every(isJsonObject)) throw invalid("events", "Write a list of entities.")
    const entity = id === undefined ? events[0] : events.find((one) => one.id === id)
    if (entity !== undefined) return toEntity(entity)
  }
  if (id === undefined || type === undefined)
    throw invalid(null, "An entity id and the entity type must be provided to determine an entity")
  return toEntity({ id, type })
}

function toEntity({ id = null, type = "events", properties = [] }: JsonObject): Entity {
  if (type !== "events") throw invalid("entity_type", 'Only entities of the type "events" can be used here.')
  if (id !== null && typeof id !== "string") throw invalid("entity_id", "The id of an event is its name.")
  return { event: id, properties: Array.isArray(properties) ? properties : [] }
}

function readJson(query: URLSearchParams, name: string): Json {
  const text = readText(query, name)
  if (text === undefined) return null
  try {
    return JSON.parse(text) as Json
  } catch {
    throw invalid(name, "This is not JSON.")
  }
}

const invalid = (attr: string | null, detail: string): AppError => new AppError("invalid_input", { attr, detail })

function toVariables(request: RestRequest) {
  const { params, query } = request
  for (const name of query.keys())
    if (name.startsWith("breakdown")) throw invalid(name, "Persons of a breakdown cannot be asked for here.")
  const entity = readEntity(query)
  const more = readJson(query, "properties") ?? []
  if (!Array.isArray(more)) throw invalid("properties", "Write a list of conditions.")
  const isCsv = readFormat(request) === "csv"
  return {
    projectId: params.project_id,
    nobody: NOBODY,
    event: entity?.event ?? null,
    properties: [...((entity?.properties ?? []) as Json[]), ...more],
    dateFrom: readText(query, "date_from"),
    dateTo: readText(query, "date_to"),
    ...readWindow(query).variables,
    page: entity !== null && !isCsv,
    csv: entity !== null && isCsv,
  }
}

const toActor = ({ person }: ActorData): JsonObject[] =>
  person === null ? [] : [{ type: "person", ...toWirePerson(person) }]

/** The row of persons behind a trend. */
export const personTrendRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "persons_trends_retrieve",
    method: "GET",
    path: `${PERSONS}/trends`,
    scope: "person:read",
    body: "none",
    operation: `query ($projectId: ID!, $nobody: ID!, $event: String, $properties: JSON, $dateFrom: String, $dateTo: String,
        $first: Int, $offset: Int, $page: Boolean!, $csv: Boolean!) {
      person(projectId: $projectId, id: $nobody) { id }
      page: eventActors(projectId: $projectId, event: $event, properties: $properties, dateFrom: $dateFrom,
          dateTo: $dateTo, first: $first, offset: $offset) @include(if: $page) {
        totalCount nodes { ${ACTOR_FIELDS} } }
      exported: exportEventActors(projectId: $projectId, event: $event, properties: $properties, dateFrom: $dateFrom,
          dateTo: $dateTo) @include(if: $csv) { ${ACTOR_FIELDS} } }`,
    variables: toVariables,
    reply: ({ page, exported }: TrendsData, request) => {
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
    statuses: [200],
    doc: {
      summary: "Export the persons behind a trend, those with more events first. As CSV at most 10,000, not paged.",
      source: "interface.md, Persons; reference/management.md section 5",
      query: [
        ...PAGING_PARAMETERS,
        FORMAT_PARAMETER,
        { name: "entity_id", description: "Name of the events.", schema: TEXT },
        { name: "entity_type", description: "`events`.", schema: TEXT },
        { name: "events", description: "Instead: JSON list of entities with id, type, properties.", schema: TEXT },
        { name: "date_from", description: "ISO 8601, or relative; `-7d` when absent.", schema: TEXT },
        { name: "date_to", description: "ISO 8601, or relative; now when absent.", schema: TEXT },
        { name: "properties", description: "JSON list of property filters on the events.", schema: TEXT },
      ],
      responseSchema: objectOf({
        results: { type: "array", items: objectOf({ people: { type: "array", items: ANY_OBJECT }, count: INTEGER }) },
        next: { type: ["string", "null"], format: "uri" },
        initial: { type: "string", format: "uri" },
        missing_persons: INTEGER,
        is_cached: BOOLEAN,
        last_refresh: TIME,
      }),
      alsoAs: ["text/csv"],
      faults: [504],
    },
  }),
]
