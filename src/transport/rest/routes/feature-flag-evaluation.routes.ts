import { AppError } from "../../../kernel/errors.js"
import type { Json } from "../../../kernel/json.js"
import { ANY_JSON, ANY_OBJECT, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineBody, integer, nullable, object } from "../body-fields.js"
import { type DataOf, defineRoutes } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import { readJson, readText } from "../read-query.js"
import { COHORT } from "../resources/cohort.js"
import { FLAG } from "../resources/feature-flag.js"
import type { RestRoute } from "../rest-route.types.js"
import { FEATURE_FLAGS } from "./collections.js"

type Decision = DataOf<"feature_flags_evaluation_reasons_retrieve">["flags"][number]

const DECISION_FIELDS = "key enabled variant reason { code conditionIndex description }"

const toValue = ({ variant, enabled }: Decision): string | boolean => variant ?? enabled

const USER = defineQuery(
  {
    distinct_id: { description: "The user.", read: requireText },
    groups: { description: "JSON: group type to group key.", read: readGroups },
  },
  "for",
)

/** @throws AppError required. */
function requireText(query: URLSearchParams, attr: string): string {
  const text = readText(query, attr)
  if (text === undefined) throw new AppError("required", { attr })
  return text
}

function readGroups(query: URLSearchParams, name: string): Json {
  const groups = readJson(query, name, "groups must be JSON: group type to group key.")
  return groups === undefined ? {} : groups
}

const REASON = toObjectSchema({ reason: TEXT, condition_index: { type: ["integer", "null"] }, description: TEXT })

const REACH = defineBody({
  condition: { schema: ANY_OBJECT, read: object, isRequired: true },
  group_type_index: { schema: { type: ["integer", "null"] }, read: nullable(integer) },
})

const { route } = defineRoutes(FEATURE_FLAGS)

/** What flags are for people, asked by those who manage them. */
export const featureFlagEvaluationRoutes: readonly RestRoute[] = [
  route({
    id: "feature_flags_my_flags_retrieve",
    on: "GET /my_flags",
    operation: `{ mine: myFlags { flag { ${FLAG.selection} } decision { ${DECISION_FIELDS} } } }`,
    reply: ({ mine }) => ({
      status: 200,
      body: mine.map(({ flag, decision }) => ({ feature_flag: FLAG.show(flag), value: toValue(decision) })),
    }),
    summary: "Active flags and what they are for the caller as a user.",
    responseSchema: { type: "array", items: toObjectSchema({ feature_flag: FLAG.schema, value: ANY_JSON }) },
  }),
  route({
    id: "feature_flags_evaluation_reasons_retrieve",
    on: "GET /evaluation_reasons",
    query: USER,
    operation: `{ flags: flagEvaluations { ${DECISION_FIELDS} } }`,
    reply: ({ flags }) => ({
      status: 200,
      body: Object.fromEntries(
        flags.map((flag) => {
          const { code, conditionIndex, description } = flag.reason
          const evaluation = { reason: code, condition_index: conditionIndex, description }
          return [flag.key, { value: toValue(flag), evaluation }]
        }),
      ),
    }),
    summary: "What every flag is for one user, and why.",
    responseSchema: { type: "object", additionalProperties: toObjectSchema({ value: ANY_JSON, evaluation: REASON }) },
  }),
  route({
    id: "feature_flags_create_static_cohort_for_flag_create",
    on: "POST /:id/create_static_cohort_for_flag",
    statuses: [201],
    operation: `mutation { cohort: createCohortOfFlag { ${COHORT.selection} } }`,
    reply: ({ cohort }) => ({ status: 201, body: { cohort: COHORT.show(cohort) } }),
    summary: "Make a static cohort of the persons for whom a flag is on now; needs the scope cohort:write too.",
    responseSchema: toObjectSchema({ cohort: COHORT.schema }),
  }),
  route({
    id: "feature_flags_user_blast_radius_create",
    on: "POST /user_blast_radius",
    scope: "feature_flag:read",
    body: REACH,
    operation: "{ reach: conditionReach { affected total } }",
    reply: ({ reach }) => ({
      status: 200,
      body: { users_affected: reach.affected, total_users: reach.total },
    }),
    summary: "How many persons, or groups, a release condition is about, whatever its rollout.",
    responseSchema: toObjectSchema({ users_affected: INTEGER, total_users: INTEGER }),
  }),
]
