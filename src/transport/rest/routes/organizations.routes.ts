import { objectOf } from "../../../kernel/json-schema.js"
import { defineRoute } from "../define-route.js"
import { toEnvelope } from "../paging-links.js"
import { readWindow } from "../read-query.js"
import type { RestRoute } from "../rest-route.types.js"
import { envelopeOf, PAGING_PARAMETERS } from "../schemas.js"
import { ORGANIZATION, ORGANIZATION_FIELDS, type OrganizationData, toWireOrganization } from "./organization.wire.js"
import { PROJECT, PROJECT_FIELDS, type ProjectData, toWireProject } from "./project.wire.js"

const SCOPE = "organization:read"
const SOURCE = "reference/management.md 1.2, 1.4"
const FIELDS = `${ORGANIZATION_FIELDS} projects { ${PROJECT_FIELDS} }`

interface WholeOrganizationData extends OrganizationData {
  readonly projects: readonly ProjectData[]
}

/** `teams` is what clients call the projects. */
const toWireWhole = (organization: WholeOrganizationData) => {
  const projects = organization.projects.map(toWireProject)
  return { ...toWireOrganization(organization), teams: projects, projects }
}

const PROJECTS = { type: "array", items: PROJECT }
const WHOLE = objectOf({ ...ORGANIZATION.properties, teams: PROJECTS, projects: PROJECTS })

/** The organizations of the caller. */
export const organizationRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "organizations_list",
    method: "GET",
    path: "/api/organizations",
    scope: SCOPE,
    body: "none",
    operation: `query ($first: Int, $offset: Int) {
      page: organizations(first: $first, offset: $offset) { totalCount nodes { ${FIELDS} } } }`,
    variables: ({ query }) => readWindow(query).variables,
    reply: ({ page }: { page: { totalCount: number; nodes: WholeOrganizationData[] } }, request) => ({
      status: 200,
      body: toEnvelope(request, readWindow(request.query), page.totalCount, page.nodes.map(toWireWhole)),
    }),
    statuses: [200],
    doc: {
      summary: "List the caller's organizations with their projects.",
      source: SOURCE,
      query: PAGING_PARAMETERS,
      responseSchema: envelopeOf(WHOLE),
    },
  }),
  defineRoute({
    id: "organizations_retrieve",
    method: "GET",
    path: "/api/organizations/:organization_id",
    scope: SCOPE,
    body: "none",
    operation: `query ($id: ID!) { organization(id: $id) { ${FIELDS} } }`,
    variables: ({ params }) => ({ id: params.organization_id }),
    reply: ({ organization }: { organization: WholeOrganizationData }) => ({
      status: 200,
      body: toWireWhole(organization),
    }),
    statuses: [200],
    doc: {
      summary: "Get one of the caller's organizations, by its UUID or as `@current`.",
      source: SOURCE,
      responseSchema: WHOLE,
    },
  }),
]
