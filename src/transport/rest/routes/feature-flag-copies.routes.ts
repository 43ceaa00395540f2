import { AppError } from "../../../kernel/errors.js"
import type { JsonObject } from "../../../kernel/json.js"
import { BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { readFields, flag as readSwitch, text, textList } from "../body-fields.js"
import { defineRoute } from "../define-route.js"
import { FLAG } from "../resources/feature-flag.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"

interface CopyData {
  readonly target: string
  readonly projectId: number | null
  readonly flag: JsonObject | null
  readonly error: string | null
}

/** @throws AppError naming the field at fault. */
function toVariables({ params, body }: RestRequest) {
  const {
    key,
    from,
    targets,
    isDisabled = false,
  } = readFields(body, {
    feature_flag_key: ["key", text],
    from_project: ["from", text],
    target_project_ids: ["targets", textList],
    disable_copied_flag: ["isDisabled", readSwitch],
  })
  if (key === undefined) throw new AppError("required", { attr: "feature_flag_key" })
  if (from === undefined) throw new AppError("required", { attr: "from_project" })
  if (targets === undefined) throw new AppError("required", { attr: "target_project_ids" })
  return { organizationId: params.organization_id, key, from, targets, isDisabled }
}

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
    variables: toVariables,
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
      requestSchema: toObjectSchema(
        {
          feature_flag_key: TEXT,
          from_project: INTEGER,
          target_project_ids: { type: "array", items: INTEGER, minItems: 1, maxItems: 50 },
          disable_copied_flag: BOOLEAN,
        },
        ["feature_flag_key", "from_project", "target_project_ids"],
      ),
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
