import type { JsonObject } from "../../../kernel/json.js"
import { defineRoutes } from "../define-route.js"
import { PROJECT, WHOLE_PROJECT } from "../resources/project.js"
import type { RestRoute } from "../rest-route.types.js"

const { list, route } = defineRoutes({
  path: "/api/projects",
  scope: "project",
  source: "docs/contract/management.md#projects",
})

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
    alsoAt: ["/api/environments/:project_id"],
    operation: `{ project { ${WHOLE_PROJECT.selection} settings } }`,
    variables: ({ params }) => ({ id: params.project_id }),
    reply: ({ project }: { project: JsonObject & { settings: JsonObject } }) => ({
      status: 200,
      body: { ...project.settings, ...WHOLE_PROJECT.show(project) },
    }),
    summary: "Get a project with its settings.",
    responseSchema: WHOLE_PROJECT.schema,
  }),
]
