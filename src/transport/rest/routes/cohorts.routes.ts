import { AppError } from "../../../kernel/errors.js"
import { BOOLEAN, INTEGER, TEXT, TEXT_LIST, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineBody, flag, textList } from "../body-fields.js"
import { defineItem, defineList, defineRoute, defineSoftDelete, toOperation } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import { readInteger, readText } from "../read-query.js"
import { COHORT, csvOfIds } from "../resources/cohort.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"

const LIST = "/api/environments/:project_id/cohorts"
const ONE = `${LIST}/:id`
const READ = "cohort:read"
const WRITE = "cohort:write"
const SOURCE = "docs/contract/flags.md#cohort-management"
/** A form may bring the members along. */
const CSV = defineBody({ csv: { schema: TEXT, as: "distinctIds", read: csvOfIds } })
const KIND = defineBody({ is_static: { schema: BOOLEAN, read: flag } })
const MEMBERS = defineBody({
  distinct_ids: { schema: TEXT_LIST, read: textList },
  csv: { schema: TEXT, as: "ofCsv", read: csvOfIds },
})
const WRITABLE = { ...COHORT.input.properties, ...CSV.properties }

/** @throws AppError not_found for a text that cannot be the number of a cohort. */
function readId({ id = "" }: Readonly<Record<string, string>>): number {
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

/** The writable fields of a body, JSON or a form with a file `csv` of members. @throws AppError naming the field. */
const toInput = ({ body }: RestRequest) => ({ ...COHORT.input.read(body), ...CSV.read(body) })

/** Distinct ids of a body: a list under `distinct_ids`, CSV under `csv`, or both. @throws AppError naming the field. */
function readMembers({ body }: RestRequest): string[] {
  const { distinctIds = [], ofCsv = [] } = MEMBERS.read(body)
  return distinctIds.concat(ofCsv)
}

const membersRow = (id: string, path: string, mutation: string, summary: string): RestRoute =>
  defineRoute({
    id,
    method: "POST",
    path: `${ONE}/${path}`,
    scope: WRITE,
    body: "json-or-csv",
    operation: toOperation(
      "mutation",
      `count: ${mutation}`,
      { projectId: "ID!", id: "Int!", distinctIds: "[String!]!" },
      "",
    ),
    variables: (request) => ({ id: readId(request.params), distinctIds: readMembers(request) }),
    reply: ({ count }: { count: number }) => ({ status: 200, body: { count } }),
    doc: {
      summary,
      source: SOURCE,
      requestSchema: MEMBERS.schema,
      responseSchema: toObjectSchema({ count: INTEGER }),
    },
  })

/** Management of cohorts and of the members of static ones. */
export const cohortRoutes: readonly RestRoute[] = [
  defineList({
    id: "cohorts_list",
    path: LIST,
    scope: READ,
    field: "cohorts",
    args: { projectId: "ID!", search: "String", isStatic: "Boolean", createdById: "Int" },
    resource: COHORT,
    variables: FILTERS.read,
    summary: "List the cohorts that are not deleted.",
    source: SOURCE,
    query: FILTERS.docs,
  }),
  defineItem({
    id: "cohorts_create",
    method: "POST",
    path: LIST,
    scope: WRITE,
    body: "json-or-form",
    status: 201,
    field: "createCohort",
    args: { projectId: "ID!", input: "CohortInput!", isStatic: "Boolean!" },
    resource: COHORT,
    variables: (request) => {
      const { isStatic = false } = KIND.read(request.body)
      return { isStatic, input: toInput(request) }
    },
    doc: {
      summary:
        "Create a cohort: described by `filters`, or with `is_static` one whose members are listed, in a file `csv` of a form as well.",
      source: SOURCE,
      requestSchema: toObjectSchema({ ...WRITABLE, ...KIND.properties }, ["name"]),
    },
  }),
  defineItem({
    id: "cohorts_retrieve",
    method: "GET",
    path: ONE,
    scope: READ,
    field: "cohort",
    args: { projectId: "ID!", id: "Int!" },
    resource: COHORT,
    variables: ({ params }) => ({ id: readId(params) }),
    doc: { summary: "Get a cohort.", source: SOURCE },
  }),
  defineItem({
    id: "cohorts_update",
    method: "PATCH",
    path: ONE,
    scope: WRITE,
    body: "json-or-form",
    field: "updateCohort",
    args: { projectId: "ID!", id: "Int!", input: "CohortInput!" },
    resource: COHORT,
    variables: (request) => ({ id: readId(request.params), input: toInput(request) }),
    doc: {
      summary: "Change a cohort; `deleted` true deletes it softly, false restores it.",
      source: SOURCE,
      requestSchema: toObjectSchema(WRITABLE),
    },
  }),
  defineSoftDelete({ id: "cohorts_destroy", path: ONE, scope: WRITE, what: "cohorts", source: SOURCE }),
  membersRow("cohorts_members_add", "members", "addCohortMembers", "Add persons to a static cohort."),
  membersRow("cohorts_members_remove", "members/remove", "removeCohortMembers", "Remove persons from a static cohort."),
]
