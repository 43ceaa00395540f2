import { INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineRoute } from "../define-route.js"
import type { RestRoute } from "../rest-route.types.js"
import { defineActivity } from "./define-activity.js"

const ONE = "/api/environments/:project_id/feature_flags/:id"
const READ = "feature_flag:read"
const SOURCE = "docs/contract/flags.md#flag-management"

interface StatusData {
  readonly flag: { readonly id: number; readonly status: string }
  readonly stale: readonly { readonly flag: { readonly id: number }; readonly reasons: readonly string[] }[]
}

/** A flag that nobody needs any more is STALE, with the reason; any other has its stored status. */
function toStatus({ flag, stale }: StatusData) {
  const reasons = stale.find((one) => one.flag.id === flag.id)?.reasons ?? []
  const isStale = flag.status === "ACTIVE" && reasons.length > 0
  return { status: isStale ? "STALE" : flag.status, reason: reasons.join(", ") }
}

/** What can be asked around one flag. */
export const featureFlagActionRoutes: readonly RestRoute[] = [
  defineActivity({
    id: "feature_flags_activity_retrieve",
    path: `${ONE}/activity`,
    scope: READ,
    field: "featureFlagActivity",
    args: { projectId: "ID!", id: "ID!" },
    kind: "FeatureFlag",
    parameter: "id",
    summary: "Who changed a flag and how, newest first.",
    source: SOURCE,
  }),
  defineRoute({
    id: "feature_flags_dependent_flags_retrieve",
    method: "GET",
    path: `${ONE}/dependent_flags`,
    scope: READ,
    operation: `query ($projectId: ID!, $id: ID!) {
      flags: dependentFeatureFlags(projectId: $projectId, id: $id) { id key name } }`,
    reply: ({ flags }: { flags: { id: number; key: string; name: string }[] }) => ({
      status: 200,
      body: flags.map(({ id, key, name }) => ({ id, key, name })),
    }),
    doc: {
      summary: "Active flags that depend on this one.",
      source: SOURCE,
      responseSchema: { type: "array", items: toObjectSchema({ id: INTEGER, key: TEXT, name: TEXT }) },
    },
  }),
  defineRoute({
    id: "feature_flags_status_retrieve",
    method: "GET",
    path: `${ONE}/status`,
    scope: READ,
    operation: `query ($projectId: ID!, $id: ID!) {
      flag: featureFlag(projectId: $projectId, id: $id) { id status }
      stale: staleFeatureFlags(projectId: $projectId) { flag { id } reasons } }`,
    reply: (data: StatusData) => ({ status: 200, body: toStatus(data) }),
    doc: {
      summary: "Whether a flag is active, inactive, or has had its day (unchanged for 30 days; `reason` says why).",
      source: SOURCE,
      responseSchema: toObjectSchema({ status: TEXT, reason: TEXT }),
    },
  }),
]
