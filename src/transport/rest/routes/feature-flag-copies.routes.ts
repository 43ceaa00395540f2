import type { JsonObject } from "../../../kernel/json.js"
import { BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineBody, flag, text, textList } from "../body-fields.js"
import { defineRoute } from "../define-route.js"
import { FLAG } from "../resources/feature-flag.js"
import type { RestRoute } from "../rest-route.types.js"

interface CopyData {
  readonly target: string
  readonly projectId: number | null
  readonly flag: JsonObject | null
  readonly error: string | null
}

const COPY = defineBody({
  feature_flag_key: { schema: TEXT, as: "key", read: text, isRequired: true },
  from_project: { schema: INTEGER, as: "from", read: text, isRequired: true },
  target_project_ids: {
    schema: { type: "array", items: INTEGER, minItems: 1, maxItems: 50 },
    as: "targets",
    read: textList,
    isRequired: true,
  },
  disable_copied_flag: { schema: BOOLEAN, as: "isDisabled", read: flag },
})

/** What is done with flags of several projects at once. */
export const featureFlagCopiesRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "organization_feature_flags_copy_flags_create",
    method: "POST",
    path: "/api/organizations/:organization_id/feature_flags/copy_flags",
    scope: "feature_flag:write",
    body: "json",
    operation: `mutation ($organizationId: ID!, $from: ID!, $key: String!, $targets: [ID!]!, $isDisabled: Boolean!) {
      copies: copyFeatureFlag(organizationId: $organizationId, fromProjectId: $from, key: $key,
        targetProjectIds: $targets, isDisabled: $isDisabled) { target projectId error flag { ${FLAG.selection} } } }`,
    variables: ({ body }) => ({ isDisabled: false, ...COPY.read(body) }),
    reply: ({ copies }: { copies: CopyData[] }) => ({
      status: 200,
      body: {
        success: copies.flatMap(({ flag, projectId }) =>
          flag === null ? [] : [{ ...FLAG.show(flag), team_id: projectId }],
        ),
        failed: copies.flatMap(({ target, error }) =>
          error === null ? [] : [{ project_id: /^\d{1,15}$/.test(target) ? Number(target) : target, errors: error }],
        ),
      },
    }),
    doc: {
      summary:
        "Copy a flag to at most 50 projects of the organization; cohorts are found by name and made where missing (cohort:write).",
      source: "docs/contract/flags.md#flag-management",
      requestSchema: COPY.schema,
      responseSchema: toObjectSchema({
        success: { type: "array", items: FLAG.schema },
        failed: {
          type: "array",
          items: toObjectSchema({ project_id: { type: ["integer", "string"] }, errors: TEXT }),
        },
      }),
    },
  }),
]
