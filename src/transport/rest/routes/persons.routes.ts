import { AppError } from "../../../kernel/errors.js"
import type { Json } from "../../../kernel/json.js"
import { toCsv } from "../csv.js"
import { defineRoute, defineUnbuilt } from "../define-route.js"
import { readText } from "../read-query.js"
import type { QueryParameterDoc, RestRequest, RestRoute } from "../rest-route.types.js"
import { ANY_JSON, INTEGER, objectOf, TEXT } from "../schemas.js"

const PERSONS = "/api/environments/:project_id/persons"
const SCOPE = "person:read"
const SOURCE = "interface.md, Persons"
const FORMAT: QueryParameterDoc = {
  name: "format",
  description: "Form of the answer; `Accept: text/csv` asks for CSV too.",
  schema: { type: "string", enum: ["csv", "json"], default: "json" },
}

/** @throws AppError not_found for a format there is none of (`reference/management.md` section 5). */
function readFormat({ query, headers }: RestRequest): "csv" | "json" {
  const wanted = readText(query, "format") ?? (headers.accept?.includes("text/csv") ? "csv" : "json")
  if (wanted === "csv" || wanted === "json") return wanted
  throw new AppError("not_found", { attr: "format", detail: "There is no such format. Use csv or json." })
}

/** Properties of which there are no values to list: none named, and those that are worked out when asked for. */
const hasNoValues = (key: string | undefined): boolean => key === undefined || key.startsWith("$virt")

interface ValuesData {
  readonly values: readonly { readonly value: Json; readonly personCount: number }[]
}

/** Rows of `interface.md`, "Persons". */
export const personRoutes: readonly RestRoute[] = [
  defineUnbuilt({
    id: "persons_trends_retrieve",
    method: "GET",
    path: `${PERSONS}/trends`,
    scope: SCOPE,
    doc: { summary: "Export the persons behind a trend.", source: SOURCE, query: [FORMAT] },
  }),
  defineRoute({
    id: "persons_values_retrieve",
    method: "GET",
    path: `${PERSONS}/values`,
    scope: SCOPE,
    body: "none",
    operation: `query ($projectId: ID!, $property: String!, $containing: String) {
      values: personPropertyValues(projectId: $projectId, property: $property, containing: $containing) {
        value personCount } }`,
    variables: (request) => {
      readFormat(request)
      const { params, query } = request
      const property = readText(query, "key") ?? ""
      return { projectId: params.project_id, property, containing: readText(query, "value") }
    },
    reply: ({ values }: ValuesData, request) => {
      const shown = hasNoValues(readText(request.query, "key")) ? [] : values
      if (readFormat(request) === "json")
        return { status: 200, body: shown.map(({ value, personCount }) => ({ name: value, count: personCount })) }
      const rows = shown.map(({ value, personCount }) => [value, personCount])
      return {
        status: 200,
        headers: { "Content-Type": "text/csv; charset=utf-8" },
        body: toCsv(["name", "count"], rows),
      }
    },
    statuses: [200],
    doc: {
      summary: "Export the most frequent values of a person property.",
      source: SOURCE,
      query: [
        FORMAT,
        { name: "key", description: "Name of the property.", schema: TEXT },
        { name: "value", description: "Only values that contain this, any case.", schema: TEXT },
      ],
      responseSchema: { type: "array", items: objectOf({ name: ANY_JSON, count: INTEGER }) },
    },
  }),
]
