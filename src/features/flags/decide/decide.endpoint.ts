import { type Awaitable, andThen } from "../../../kernel/awaitable.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import type { FlagRateLimit } from "../limits/flag-rate-limit.service.js"
import { isRecordingPaused, presentConfigScript, presentRemoteConfig } from "../present/remote-config.js"
import type { DecideService } from "./decide.service.js"
import type { KnownProjects } from "./known-projects.store.js"
import type { RequestHeaders } from "./request-runtime.js"
import type { DecidePath } from "./response-version.js"

/** A call of `/decide` or `/flags`, its body decoded and parsed. */
export interface DecideCall {
  readonly surface: DecidePath
  /** Upper case. */
  readonly method: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: RequestHeaders
  /** Undefined when there was none. */
  readonly body: Json | undefined
  /** Address the GeoIP properties are derived from. */
  readonly clientIp: string
}

/** A call of `/array/:token/config` or `/array/:token/config.js`. */
export interface ConfigCall {
  readonly surface: string
  readonly params: Readonly<Record<string, string>>
}

/** Status, headers and body as plain data; text is sent as it is, anything else as JSON. */
export interface DecideReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: JsonObject | string
}

/** Handlers of `/decide`, `/flags` and of the configuration that browser SDKs load. */
export interface DecideEndpoint {
  /** Counts a decision request of an address, before its body is looked at. @throws AppError flag_rate_limited. */
  admit(senderIp: string): void
  /** Evaluates for POST alone; GET and HEAD get the configuration of the service (`reference/flags.md` 1.1). */
  handle(call: DecideCall): Awaitable<DecideReply>
  /** What browser SDKs load before anything else. @throws AppError not_found for a key nobody has. */
  config(call: ConfigCall): Promise<DecideReply>
}

const JSON_TYPE = { "Content-Type": "application/json" }
const ALLOWED_METHODS = "GET, POST, OPTIONS, HEAD"
/** Long enough to spare a visit its repeated loads, short enough that switching recording off is seen soon. */
const CONFIG_CACHING = { "Cache-Control": "public, max-age=30" }

const knownFields = new WeakMap<URLSearchParams, Readonly<Record<string, string>>>()

/** Requests with the same short query come with the same object. */
function fieldsOf(query: URLSearchParams): Readonly<Record<string, string>> {
  let fields = knownFields.get(query)
  if (fields === undefined) {
    fields = Object.fromEntries(query)
    knownFields.set(query, fields)
  }
  return fields
}

const toJsonReply = (body: string): DecideReply => ({ status: 200, headers: JSON_TYPE, body })

/** Makes the handlers of the public flag paths. */
export function createDecideEndpoint(
  service: DecideService,
  projects: Pick<KnownProjects, "findByKey">,
  rateLimit: FlagRateLimit,
  clock: Clock,
): DecideEndpoint {
  return {
    admit: (senderIp) => rateLimit.take("address", senderIp),
    handle: ({ surface: path, method, query, headers, body, clientIp }) => {
      const requestId = String(headers["x-request-id"] ?? "")
      const input = { path, query: fieldsOf(query), body, headers, clientIp, requestId }
      if (method === "POST") return andThen(service.decide(input), toJsonReply)
      if (method === "GET" || method === "HEAD") return { status: 200, body: service.answerWithoutEvaluation(input) }
      if (method === "OPTIONS") return { status: 204, headers: { Allow: ALLOWED_METHODS } }
      throw new AppError("method_not_allowed")
    },

    config: async ({ surface, params }) => {
      const project = await projects.findByKey(params.token ?? "")
      if (project === null) throw new AppError("not_found")
      const isPaused = isRecordingPaused(project, clock.now())
      const config = {
        ...presentRemoteConfig(project, isPaused),
        ...(isPaused ? { quotaLimited: ["recordings"] } : {}),
      }
      if (surface !== "config-script") return { status: 200, headers: CONFIG_CACHING, body: config }
      const headers = { ...CONFIG_CACHING, "Content-Type": "application/javascript; charset=utf-8" }
      return { status: 200, headers, body: presentConfigScript(project.token, config) }
    },
  }
}
