import { AppError } from "../../../kernel/errors.js"
import type { JsonObject } from "../../../kernel/json.js"
import { ANY_OBJECT, toObjectSchema } from "../../../kernel/json-schema.js"
import { type DataOf, defineRoutes } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import { readText } from "../read-query.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { toListSchema } from "../schemas.js"

/** SDKs ask every 30 seconds and hold what they have while nothing changed. */
const CACHING = "private, must-revalidate"

function toReply({ definitions: { revision, body } }: DataOf<"flags_definitions_retrieve">) {
  const caching = { ETag: `W/"${revision}"`, "Cache-Control": CACHING }
  return body === null ? { status: 304, headers: caching } : { status: 200, headers: caching, body }
}

/** The revision in `If-None-Match`, weak or strong; a list of several is none. */
const readKnownRevision = ({ headers }: RestRequest): string | undefined =>
  /^(?:W\/)?"([^"]*)"$/.exec(headers["if-none-match"]?.trim() ?? "")?.[1]

/**
 * The public key by which a request names its project; neither a number nor anything else may take its place.
 * @throws AppError invalid_project_key.
 */
export function readProjectKey({ query }: RestRequest): string | undefined {
  const token = readText(query, "token")
  if (token !== undefined && !token.startsWith("phc_")) throw new AppError("invalid_project_key", { attr: "token" })
  return token
}

/** Without a public key it is the caller's own. */
const readProject = (request: RestRequest): string => readProjectKey(request) ?? "@current"
const TOKEN = { token: { description: "Project API key; the caller's own project when absent." } }

/**
 * What posthog-node 1.3 asks for before it knows any flag. It decides "simple" flags itself by a share under a name that no
 * server ever sent, which makes each of them on for everybody; with none said to be simple it asks `/decide`.
 */
const toOldestReply = ({ definitions }: DataOf<"feature_flag_list">) => {
  const { flags } = definitions.body as unknown as { readonly flags: readonly JsonObject[] }
  const results = flags.map((flag) => ({ ...flag, is_simple_flag: false }))
  return { status: 200, body: { count: results.length, next: null, previous: null, results } }
}

const { route } = defineRoutes({
  path: "",
  scope: "feature_flag",
  source: "docs/contract/flags.md#local-evaluation",
})

/** At the present path and at that of older SDKs. */
const DEFINITIONS = {
  statuses: [200, 304],
  query: defineQuery({ ...TOKEN, send_cohorts: { description: "Any value: the trees of cohorts go along." } }),
  operation: "{ definitions: flagDefinitions { revision body } }",
  variables: (request: RestRequest) => ({
    projectId: readProject(request),
    withCohorts: request.query.has("send_cohorts"),
    knownRevision: readKnownRevision(request),
  }),
  reply: toReply,
  responseSchema: toObjectSchema({
    flags: { type: "array", items: ANY_OBJECT },
    group_type_mapping: ANY_OBJECT,
    cohorts: ANY_OBJECT,
  }),
  faults: [402],
}

/** Where server SDKs fetch flags to evaluate them themselves: the present path and those of older releases. */
export const flagDefinitionRoutes: readonly RestRoute[] = [
  route({
    ...DEFINITIONS,
    id: "flags_definitions_retrieve",
    on: "GET /flags/definitions",
    summary: "Definitions of all flags, for local evaluation.",
  }),
  route({
    ...DEFINITIONS,
    id: "feature_flag_local_evaluation_retrieve",
    on: "GET /api/feature_flag/local_evaluation",
    summary: "The same at the path of older SDKs.",
  }),
  route({
    id: "feature_flag_list",
    on: "GET /api/feature_flag",
    query: defineQuery(TOKEN),
    operation: DEFINITIONS.operation,
    variables: (request) => ({ projectId: readProject(request), withCohorts: false }),
    reply: toOldestReply,
    summary: "All flags, for the oldest SDKs, which then ask for decisions.",
    source: "docs/contract/sdk-wire.md#paths-that-sdks-call",
    responseSchema: toListSchema(ANY_OBJECT),
    faults: [402],
  }),
]
