import type { QueryParameterDoc } from "../../../kernel/direct-route.types.js"
import { ANY_OBJECT, BOOLEAN, TEXT, TEXT_LIST, toObjectSchema } from "../../../kernel/json-schema.js"

const of = (schema: object, description: string) => ({ ...schema, description })

/** The body of a request for decisions, by the usual names of its fields (`docs/contract/flags.md#decision-fields`). */
export const DECISION = {
  title: "DecisionRequest",
  ...toObjectSchema(
    {
      api_key: of(TEXT, "Project key, `phc_…`."),
      distinct_id: of(TEXT, "Whom the flags are decided for; at most 200 characters count."),
      groups: of(ANY_OBJECT, "Group key by group type."),
      person_properties: of(ANY_OBJECT, "Properties that count before the stored ones."),
      group_properties: of(ANY_OBJECT, "The same of groups, by group type."),
      $anon_distinct_id: of(TEXT, "The distinct id from before the login, for experience continuity."),
      $device_id: of(TEXT, "What flags by device are decided by."),
      geoip_disable: of(BOOLEAN, "No properties of the place of the address."),
      disable_flags: of(BOOLEAN, "No flags, only the configuration."),
      flag_keys: of(TEXT_LIST, "Only these and what they depend on; an empty list means all."),
      evaluation_contexts: of(TEXT_LIST, "Only flags of these contexts, and those without any."),
      evaluation_runtime: of(TEXT, "client or server: only flags for it."),
      timezone: of(TEXT, "Time zone of a visitor without cookies."),
    },
    ["api_key", "distinct_id"],
  ),
}

/** Such a body. */
export const DECISION_EXAMPLE = { api_key: "phc_…", distinct_id: "user-1", person_properties: { plan: "pro" } }

/** What the query of such a request may say (`docs/contract/flags.md#decision-parameters`). */
export const DECISION_QUERY: readonly QueryParameterDoc[] = [
  {
    name: "v",
    description: "Version of the answer: on /decide 1 lists flags that are on, 4 has details; on /flags 2 has them.",
    schema: TEXT,
  },
  { name: "config", description: "Whether the configuration of the project goes along.", schema: TEXT },
  { name: "compression", description: "How the body is packed: gzip, gzip-js, lz64 or base64.", schema: TEXT },
  {
    name: "only_evaluate_survey_feature_flags",
    description: "Any value that means yes: only flags of surveys.",
    schema: TEXT,
  },
]
