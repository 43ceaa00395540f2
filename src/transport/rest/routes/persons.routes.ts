import { defineUnbuilt } from "../define-route.js"
import type { QueryParameterDoc, RestRoute } from "../rest-route.types.js"

const PERSONS = "/api/environments/:project_id/persons"
const SCOPE = "person:read"
const SOURCE = "interface.md, Persons"
const FORMAT: QueryParameterDoc = {
  name: "format",
  description: "Form of the answer.",
  schema: { type: "string", enum: ["csv", "json"], default: "json" },
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
  defineUnbuilt({
    id: "persons_values_retrieve",
    method: "GET",
    path: `${PERSONS}/values`,
    scope: SCOPE,
    doc: { summary: "Export the values of a person property.", source: SOURCE, query: [FORMAT] },
  }),
]
