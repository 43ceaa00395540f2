import type { JsonObject } from "../../../kernel/json.js"
import { defineList, defineRoute, toOperation } from "../define-route.js"
import { PROJECT, WHOLE_PROJECT } from "../resources/project.js"
import type { RestRoute } from "../rest-route.types.js"

const SCOPE = "project:read"
const SOURCE = "docs/contract/management.md#projects"

/** Where the number of a project is found; the path that every other one begins with. */
export const projectRoutes: readonly RestRoute[] = [
  defineList({
    id: "projects_list",
    path: "/api/projects",
    alsoAt: ["/api/environments"],
    scope: SCOPE,
    field: "projects",
    resource: PROJECT,
    summary: "List the caller's projects.",
    source: SOURCE,
  }),
  defineRoute({
    id: "projects_retrieve",
    method: "GET",
    path: "/api/projects/:project_id",
    alsoAt: ["/api/environments/:project_id"],
    scope: SCOPE,
    operation: toOperation("query", "project", { id: "ID!" }, `${WHOLE_PROJECT.selection} settings`),
    variables: ({ params }) => ({ id: params.project_id }),
    reply: ({ project }: { project: JsonObject & { settings: JsonObject } }) => ({
      status: 200,
      body: { ...project.settings, ...WHOLE_PROJECT.show(project) },
    }),
    doc: { summary: "Get a project with its settings.", source: SOURCE, responseSchema: WHOLE_PROJECT.schema },
  }),
]
