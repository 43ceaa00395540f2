import type { Json } from "../../../kernel/json.js"
import { ANY_JSON, toObjectSchema } from "../../../kernel/json-schema.js"
import { asInput } from "../body-fields.js"
import { defineRoutes } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import { FLAG } from "../resources/feature-flag.js"
import type { RestRoute } from "../rest-route.types.js"
import { FEATURE_FLAGS } from "./collections.js"
import { FLAG_LIST } from "./feature-flag-list.js"
import { readProjectKey } from "./flag-definitions.routes.js"

/** A text is written as a JSON text here, where the runner would otherwise send it as it is. */
const asJson = (payload: Json) => ({
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(payload),
})

const TOKEN = defineQuery({ token: { description: "Project API key; wins over the path." } })
const INPUT = asInput(FLAG.input)

const { list, item, route, softDelete } = defineRoutes(FEATURE_FLAGS)

/** Management of feature flags; not in the contract, but clients and scripts expect it at this path. */
export const featureFlagRoutes: readonly RestRoute[] = [
  list({
    id: "feature_flags_list",
    on: "GET",
    field: "featureFlags",
    resource: FLAG,
    query: FLAG_LIST,
    summary: "List the flags that are not deleted.",
  }),
  item({
    id: "feature_flags_create",
    on: "POST",
    statuses: [201],
    body: INPUT,
    field: "createFeatureFlag",
    resource: FLAG,
    summary: "Create a flag.",
    requestSchema: toObjectSchema(INPUT.properties, ["key"]),
  }),
  item({
    id: "feature_flags_retrieve",
    on: "GET /:id",
    field: "featureFlag",
    resource: FLAG,
    summary: "Get a flag.",
  }),
  item({
    id: "feature_flags_update",
    on: "PATCH /:id",
    body: INPUT,
    field: "updateFeatureFlag",
    resource: FLAG,
    summary: "Change a flag; `deleted` deletes it softly, a stale `version` is refused.",
    faults: [409],
  }),
  route({
    id: "feature_flags_remote_config_retrieve",
    on: "GET /:id/remote_config",
    query: TOKEN,
    operation: "{ payload: remoteConfigPayload }",
    // SDKs name the project by its key; the path then says only `@current`.
    variables: (request) => ({
      projectId: readProjectKey(request) ?? request.params.project_id,
      flag: request.params.id,
    }),
    reply: ({ payload }) => (payload ? { status: 200, ...asJson(payload) } : { status: 200 }),
    summary: "Payload of a flag that only delivers configuration; an empty body when it has none.",
    source: "docs/contract/flags.md#remote-configuration",
    responseSchema: ANY_JSON,
  }),
  softDelete("feature_flags_destroy", "DELETE /:id", "flags"),
]
