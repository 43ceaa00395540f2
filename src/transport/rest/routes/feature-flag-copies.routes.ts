import { BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineBody, flag, text, textList } from "../body-fields.js"
import { defineRoutes } from "../define-route.js"
import { FLAG } from "../resources/feature-flag.js"
import type { RestRoute } from "../rest-route.types.js"

const COPY = defineBody({
  feature_flag_key: { schema: TEXT, as: "key", read: text, isRequired: true },
  from_project: { schema: INTEGER, as: "fromProjectId", read: text, isRequired: true },
  target_project_ids: {
    schema: { type: "array", items: INTEGER, minItems: 1, maxItems: 50 },
    read: textList,
    isRequired: true,
  },
  disable_copied_flag: { schema: BOOLEAN, as: "isDisabled", read: flag },
})

const { route } = defineRoutes({
  path: "/api/organizations/:organization_id/feature_flags",
  scope: "feature_flag",
  source: "docs/contract/flags.md#flag-management",
})

/** What is done with flags of several projects at once. */
export const featureFlagCopiesRoutes: readonly RestRoute[] = [
  route({
    id: "organization_feature_flags_copy_flags_create",
    on: "POST /copy_flags",
    body: COPY,
    operation: `mutation { copies: copyFeatureFlag { target projectId error flag { ${FLAG.selection} } } }`,
    reply: ({ copies }) => ({
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
    summary:
      "Copy a flag to at most 50 projects of the organization; cohorts are found by name and made where missing (cohort:write).",
    responseSchema: toObjectSchema({
      success: { type: "array", items: FLAG.schema },
      failed: {
        type: "array",
        items: toObjectSchema({ project_id: { type: ["integer", "string"] }, errors: TEXT }),
      },
    }),
  }),
]
