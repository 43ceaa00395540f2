import { AppError } from "../../../kernel/errors.js"
import { BOOLEAN, INTEGER, TEXT, TEXT_LIST, toObjectSchema } from "../../../kernel/json-schema.js"
import { asInput, defineBody, flag, textList } from "../body-fields.js"
import { type DataOf, defineRoutes } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import { readInteger, readText } from "../read-query.js"
import { COHORT, csvOfIds } from "../resources/cohort.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"

/** A form may bring the members along. */
const INPUT = asInput(COHORT.input, defineBody({ csv: { schema: TEXT, as: "distinctIds", read: csvOfIds } }))
const KIND = defineBody({ is_static: { schema: BOOLEAN, read: flag } })
const MEMBERS = defineBody({
  distinct_ids: { schema: TEXT_LIST, read: textList },
  csv: { schema: TEXT, as: "ofCsv", read: csvOfIds },
})

/** @throws AppError not_found for a text that cannot be the number of a cohort. */
function readId({ params: { id = "" } }: RestRequest): number {
  if (/^\d{1,9}$/.test(id)) return Number(id)
  throw new AppError("not_found")
}

/** @throws AppError invalid_choice. */
function readType(query: URLSearchParams): boolean | undefined {
  const type = readText(query, "type")
  if (type === undefined || type === "static" || type === "dynamic")
    return type === undefined ? undefined : type === "static"
  throw new AppError("invalid_choice", { attr: "type", detail: "type must be static or dynamic." })
}

const FILTERS = defineQuery({
  search: { description: "Part of the name, any case." },
  type: { description: "static or dynamic.", as: "isStatic", read: readType },
  created_by_id: { description: "Number of the user who created them.", schema: INTEGER, read: readInteger },
})

/** Distinct ids of a body: a list under `distinct_ids`, CSV under `csv`, or both. @throws AppError naming the field. */
function readMembers({ body }: RestRequest): string[] {
  const { distinctIds = [], ofCsv = [] } = MEMBERS.read(body)
  return distinctIds.concat(ofCsv)
}

const { list, item, route, softDelete } = defineRoutes({
  path: "/api/environments/:project_id/cohorts",
  scope: "cohort",
  source: "docs/contract/cohorts.md#cohort-management",
})

/** What adds and removes members. */
const MEMBERS_ROW = {
  body: MEMBERS,
  takes: "json-or-csv",
  variables: (request: RestRequest) => ({ id: readId(request), distinctIds: readMembers(request) }),
  reply: ({ count }: DataOf<"cohorts_members_add">) => ({ status: 200, body: { count } }),
  responseSchema: toObjectSchema({ count: INTEGER }),
} as const

/** Management of cohorts and of the members of static ones. */
export const cohortRoutes: readonly RestRoute[] = [
  list({
    id: "cohorts_list",
    on: "GET",
    field: "cohorts",
    resource: COHORT,
    query: FILTERS,
    summary: "List the cohorts that are not deleted.",
  }),
  item({
    id: "cohorts_create",
    on: "POST",
    body: INPUT,
    takes: "json-or-form",
    statuses: [201],
    field: "createCohort",
    resource: COHORT,
    variables: ({ body }) => ({ isStatic: false, ...KIND.read(body), ...INPUT.read(body) }),
    summary:
      "Create a cohort: described by `filters`, or with `is_static` one whose members are listed, in a file `csv` of a form as well.",
    requestSchema: toObjectSchema({ ...INPUT.properties, ...KIND.properties }, ["name"]),
  }),
  item({
    id: "cohorts_retrieve",
    on: "GET /:id",
    field: "cohort",
    resource: COHORT,
    variables: (request) => ({ id: readId(request) }),
    summary: "Get a cohort.",
  }),
  item({
    id: "cohorts_update",
    on: "PATCH /:id",
    body: INPUT,
    takes: "json-or-form",
    field: "updateCohort",
    resource: COHORT,
    variables: (request) => ({ id: readId(request), ...INPUT.read(request.body) }),
    summary: "Change a cohort; `deleted` true deletes it softly, false restores it.",
  }),
  softDelete("cohorts_destroy", "DELETE /:id", "cohorts"),
  route({
    ...MEMBERS_ROW,
    id: "cohorts_members_add",
    on: "POST /:id/members",
    operation: "mutation { count: addCohortMembers }",
    summary: "Add persons to a static cohort.",
  }),
  route({
    ...MEMBERS_ROW,
    id: "cohorts_members_remove",
    on: "POST /:id/members/remove",
    operation: "mutation { count: removeCohortMembers }",
    summary: "Remove persons from a static cohort.",
  }),
]
