import { defineItem, defineList } from "../define-route.js"
import { WHOLE_ORGANIZATION } from "../resources/organization.js"
import type { RestRoute } from "../rest-route.types.js"

const SCOPE = "organization:read"
const SOURCE = "docs/contract/management.md#addresses"

/** The organizations of the caller. */
export const organizationRoutes: readonly RestRoute[] = [
  defineList({
    id: "organizations_list",
    path: "/api/organizations",
    scope: SCOPE,
    field: "organizations",
    resource: WHOLE_ORGANIZATION,
    summary: "List the caller's organizations with their projects.",
    source: SOURCE,
  }),
  defineItem({
    id: "organizations_retrieve",
    method: "GET",
    path: "/api/organizations/:organization_id",
    scope: SCOPE,
    field: "organization",
    args: { id: "ID!" },
    resource: WHOLE_ORGANIZATION,
    variables: ({ params }) => ({ id: params.organization_id }),
    doc: { summary: "Get one of the caller's organizations, by its UUID or as `@current`.", source: SOURCE },
  }),
]
