import type { Json } from "../../../kernel/json.js"
import { ANY_JSON, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineItem, defineList, defineRoute, defineSoftDelete, toOperation } from "../define-route.js"
import { FLAG } from "../resources/feature-flag.js"
import type { RestRoute } from "../rest-route.types.js"
import { FLAG_LIST_PARAMETERS, toFlagList } from "./feature-flag-list.js"
import { readProjectKey } from "./flag-definitions.routes.js"

const LIST = "/api/environments/:project_id/feature_flags"
const ONE = `${LIST}/:id`
const READ = "feature_flag:read"
const WRITE = "feature_flag:write"
const SOURCE = "docs/contract/flags.md#flag-management"

/** A text is written as a JSON text here, where the runner would otherwise send it as it is. */
const asJson = (payload: Json) => ({
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(payload),
})

/** Management of feature flags; not in the contract, but clients and scripts expect it at this path. */
export const featureFlagRoutes: readonly RestRoute[] = [
  defineList({
    id: "feature_flags_list",
    path: LIST,
    scope: READ,
    field: "featureFlags",
    args: {
      projectId: "ID!",
      search: "String",
      active: "Boolean",
      filter: "FeatureFlagFilter",
      orderBy: "FeatureFlagOrder",
      descending: "Boolean",
    },
    resource: FLAG,
    variables: ({ query }) => toFlagList(query),
    summary: "List the flags that are not deleted.",
    source: SOURCE,
    query: FLAG_LIST_PARAMETERS,
  }),
  defineItem({
    id: "feature_flags_create",
    method: "POST",
    path: LIST,
    scope: WRITE,
    body: "json",
    status: 201,
    field: "createFeatureFlag",
    args: { projectId: "ID!", input: "FeatureFlagInput!" },
    resource: FLAG,
    variables: ({ body }) => ({ input: FLAG.input.read(body) }),
    doc: { summary: "Create a flag.", source: SOURCE, requestSchema: toObjectSchema(FLAG.input.properties, ["key"]) },
  }),
  defineItem({
    id: "feature_flags_retrieve",
    method: "GET",
    path: ONE,
    scope: READ,
    field: "featureFlag",
    args: { projectId: "ID!", id: "ID!" },
    resource: FLAG,
    doc: { summary: "Get a flag.", source: SOURCE },
  }),
  defineItem({
    id: "feature_flags_update",
    method: "PATCH",
    path: ONE,
    scope: WRITE,
    body: "json",
    field: "updateFeatureFlag",
    args: { projectId: "ID!", id: "ID!", input: "FeatureFlagInput!" },
    resource: FLAG,
    variables: ({ body }) => ({ input: FLAG.input.read(body) }),
    doc: {
      summary: "Change a flag; `deleted` deletes it softly, a stale `version` is refused.",
      source: SOURCE,
      requestSchema: FLAG.input.schema,
      faults: [409],
    },
  }),
  defineRoute({
    id: "feature_flags_remote_config_retrieve",
    method: "GET",
    path: `${ONE}/remote_config`,
    scope: READ,
    operation: toOperation("query", "payload: remoteConfigPayload", { projectId: "ID!", flag: "String!" }, ""),
    // SDKs name the project by its key; the path then says only `@current`.
    variables: (request) => ({
      projectId: readProjectKey(request) ?? request.params.project_id,
      flag: request.params.id,
    }),
    reply: ({ payload }: { payload: Json }) => (payload ? { status: 200, ...asJson(payload) } : { status: 200 }),
    doc: {
      summary: "Payload of a flag that only delivers configuration; an empty body when it has none.",
      source: "docs/contract/flags.md#remote-configuration",
      query: [{ name: "token", description: "Project API key; wins over the path.", schema: TEXT }],
      responseSchema: ANY_JSON,
    },
  }),
  defineSoftDelete({ id: "feature_flags_destroy", path: ONE, scope: WRITE, what: "flags", source: SOURCE }),
]
