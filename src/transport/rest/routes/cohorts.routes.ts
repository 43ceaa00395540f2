import { AppError } from "../../../kernel/errors.js"
import { INTEGER, objectOf, TEXT } from "../../../kernel/json-schema.js"
import { defineGuarded, defineRoute } from "../define-route.js"
import { toEnvelope } from "../paging-links.js"
import { readInteger, readText, readWindow } from "../read-query.js"
import type { RestRoute } from "../rest-route.types.js"
import { envelopeOf, PAGING_PARAMETERS } from "../schemas.js"
import {
  COHORT,
  COHORT_CSV,
  COHORT_FIELDS,
  type CohortData,
  MEMBERS,
  toCohortInput,
  toMembers,
  toNewCohort,
  toWireCohort,
  WRITABLE_COHORT,
} from "./cohort.wire.js"

const LIST = "/api/environments/:project_id/cohorts"
const ONE = `${LIST}/:id`
const READ = "cohort:read"
const WRITE = "cohort:write"
const SOURCE = "issue C, management of cohorts"

/** @throws AppError not_found for a text that cannot be the number of a cohort. */
function idOf({ id = "" }: Readonly<Record<string, string>>): number {
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

const membersRow = (id: string, path: string, mutation: string, summary: string): RestRoute =>
  defineRoute({
    id,
    method: "POST",
    path: `${ONE}/${path}`,
    scope: WRITE,
    body: "json-or-csv",
    operation: `mutation ($projectId: ID!, $id: Int!, $distinctIds: [String!]!) {
      count: ${mutation}(projectId: $projectId, id: $id, distinctIds: $distinctIds) }`,
    variables: (request) => ({
      projectId: request.params.project_id,
      id: idOf(request.params),
      distinctIds: toMembers(request),
    }),
    reply: ({ count }: { count: number }) => ({ status: 200, body: { count } }),
    statuses: [200],
    doc: { summary, source: SOURCE, requestSchema: MEMBERS, responseSchema: objectOf({ count: INTEGER }) },
  })

/** Management of cohorts and of the members of static ones. */
export const cohortRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "cohorts_list",
    method: "GET",
    path: LIST,
    scope: READ,
    body: "none",
    operation: `query ($projectId: ID!, $first: Int, $offset: Int, $search: String, $isStatic: Boolean, $author: Int) {
      page: cohorts(projectId: $projectId, first: $first, offset: $offset, search: $search, isStatic: $isStatic,
        createdById: $author) { totalCount nodes { ${COHORT_FIELDS} } } }`,
    variables: ({ params, query }) => ({
      projectId: params.project_id,
      ...readWindow(query).variables,
      search: readText(query, "search"),
      isStatic: readType(query),
      author: readInteger(query, "created_by_id"),
    }),
    reply: ({ page }: { page: { totalCount: number; nodes: CohortData[] } }, request) => ({
      status: 200,
      body: toEnvelope(request, readWindow(request.query), page.totalCount, page.nodes.map(toWireCohort)),
    }),
    statuses: [200],
    doc: {
      summary: "List the cohorts that are not deleted.",
      source: SOURCE,
      query: [
        ...PAGING_PARAMETERS,
        { name: "search", description: "Part of the name, any case.", schema: TEXT },
        { name: "type", description: "static or dynamic.", schema: TEXT },
        { name: "created_by_id", description: "Number of the user who created them.", schema: INTEGER },
      ],
      responseSchema: envelopeOf(COHORT),
    },
  }),
  defineRoute({
    id: "cohorts_create",
    method: "POST",
    path: LIST,
    scope: WRITE,
    body: "json-or-form",
    operation: `mutation ($projectId: ID!, $input: CohortInput!, $isStatic: Boolean!) {
      cohort: createCohort(projectId: $projectId, input: $input, isStatic: $isStatic) { ${COHORT_FIELDS} } }`,
    variables: (request) => ({ projectId: request.params.project_id, ...toNewCohort(request) }),
    reply: ({ cohort }: { cohort: CohortData }) => ({ status: 201, body: toWireCohort(cohort) }),
    statuses: [201],
    doc: {
      summary:
        "Create a cohort: described by `filters`, or with `is_static` one whose members are listed, in a file `csv` of a form as well.",
      source: SOURCE,
      requestSchema: objectOf({ ...WRITABLE_COHORT, ...COHORT_CSV, is_static: { type: "boolean" } }, ["name"]),
      responseSchema: COHORT,
    },
  }),
  defineRoute({
    id: "cohorts_retrieve",
    method: "GET",
    path: ONE,
    scope: READ,
    body: "none",
    operation: `query ($projectId: ID!, $id: Int!) {
      cohort: cohort(projectId: $projectId, id: $id) { ${COHORT_FIELDS} } }`,
    variables: ({ params }) => ({ projectId: params.project_id, id: idOf(params) }),
    reply: ({ cohort }: { cohort: CohortData }) => ({ status: 200, body: toWireCohort(cohort) }),
    statuses: [200],
    doc: { summary: "Get a cohort.", source: SOURCE, responseSchema: COHORT },
  }),
  defineRoute({
    id: "cohorts_update",
    method: "PATCH",
    path: ONE,
    scope: WRITE,
    body: "json-or-form",
    operation: `mutation ($projectId: ID!, $id: Int!, $input: CohortInput!) {
      cohort: updateCohort(projectId: $projectId, id: $id, input: $input) { ${COHORT_FIELDS} } }`,
    variables: (request) => ({
      projectId: request.params.project_id,
      id: idOf(request.params),
      input: toCohortInput(request),
    }),
    reply: ({ cohort }: { cohort: CohortData }) => ({ status: 200, body: toWireCohort(cohort) }),
    statuses: [200],
    doc: {
      summary: "Change a cohort; `deleted` true deletes it softly, false restores it.",
      source: SOURCE,
      requestSchema: objectOf({ ...WRITABLE_COHORT, ...COHORT_CSV }),
      responseSchema: COHORT,
    },
  }),
  defineGuarded({
    id: "cohorts_destroy",
    method: "DELETE",
    path: ONE,
    scope: WRITE,
    reply: () => ({ status: 405 }),
    statuses: [405],
    doc: { summary: "Refused: cohorts are deleted softly, by PATCH with `deleted` true.", source: SOURCE },
  }),
  membersRow("cohorts_members_add", "members", "addCohortMembers", "Add persons to a static cohort."),
  membersRow("cohorts_members_remove", "members/remove", "removeCohortMembers", "Remove persons from a static cohort."),
]
