import { isJsonObject } from "../../../kernel/json.js"
import { BOOLEAN, INTEGER, NUMBER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { anyJson, defineBody, flag, integer, text } from "../body-fields.js"
import { type DataOf, defineRoutes } from "../define-route.js"
import { PROJECT, WHOLE_PROJECT } from "../resources/project.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"

const { list, route } = defineRoutes({
  path: "/api/projects",
  scope: "project",
  source: "docs/contract/management.md#projects",
})

const PATH_RULES = {
  type: ["array", "null"],
  maxItems: 50,
  items: toObjectSchema({ regex: TEXT, alias: TEXT, order: NUMBER }, ["regex"]),
}
const CHANGES = defineBody({
  name: { schema: TEXT, read: text },
  timezone: { schema: TEXT, read: text },
  week_start_day: { schema: INTEGER, read: integer },
  anonymize_ips: { schema: BOOLEAN, read: flag },
  path_cleaning_filters: { schema: PATH_RULES, read: anyJson },
})

/** The fields of a project, and those that are settings here. */
function readChanges({ params, body }: RestRequest): object {
  const { anonymizeIps, pathCleaningFilters, ...fields } = CHANGES.read(body)
  const settings = {
    ...(anonymizeIps !== undefined && { anonymize_ips: anonymizeIps }),
    ...(pathCleaningFilters !== undefined && { path_cleaning_filters: pathCleaningFilters }),
  }
  return { projectId: params.project_id, ...fields, ...(Object.keys(settings).length > 0 && { settings }) }
}

/** What answers a project by itself. */
const WHOLE = {
  alsoAt: ["/api/environments/:project_id"],
  reply: ({ project }: DataOf<"projects_retrieve">) => ({
    status: 200,
    body: {
      anonymize_ips: false,
      path_cleaning_filters: [],
      ...(isJsonObject(project.settings) && project.settings),
      ...WHOLE_PROJECT.show(project),
    },
  }),
  responseSchema: WHOLE_PROJECT.schema,
}

/** Where the number of a project is found; the path that every other one begins with. */
export const projectRoutes: readonly RestRoute[] = [
  list({
    id: "projects_list",
    on: "GET",
    alsoAt: ["/api/environments"],
    field: "projects",
    resource: PROJECT,
    summary: "List the caller's projects.",
  }),
  route({
    id: "projects_retrieve",
    on: "GET /:project_id",
    operation: `{ project { ${WHOLE_PROJECT.selection} settings } }`,
    variables: ({ params }) => ({ id: params.project_id }),
    summary: "Get a project with its settings.",
    ...WHOLE,
  }),
  route({
    id: "projects_partial_update",
    on: "PATCH /:project_id",
    body: CHANGES,
    operation: `mutation { project: updateProject { ${WHOLE_PROJECT.selection} settings } }`,
    variables: readChanges,
    summary: "Change a project; for admins and owners.",
    ...WHOLE,
  }),
]
