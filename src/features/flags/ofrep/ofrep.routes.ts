import { createHash } from "node:crypto"
import type { DirectHead, DirectRoute } from "../../../kernel/direct-route.types.js"
import { AppError } from "../../../kernel/errors.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { ANY_OBJECT, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import type { Reply } from "../../../kernel/reply.js"
import { type RequestHeaders, readHeader } from "../../../kernel/request-headers.js"
import { admitBy, DECISION_BODY } from "../decide/decide.routes.js"
import type { DecideService } from "../decide/decide.service.js"
import type { FlagRateLimit } from "../limits/flag-rate-limit.service.js"
import type { Decision } from "../present/decide-response.js"
import { type OfrepFault, readOfrepContext } from "./ofrep-context.js"
import { presentOfrepFlag } from "./present-ofrep.js"

const RETRY_AFTER_QUOTA_SECONDS = 3_600
const PATH = "/ofrep/v1/evaluate/flags"
const CONTEXT = toObjectSchema({ context: toObjectSchema({ targetingKey: TEXT }, ["targetingKey"]) }, ["context"])

/**
 * OpenFeature's remote evaluation protocol over the decisions of everybody else, for all flags or for the one that the path
 * names. The project key is the credential, as `Authorization: Bearer phc_…` or `X-API-Key: phc_…`. They throw AppError
 * no_project_key, invalid_project_key; rate_limited when the quota is used up; store_unavailable.
 */
export function createOfrepRoutes(decisions: Pick<DecideService, "evaluate">, rateLimit: FlagRateLimit): DirectRoute[] {
  const decide = async ({ headers, clientIp, senderIp }: DirectHead, fields: JsonObject): Promise<Decision> => {
    const body = { ...fields, api_key: readProjectKey(headers) }
    const call = { path: "flags", query: {}, headers, clientIp, senderIp, requestId: "" } as const
    const decision = await decisions.evaluate({ ...call, body })
    if (!decision.isQuotaExceeded) return decision
    const detail = "The organization has used up its flag decisions."
    throw new AppError("rate_limited", { detail, retryAfterSeconds: RETRY_AFTER_QUOTA_SECONDS })
  }

  /** @param body undefined when there was none, or none that is JSON. */
  const answer = async (head: DirectHead, body: Json | undefined): Promise<Reply> => {
    const key = head.params.flag_key ?? null
    const read = readOfrepContext(body)
    // A wrong key is told before a wrong body, as on every other path.
    if ("fault" in read) {
      await decide(head, { disable_flags: true })
      return refuse(read.fault, key)
    }
    if (key !== null) return showOne(await decide(head, { ...read.fields, flag_keys: [key] }), key)
    return showAll(await decide(head, read.fields), head.headers)
  }

  const at = (path: string, summary: string): DirectRoute => ({
    path,
    methods: ["POST"],
    body: DECISION_BODY,
    statuses: [200, 304, 400, 404],
    doc: {
      summary,
      source: "docs/contract/flags.md#openfeature-remote-evaluation",
      requestSchema: CONTEXT,
      responseSchema: ANY_OBJECT,
    },
    admit: admitBy(rateLimit),
    answer: (call) => answer(call, call.text.json),
    // What is no JSON is refused in the words of the protocol, not in ours.
    answerUndecodable: (fault, head) => {
      if (fault.code !== "malformed_data") throw fault
      return answer(head, undefined)
    },
  })
  return [
    at(PATH, "Evaluate all flags for one OpenFeature context."),
    at(`${PATH}/:flag_key`, "Evaluate one flag for one OpenFeature context."),
  ]
}

function readProjectKey(headers: RequestHeaders): string {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(readHeader(headers, "authorization") ?? "")?.[1]
  const key = bearer ?? readHeader(headers, "x-api-key") ?? ""
  if (key !== "") return key
  const detail = "Send the project API key as a bearer token or in X-API-Key."
  throw new AppError("no_project_key", { detail })
}

const refuse = (fault: OfrepFault, key: string | null): Reply => ({
  status: 400,
  body: key === null ? { ...fault } : { key, ...fault },
})

function showOne({ results }: Decision, key: string): Reply {
  const result = results.find((one) => one.key === key)
  if (result === undefined) {
    const errorDetails = "There is no active flag with this key."
    return { status: 404, body: { key, errorCode: "FLAG_NOT_FOUND", errorDetails } }
  }
  return { status: result.error === null ? 200 : 400, body: presentOfrepFlag(result) }
}

/** The tag is made of the values, so that whoever polls is only sent what changed for them. */
function showAll({ results }: Decision, headers: RequestHeaders): Reply {
  const body = { flags: results.map(presentOfrepFlag), metadata: {} }
  const etag = `"${createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 27)}"`
  const known = (readHeader(headers, "if-none-match") ?? "").replace(/^W\//, "")
  return known === etag ? { status: 304, headers: { ETag: etag } } : { status: 200, headers: { ETag: etag }, body }
}
