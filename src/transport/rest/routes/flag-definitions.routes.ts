import { AppError } from "../../../kernel/errors.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { ANY_OBJECT, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineRoute } from "../define-route.js"
import { readText } from "../read-query.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { toListSchema } from "../schemas.js"

interface DefinitionsData {
  readonly definitions: { readonly revision: string; readonly body: Json }
}

/** SDKs ask every 30 seconds and hold what they have while nothing changed. */
const CACHING = "private, must-revalidate"

function toReply({ definitions: { revision, body } }: DefinitionsData) {
  const caching = { ETag: `W/"${revision}"`, "Cache-Control": CACHING }
  return body === null ? { status: 304, headers: caching } : { status: 200, headers: caching, body }
}

/** The revision in `If-None-Match`, weak or strong; a list of several is none. */
const readKnownRevision = ({ headers }: RestRequest): string | undefined =>
  /^(?:W\/)?"([^"]*)"$/.exec(headers["if-none-match"]?.trim() ?? "")?.[1]

const OPERATION = `query ($projectId: ID!, $withCohorts: Boolean!, $known: String) {
      definitions: flagDefinitions(projectId: $projectId, withCohorts: $withCohorts, knownRevision: $known) {
        revision body } }`

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
const TOKEN = { name: "token", description: "Project API key; the caller's own project when absent.", schema: TEXT }

const definitionsAt = (id: string, path: string, summary: string): RestRoute =>
  defineRoute({
    id,
    method: "GET",
    path,
    scope: "feature_flag:read",
    operation: OPERATION,
    variables: (request) => ({
      projectId: readProject(request),
      withCohorts: request.query.has("send_cohorts"),
      known: readKnownRevision(request),
    }),
    reply: toReply,
    statuses: [200, 304],
    doc: {
      summary,
      source: "docs/contract/flags.md#local-evaluation",
      query: [TOKEN, { name: "send_cohorts", description: "Any value: the trees of cohorts go along.", schema: TEXT }],
      responseSchema: toObjectSchema({
        flags: { type: "array", items: ANY_OBJECT },
        group_type_mapping: ANY_OBJECT,
        cohorts: ANY_OBJECT,
      }),
      faults: [402],
    },
  })

/**
 * What posthog-node 1.3 asks for before it knows any flag. It decides "simple" flags itself by a share under a name that no
 * server ever sent, which makes each of them on for everybody; with none said to be simple it asks `/decide`.
 */
const toOldestReply = ({ definitions }: DefinitionsData) => {
  const { flags } = definitions.body as unknown as { readonly flags: readonly JsonObject[] }
  const results = flags.map((flag) => ({ ...flag, is_simple_flag: false }))
  return { status: 200, body: { count: results.length, next: null, previous: null, results } }
}

/** Where server SDKs fetch flags to evaluate them themselves: the present path and those of older releases. */
export const flagDefinitionRoutes: readonly RestRoute[] = [
  definitionsAt("flags_definitions_retrieve", "/flags/definitions", "Definitions of all flags, for local evaluation."),
  definitionsAt(
    "feature_flag_local_evaluation_retrieve",
    "/api/feature_flag/local_evaluation",
    "The same at the path of older SDKs.",
  ),
  defineRoute({
    id: "feature_flag_list",
    method: "GET",
    path: "/api/feature_flag",
    scope: "feature_flag:read",
    operation: OPERATION,
    variables: (request) => ({ projectId: readProject(request), withCohorts: false }),
    reply: toOldestReply,
    doc: {
      summary: "All flags, for the oldest SDKs, which then ask for decisions.",
      source: "docs/contract/sdk-wire.md#paths-that-sdks-call",
      query: [TOKEN],
      responseSchema: toListSchema(ANY_OBJECT),
      faults: [402],
    },
  }),
]
