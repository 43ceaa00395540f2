import type { Json } from "../../../kernel/json.js"
import { ANY_JSON, objectOf, TEXT } from "../../../kernel/json-schema.js"
import { defineGuarded, defineRoute } from "../define-route.js"
import { toEnvelope } from "../paging-links.js"
import { readWindow } from "../read-query.js"
import type { RestRoute } from "../rest-route.types.js"
import { envelopeOf, PAGING_PARAMETERS } from "../schemas.js"
import { FLAG, FLAG_FIELDS, type FlagData, toFlagInput, toWireFlag, WRITABLE_FLAG } from "./feature-flag.wire.js"
import { FLAG_LIST_PARAMETERS, toFlagList } from "./feature-flag-list.js"
import { readProjectKey } from "./flag-definitions.routes.js"

const LIST = "/api/environments/:project_id/feature_flags"
const ONE = `${LIST}/:id`
const READ = "feature_flag:read"
const WRITE = "feature_flag:write"
const SOURCE = "reference/flags.md section 8"

/** A text is written as a JSON text here, where the runner would otherwise send it as it is. */
const asJson = (payload: Json) => ({
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(payload),
})

/** Management of feature flags; not in the contract, but clients and scripts expect it at this path. */
export const featureFlagRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "feature_flags_list",
    method: "GET",
    path: LIST,
    scope: READ,
    body: "none",
    operation: `query ($projectId: ID!, $first: Int, $offset: Int, $search: String, $active: Boolean,
      $filter: FeatureFlagFilter, $orderBy: FeatureFlagOrder, $descending: Boolean) {
      page: featureFlags(projectId: $projectId, first: $first, offset: $offset, search: $search, active: $active,
        filter: $filter, orderBy: $orderBy, descending: $descending) { totalCount nodes { ${FLAG_FIELDS} } } }`,
    variables: ({ params, query }) => ({
      projectId: params.project_id,
      ...readWindow(query).variables,
      ...toFlagList(query),
    }),
    reply: ({ page }: { page: { totalCount: number; nodes: FlagData[] } }, request) => ({
      status: 200,
      body: toEnvelope(request, readWindow(request.query), page.totalCount, page.nodes.map(toWireFlag)),
    }),
    statuses: [200],
    doc: {
      summary: "List the flags that are not deleted.",
      source: SOURCE,
      query: [...PAGING_PARAMETERS, ...FLAG_LIST_PARAMETERS],
      responseSchema: envelopeOf(FLAG),
    },
  }),
  defineRoute({
    id: "feature_flags_create",
    method: "POST",
    path: LIST,
    scope: WRITE,
    body: "json",
    operation: `mutation ($projectId: ID!, $input: FeatureFlagInput!) {
      flag: createFeatureFlag(projectId: $projectId, input: $input) { ${FLAG_FIELDS} } }`,
    variables: (request) => ({ projectId: request.params.project_id, input: toFlagInput(request) }),
    reply: ({ flag }: { flag: FlagData }) => ({ status: 201, body: toWireFlag(flag) }),
    statuses: [201],
    doc: {
      summary: "Create a flag.",
      source: SOURCE,
      requestSchema: objectOf(WRITABLE_FLAG, ["key"]),
      responseSchema: FLAG,
    },
  }),
  defineRoute({
    id: "feature_flags_retrieve",
    method: "GET",
    path: ONE,
    scope: READ,
    body: "none",
    operation: `query ($projectId: ID!, $id: ID!) {
      flag: featureFlag(projectId: $projectId, id: $id) { ${FLAG_FIELDS} } }`,
    variables: ({ params }) => ({ projectId: params.project_id, id: params.id }),
    reply: ({ flag }: { flag: FlagData }) => ({ status: 200, body: toWireFlag(flag) }),
    statuses: [200],
    doc: { summary: "Get a flag.", source: SOURCE, responseSchema: FLAG },
  }),
  defineRoute({
    id: "feature_flags_update",
    method: "PATCH",
    path: ONE,
    scope: WRITE,
    body: "json",
    operation: `mutation ($projectId: ID!, $id: ID!, $input: FeatureFlagInput!) {
      flag: updateFeatureFlag(projectId: $projectId, id: $id, input: $input) { ${FLAG_FIELDS} } }`,
    variables: (request) => ({
      projectId: request.params.project_id,
      id: request.params.id,
      input: toFlagInput(request),
    }),
    reply: ({ flag }: { flag: FlagData }) => ({ status: 200, body: toWireFlag(flag) }),
    statuses: [200],
    doc: {
      summary: "Change a flag; `deleted` deletes it softly, a stale `version` is refused.",
      source: SOURCE,
      requestSchema: objectOf(WRITABLE_FLAG),
      responseSchema: FLAG,
      faults: [409],
    },
  }),
  defineRoute({
    id: "feature_flags_remote_config_retrieve",
    method: "GET",
    path: `${ONE}/remote_config`,
    scope: READ,
    body: "none",
    operation: `query ($projectId: ID!, $flag: String!) {
      payload: remoteConfigPayload(projectId: $projectId, flag: $flag) }`,
    // SDKs name the project by its key; the path then says only `@current`.
    variables: (request) => ({
      projectId: readProjectKey(request) ?? request.params.project_id,
      flag: request.params.id,
    }),
    reply: ({ payload }: { payload: Json }) => (payload ? { status: 200, ...asJson(payload) } : { status: 200 }),
    statuses: [200],
    doc: {
      summary: "Payload of a flag that only delivers configuration; an empty body when it has none.",
      source: "reference/flags.md 7.2",
      query: [{ name: "token", description: "Project API key; wins over the path.", schema: TEXT }],
      responseSchema: ANY_JSON,
    },
  }),
  defineGuarded({
    id: "feature_flags_destroy",
    method: "DELETE",
    path: ONE,
    scope: WRITE,
    reply: () => ({ status: 405 }),
    statuses: [405],
    doc: { summary: "Refused: flags are deleted softly, by PATCH with `deleted` true.", source: SOURCE },
  }),
]
