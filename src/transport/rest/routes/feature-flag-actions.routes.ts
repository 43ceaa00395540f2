import { INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { type DataOf, defineRoutes } from "../define-route.js"
import { activityAs } from "../resources/activity-entry.js"
import type { RestRoute } from "../rest-route.types.js"
import { FEATURE_FLAGS } from "./collections.js"

/** A flag that nobody needs any more is STALE, with the reason; any other has its stored status. */
function toStatus({ flag, stale }: DataOf<"feature_flags_status_retrieve">) {
  const reasons = stale.find((one) => one.flag.id === flag.id)?.reasons ?? []
  const isStale = flag.status === "ACTIVE" && reasons.length > 0
  return { status: isStale ? "STALE" : flag.status, reason: reasons.join(", ") }
}

const { list, route } = defineRoutes({ ...FEATURE_FLAGS, path: `${FEATURE_FLAGS.path}/:id` })

/** What can be asked around one flag. */
export const featureFlagActionRoutes: readonly RestRoute[] = [
  list({
    ...activityAs("FeatureFlag", "id"),
    id: "feature_flags_activity_retrieve",
    on: "GET /activity",
    field: "featureFlagActivity",
    summary: "Who changed a flag and how, newest first.",
  }),
  route({
    id: "feature_flags_dependent_flags_retrieve",
    on: "GET /dependent_flags",
    operation: "{ flags: dependentFeatureFlags { id key name } }",
    reply: ({ flags }) => ({
      status: 200,
      body: flags.map(({ id, key, name }) => ({ id, key, name })),
    }),
    summary: "Active flags that depend on this one.",
    responseSchema: { type: "array", items: toObjectSchema({ id: INTEGER, key: TEXT, name: TEXT }) },
  }),
  route({
    id: "feature_flags_status_retrieve",
    on: "GET /status",
    operation: "{ flag: featureFlag { id status } stale: staleFeatureFlags { flag { id } reasons } }",
    reply: (data) => ({ status: 200, body: toStatus(data) }),
    summary: "Whether a flag is active, inactive, or has had its day (unchanged for 30 days; `reason` says why).",
    responseSchema: toObjectSchema({ status: TEXT, reason: TEXT }),
  }),
]
