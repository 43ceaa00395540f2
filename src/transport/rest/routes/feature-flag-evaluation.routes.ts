import { AppError } from "../../../kernel/errors.js"
import type { JsonObject } from "../../../kernel/json.js"
import { ANY_JSON, ANY_OBJECT, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineBody, integer, nullable, object } from "../body-fields.js"
import { defineRoute } from "../define-route.js"
import { readJson, readText } from "../read-query.js"
import { COHORT } from "../resources/cohort.js"
import { FLAG } from "../resources/feature-flag.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"

const LIST = "/api/environments/:project_id/feature_flags"
const READ = "feature_flag:read"
const SOURCE = "docs/contract/flags.md#flag-management"

interface DecisionData {
  readonly key: string
  readonly enabled: boolean
  readonly variant: string | null
  readonly reason: { readonly code: string; readonly conditionIndex: number | null; readonly description: string }
}

const DECISION_FIELDS = "key enabled variant reason { code conditionIndex description }"

const NO_GROUPS = "groups must be JSON: group type to group key."

const toValue = ({ variant, enabled }: DecisionData): string | boolean => variant ?? enabled

/** @throws AppError required. */
function readDistinctId({ query }: RestRequest): string {
  const distinctId = readText(query, "distinct_id")
  if (distinctId === undefined) throw new AppError("required", { attr: "distinct_id" })
  return distinctId
}

const REASON = toObjectSchema({ reason: TEXT, condition_index: { type: ["integer", "null"] }, description: TEXT })

const REACH = defineBody({
  condition: { schema: ANY_OBJECT, read: object, isRequired: true },
  group_type_index: { schema: { type: ["integer", "null"] }, read: nullable(integer) },
})

/** What flags are for people, asked by those who manage them. */
export const featureFlagEvaluationRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "feature_flags_my_flags_retrieve",
    method: "GET",
    path: `${LIST}/my_flags`,
    scope: READ,
    operation: `query ($projectId: ID!) {
      mine: myFlags(projectId: $projectId) { flag { ${FLAG.selection} } decision { ${DECISION_FIELDS} } } }`,
    reply: ({ mine }: { mine: { flag: JsonObject; decision: DecisionData }[] }) => ({
      status: 200,
      body: mine.map(({ flag, decision }) => ({ feature_flag: FLAG.show(flag), value: toValue(decision) })),
    }),
    doc: {
      summary: "Active flags and what they are for the caller as a user.",
      source: SOURCE,
      responseSchema: { type: "array", items: toObjectSchema({ feature_flag: FLAG.schema, value: ANY_JSON }) },
    },
  }),
  defineRoute({
    id: "feature_flags_evaluation_reasons_retrieve",
    method: "GET",
    path: `${LIST}/evaluation_reasons`,
    scope: READ,
    operation: `query ($projectId: ID!, $for: FlagExplanationInput!) {
      flags: flagEvaluations(projectId: $projectId, for: $for) { ${DECISION_FIELDS} } }`,
    variables: (request) => {
      const distinctId = readDistinctId(request)
      const groups = readJson(request.query, "groups", NO_GROUPS)
      return { for: { distinctId, groups: groups === undefined ? {} : groups } }
    },
    reply: ({ flags }: { flags: DecisionData[] }) => ({
      status: 200,
      body: Object.fromEntries(
        flags.map((flag) => {
          const { code, conditionIndex, description } = flag.reason
          const evaluation = { reason: code, condition_index: conditionIndex, description }
          return [flag.key, { value: toValue(flag), evaluation }]
        }),
      ),
    }),
    doc: {
      summary: "What every flag is for one user, and why.",
      source: SOURCE,
      query: [
        { name: "distinct_id", description: "The user.", schema: TEXT },
        { name: "groups", description: "JSON: group type to group key.", schema: TEXT },
      ],
      responseSchema: { type: "object", additionalProperties: toObjectSchema({ value: ANY_JSON, evaluation: REASON }) },
    },
  }),
  defineRoute({
    id: "feature_flags_create_static_cohort_for_flag_create",
    method: "POST",
    path: `${LIST}/:id/create_static_cohort_for_flag`,
    scope: "feature_flag:write",
    operation: `mutation ($projectId: ID!, $id: ID!) {
      cohort: createCohortOfFlag(projectId: $projectId, id: $id) { ${COHORT.selection} } }`,
    reply: ({ cohort }: { cohort: JsonObject }) => ({ status: 201, body: { cohort: COHORT.show(cohort) } }),
    statuses: [201],
    doc: {
      summary: "Make a static cohort of the persons for whom a flag is on now; needs the scope cohort:write too.",
      source: SOURCE,
      responseSchema: toObjectSchema({ cohort: COHORT.schema }),
    },
  }),
  defineRoute({
    id: "feature_flags_user_blast_radius_create",
    method: "POST",
    path: `${LIST}/user_blast_radius`,
    scope: READ,
    body: "json",
    operation: `query ($projectId: ID!, $condition: JSON!, $groupTypeIndex: Int) {
      reach: conditionReach(projectId: $projectId, condition: $condition, groupTypeIndex: $groupTypeIndex) {
        affected total } }`,
    variables: ({ body }) => REACH.read(body),
    reply: ({ reach }: { reach: { affected: number; total: number } }) => ({
      status: 200,
      body: { users_affected: reach.affected, total_users: reach.total },
    }),
    doc: {
      summary: "How many persons, or groups, a release condition is about, whatever its rollout.",
      source: SOURCE,
      requestSchema: REACH.schema,
      responseSchema: toObjectSchema({ users_affected: INTEGER, total_users: INTEGER }),
    },
  }),
]
