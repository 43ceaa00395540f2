import { createHash } from "node:crypto"
import { AppError } from "../../../kernel/errors.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import type { DecideReply } from "../decide/decide.endpoint.js"
import type { DecideService } from "../decide/decide.service.js"
import type { RequestHeaders } from "../decide/request-runtime.js"
import type { Decision } from "../present/decide-response.js"
import { type OfrepFault, readOfrepContext } from "./ofrep-context.js"
import { presentOfrepFlag } from "./present-ofrep.js"

/** A call of `/ofrep/v1/evaluate/flags` or of the same for one flag. */
export interface OfrepCall {
  /** Key of the flag; null for all flags. */
  readonly flagKey: string | null
  /** Names in lower case. */
  readonly headers: RequestHeaders
  /** Undefined when there was none, or none that is JSON. */
  readonly body: Json | undefined
  readonly clientIp: string
}

/**
 * OpenFeature's remote evaluation protocol over the decisions of everybody else. The project key is the credential, as
 * `Authorization: Bearer phc_…` or `X-API-Key: phc_…`.
 * @throws AppError no_project_key, invalid_project_key; rate_limited when the quota is used up; store_unavailable.
 */
export type OfrepEndpoint = (call: OfrepCall) => Promise<DecideReply>

const RETRY_AFTER_QUOTA_SECONDS = 3_600

/** Makes the endpoint over the decisions that `/flags` answers with. */
export function createOfrepEndpoint(decisions: Pick<DecideService, "evaluate">): OfrepEndpoint {
  const decide = async ({ headers, clientIp }: OfrepCall, fields: JsonObject): Promise<Decision> => {
    const body = { ...fields, api_key: projectKeyOf(headers) }
    const decision = await decisions.evaluate({ path: "flags", query: {}, body, headers, clientIp, requestId: "" })
    if (!decision.isQuotaExceeded) return decision
    const detail = "The organization has used up its flag decisions."
    throw new AppError("rate_limited", { detail, retryAfterSeconds: RETRY_AFTER_QUOTA_SECONDS })
  }

  return async (call) => {
    const { flagKey, headers, body } = call
    const read = readOfrepContext(body)
    // A wrong key is told before a wrong body, as on every other path.
    if ("fault" in read) {
      await decide(call, { disable_flags: true })
      return refuse(read.fault, flagKey)
    }
    if (flagKey !== null) return showOne(await decide(call, { ...read.fields, flag_keys: [flagKey] }), flagKey)
    return showAll(await decide(call, read.fields), headers)
  }
}

function projectKeyOf(headers: RequestHeaders): string {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(String(headers.authorization ?? ""))?.[1]
  const key = bearer ?? headers["x-api-key"]
  if (typeof key === "string" && key !== "") return key
  const detail = "Send the project API key as a bearer token or in X-API-Key."
  throw new AppError("no_project_key", { detail })
}

const refuse = (fault: OfrepFault, key: string | null): DecideReply => ({
  status: 400,
  body: key === null ? { ...fault } : { key, ...fault },
})

function showOne({ results }: Decision, key: string): DecideReply {
  const result = results.find((one) => one.key === key)
  if (result === undefined) {
    const errorDetails = "There is no active flag with this key."
    return { status: 404, body: { key, errorCode: "FLAG_NOT_FOUND", errorDetails } }
  }
  return { status: result.error === null ? 200 : 400, body: presentOfrepFlag(result) }
}

/** The tag is made of the values, so that whoever polls is only sent what changed for them. */
function showAll({ results }: Decision, headers: RequestHeaders): DecideReply {
  const body = { flags: results.map(presentOfrepFlag), metadata: {} }
  const etag = `"${createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 27)}"`
  const known = String(headers["if-none-match"] ?? "").replace(/^W\//, "")
  return known === etag ? { status: 304, headers: { ETag: etag } } : { status: 200, headers: { ETag: etag }, body }
}
