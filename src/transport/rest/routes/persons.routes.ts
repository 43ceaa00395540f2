import { AppError } from "../../../kernel/errors.js"
import { ANY_JSON, BOOLEAN, INTEGER, toObjectSchema } from "../../../kernel/json-schema.js"
import { toCsv } from "../csv.js"
import { defineRoutes } from "../define-route.js"
import { toFlatCsv } from "../flat-csv.js"
import { pagingLinks } from "../paging-links.js"
import { defineQuery, joinQueries, PAGING } from "../query-parameters.js"
import { csvReply, FORMAT, readFormat } from "../read-format.js"
import { readFlag, readText, readWindow } from "../read-query.js"
import { LISTED_PERSON, PERSON } from "../resources/person.js"
import type { RestRoute } from "../rest-route.types.js"
import { PERSONS } from "./collections.js"
import { readPersonId, readPropertyFilters } from "./person-query.js"

/** Properties of which there are no values to list: none named, and those that are worked out when asked for. */
const hasNoValues = (key: string | undefined): boolean => key === undefined || key.startsWith("$virt")

const VALUES = defineQuery({
  key: { description: "Name of the property.", as: "property", read: (query) => readText(query, "key") ?? "" },
  value: { description: "Only values that contain this, any case.", as: "containing" },
})
const FILTERS = defineQuery(
  {
    email: { description: "Whole e-mail address, any case." },
    distinct_id: { description: "Whole distinct id." },
    search: { description: "Part of a name, e-mail address or distinct id, any case." },
    properties: {
      description:
        "JSON list of conditions with key, value and operator, or groups of them: {type: AND or OR, values}.",
      as: "propertyGroup",
      read: readPropertyFilters,
    },
  },
  "filter",
)
const COUNT = defineQuery({
  include_total: { description: "Whether to answer `count` too.", schema: BOOLEAN, read: readFlag },
})

const { route } = defineRoutes(PERSONS)

/** Rows that read persons: `docs/contract/management.md#persons`, and those beside them that clients call. */
export const personRoutes: readonly RestRoute[] = [
  route({
    id: "persons_values_retrieve",
    on: "GET /values",
    query: joinQueries(FORMAT, VALUES),
    operation: "{ values: personPropertyValues { value personCount } }",
    reply: ({ values }, request) => {
      const shown = hasNoValues(readText(request.query, "key")) ? [] : values
      if (readFormat(request) === "json")
        return { status: 200, body: shown.map(({ value, personCount }) => ({ name: value, count: personCount })) }
      const rows = shown.map(({ value, personCount }) => [value, personCount])
      return csvReply(toCsv(["name", "count"], rows))
    },
    summary: "Export the most frequent values of a person property.",
    source: "docs/contract/management.md#person-values",
    responseSchema: { type: "array", items: toObjectSchema({ name: ANY_JSON, count: INTEGER }) },
    faults: [504],
    alsoAs: ["text/csv"],
  }),
  route({
    id: "persons_list",
    on: "GET",
    query: joinQueries(PAGING, FORMAT, FILTERS, COUNT),
    operation: `query ($csv: Boolean!) {
      page: persons @skip(if: $csv) { totalCount nodes { ${LISTED_PERSON.selection} } }
      exported: exportPersons @include(if: $csv) { ${LISTED_PERSON.selection} } }`,
    reply: ({ page, exported }, request) => {
      if (page === undefined) return csvReply(toFlatCsv((exported ?? []).map(LISTED_PERSON.show)))
      const links = pagingLinks(request, readWindow(request.query), page.totalCount, page.nodes.length || undefined)
      const count = readFlag(request.query, "include_total") ? { count: page.totalCount } : {}
      return { status: 200, body: { ...links, ...count, results: page.nodes.map(LISTED_PERSON.show) } }
    },
    summary: "List persons, newest first. As CSV the newest 10,000, not paged.",
    responseSchema: toObjectSchema(
      {
        next: { type: ["string", "null"], format: "uri" },
        previous: { type: ["string", "null"], format: "uri" },
        count: INTEGER,
        results: { type: "array", items: PERSON.schema },
      },
      ["next", "previous", "results"],
    ),
    faults: [504],
    alsoAs: ["text/csv"],
  }),
  route({
    id: "persons_retrieve",
    on: "GET /:id",
    operation: `{ person { ${PERSON.selection} } }`,
    variables: ({ params }) => ({ id: readPersonId(params.id) }),
    reply: ({ person }) => {
      if (person === null) throw new AppError("not_found")
      return { status: 200, body: PERSON.show(person) }
    },
    summary: "Get a person by UUID, or by its number in recordings.",
    responseSchema: PERSON.schema,
  }),
]
