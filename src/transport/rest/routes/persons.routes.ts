import { AppError } from "../../../kernel/errors.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { ANY_JSON, INTEGER, toObjectSchema } from "../../../kernel/json-schema.js"
import { toCsv } from "../csv.js"
import { defineRoute } from "../define-route.js"
import { toFlatCsv } from "../flat-csv.js"
import { pagingLinks } from "../paging-links.js"
import { defineQuery } from "../query-parameters.js"
import { csvReply, FORMAT_PARAMETER, readFormat } from "../read-format.js"
import { readFlag, readText, readWindow } from "../read-query.js"
import { LISTED_PERSON, PERSON } from "../resources/person.js"
import type { RestRoute } from "../rest-route.types.js"
import { PAGING_PARAMETERS } from "../schemas.js"
import { PERSONS, readPersonId, readPropertyFilters } from "./person-query.js"

const SCOPE = "person:read"
const SOURCE = "docs/contract/management.md#persons"

/** Properties of which there are no values to list: none named, and those that are worked out when asked for. */
const hasNoValues = (key: string | undefined): boolean => key === undefined || key.startsWith("$virt")

interface ValuesData {
  readonly values: readonly { readonly value: Json; readonly personCount: number }[]
}

interface ListData {
  readonly page?: { readonly totalCount: number; readonly nodes: readonly JsonObject[] }
  readonly exported?: readonly JsonObject[]
}

const VALUES_QUERY = defineQuery({
  key: { description: "Name of the property.", as: "property", read: (query) => readText(query, "key") ?? "" },
  value: { description: "Only values that contain this, any case.", as: "containing" },
})
const FILTERS = defineQuery({
  email: { description: "Whole e-mail address, any case." },
  distinct_id: { description: "Whole distinct id." },
  search: { description: "Part of a name, e-mail address or distinct id, any case." },
  properties: {
    description: "JSON list of conditions with key, value and operator, or groups of them: {type: AND or OR, values}.",
    as: "propertyGroup",
    read: readPropertyFilters,
  },
})

/** Rows that read persons: `docs/contract/management.md#persons`, and those beside them that clients call. */
export const personRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "persons_values_retrieve",
    method: "GET",
    path: `${PERSONS}/values`,
    scope: SCOPE,
    operation: `query ($projectId: ID!, $property: String!, $containing: String) {
      values: personPropertyValues(projectId: $projectId, property: $property, containing: $containing) {
        value personCount } }`,
    variables: (request) => {
      readFormat(request)
      return VALUES_QUERY.read(request)
    },
    reply: ({ values }: ValuesData, request) => {
      const shown = hasNoValues(readText(request.query, "key")) ? [] : values
      if (readFormat(request) === "json")
        return { status: 200, body: shown.map(({ value, personCount }) => ({ name: value, count: personCount })) }
      const rows = shown.map(({ value, personCount }) => [value, personCount])
      return csvReply(toCsv(["name", "count"], rows))
    },
    doc: {
      summary: "Export the most frequent values of a person property.",
      source: "docs/contract/management.md#person-values",
      query: [FORMAT_PARAMETER, ...VALUES_QUERY.docs],
      responseSchema: { type: "array", items: toObjectSchema({ name: ANY_JSON, count: INTEGER }) },
      alsoAs: ["text/csv"],
    },
  }),
  defineRoute({
    id: "persons_list",
    method: "GET",
    path: PERSONS,
    scope: SCOPE,
    operation: `query ($projectId: ID!, $filter: PersonFilter!, $first: Int, $offset: Int, $csv: Boolean!) {
      page: persons(projectId: $projectId, filter: $filter, first: $first, offset: $offset) @skip(if: $csv) {
        totalCount nodes { ${LISTED_PERSON.selection} } }
      exported: exportPersons(projectId: $projectId, filter: $filter) @include(if: $csv) { ${LISTED_PERSON.selection} } }`,
    variables: (request) => {
      const { query } = request
      readFlag(query, "include_total")
      return {
        filter: FILTERS.read(request),
        ...readWindow(query).variables,
        csv: readFormat(request) === "csv",
      }
    },
    reply: ({ page, exported }: ListData, request) => {
      if (page === undefined) return csvReply(toFlatCsv((exported ?? []).map(LISTED_PERSON.show)))
      const links = pagingLinks(request, readWindow(request.query), page.totalCount)
      const count = readFlag(request.query, "include_total") ? { count: page.totalCount } : {}
      return { status: 200, body: { ...links, ...count, results: page.nodes.map(LISTED_PERSON.show) } }
    },
    doc: {
      summary: "List persons, newest first. As CSV the newest 10,000, not paged.",
      source: SOURCE,
      query: [
        ...PAGING_PARAMETERS,
        FORMAT_PARAMETER,
        ...FILTERS.docs,
        { name: "include_total", description: "Whether to answer `count` too.", schema: { type: "boolean" } },
      ],
      responseSchema: toObjectSchema(
        {
          next: { type: ["string", "null"], format: "uri" },
          previous: { type: ["string", "null"], format: "uri" },
          count: INTEGER,
          results: { type: "array", items: PERSON.schema },
        },
        ["next", "previous", "results"],
      ),
      alsoAs: ["text/csv"],
    },
  }),
  defineRoute({
    id: "persons_retrieve",
    method: "GET",
    path: `${PERSONS}/:id`,
    scope: SCOPE,
    operation: `query ($projectId: ID!, $id: ID!) { person(projectId: $projectId, id: $id) { ${PERSON.selection} } }`,
    variables: ({ params }) => ({ id: readPersonId(params.id) }),
    reply: ({ person }: { person: JsonObject | null }) => {
      if (person === null) throw new AppError("not_found")
      return { status: 200, body: PERSON.show(person) }
    },
    doc: {
      summary: "Get a person by UUID, or by its number in recordings.",
      source: SOURCE,
      responseSchema: PERSON.schema,
    },
  }),
]
