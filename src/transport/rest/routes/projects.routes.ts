import { INTEGER, objectOf, TIME } from "../../../kernel/json-schema.js"
import { defineRoute } from "../define-route.js"
import { toEnvelope } from "../paging-links.js"
import { readWindow } from "../read-query.js"
import type { RestRoute } from "../rest-route.types.js"
import { envelopeOf, PAGING_PARAMETERS } from "../schemas.js"
import { PROJECT, PROJECT_FIELDS, type ProjectData, toWireProject } from "./project.wire.js"

const SCOPE = "project:read"
const SOURCE = "interface.md, Endpoints; reference/management.md 1.5"

/** Where the number of a project is found; the path that every other one begins with. */
export const projectRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "projects_list",
    method: "GET",
    path: "/api/projects",
    alsoAt: ["/api/environments"],
    scope: SCOPE,
    body: "none",
    operation: `query ($first: Int, $offset: Int) {
      page: projects(first: $first, offset: $offset) { totalCount nodes { ${PROJECT_FIELDS} } } }`,
    variables: ({ query }) => readWindow(query).variables,
    reply: ({ page }: { page: { totalCount: number; nodes: ProjectData[] } }, request) => ({
      status: 200,
      body: toEnvelope(request, readWindow(request.query), page.totalCount, page.nodes.map(toWireProject)),
    }),
    statuses: [200],
    doc: {
      summary: "List the caller's projects.",
      source: SOURCE,
      query: PAGING_PARAMETERS,
      responseSchema: envelopeOf(PROJECT),
    },
  }),
  defineRoute({
    id: "projects_retrieve",
    method: "GET",
    path: "/api/projects/:project_id",
    alsoAt: ["/api/environments/:project_id"],
    scope: SCOPE,
    body: "none",
    operation: `query ($id: ID!) { project(id: $id) { ${PROJECT_FIELDS} } }`,
    variables: ({ params }) => ({ id: params.project_id }),
    reply: ({ project }: { project: ProjectData }) => ({
      status: 200,
      body: {
        ...project.settings,
        ...toWireProject(project),
        created_at: project.createdAt,
        week_start_day: project.weekStartDay,
      },
    }),
    statuses: [200],
    doc: {
      summary: "Get a project with its settings.",
      source: SOURCE,
      responseSchema: objectOf({ ...PROJECT.properties, created_at: TIME, week_start_day: INTEGER }),
    },
  }),
]
