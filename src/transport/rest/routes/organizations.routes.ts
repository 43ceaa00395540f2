import { defineRoutes } from "../define-route.js"
import { WHOLE_ORGANIZATION } from "../resources/organization.js"
import type { RestRoute } from "../rest-route.types.js"

const { list, item } = defineRoutes({
  path: "/api/organizations",
  scope: "organization",
  source: "docs/contract/management.md#addresses",
})

/** The organizations of the caller. */
export const organizationRoutes: readonly RestRoute[] = [
  list({
    id: "organizations_list",
    on: "GET",
    field: "organizations",
    resource: WHOLE_ORGANIZATION,
    summary: "List the caller's organizations with their projects.",
  }),
  item({
    id: "organizations_retrieve",
    on: "GET /:organization_id",
    field: "organization",
    resource: WHOLE_ORGANIZATION,
    variables: ({ params }) => ({ id: params.organization_id }),
    summary: "Get one of the caller's organizations, by its UUID or as `@current`.",
  }),
]
