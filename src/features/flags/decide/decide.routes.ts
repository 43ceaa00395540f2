import { andThen } from "../../../kernel/awaitable.js"
import type { BodyRules, DirectHead, DirectRoute } from "../../../kernel/direct-route.types.js"
import type { Json } from "../../../kernel/json.js"
import { ANY_OBJECT } from "../../../kernel/json-schema.js"
import type { Reply } from "../../../kernel/reply.js"
import { readHeader } from "../../../kernel/request-headers.js"
import type { FlagRateLimit } from "../limits/flag-rate-limit.service.js"
import type { DecidePath } from "../present/response-version.js"
import type { DecideService } from "./decide.service.js"
import { DECISION, DECISION_EXAMPLE, DECISION_QUERY } from "./decision-schema.js"

const JSON_TYPE = { "Content-Type": "application/json" }

/** What flag clients send. */
export const DECISION_BODY: BodyRules = { maxBytes: 1024 * 1024, legacyBase64Unwrap: true, lenientText: true }

const DOCS = {
  decide: {
    summary: "Evaluate feature flags for one user.",
    source: "docs/contract/flags.md#decision-paths",
    query: DECISION_QUERY,
  },
  flags: {
    summary: "Evaluate feature flags for one user, newer form.",
    source: "docs/contract/sdk-wire.md#paths-that-sdks-call",
    query: DECISION_QUERY,
  },
}

/** Counts a decision request of an address, before its body is decoded. @throws AppError flag_rate_limited. */
export const admitBy =
  (rateLimit: FlagRateLimit) =>
  ({ senderIp }: DirectHead): null => {
    rateLimit.take("address", senderIp)
    return null
  }

/**
 * `/decide` and `/flags`: POST evaluates; GET and HEAD get the configuration of the service
 * (`docs/contract/flags.md#decision-paths`).
 */
export const createDecideRoutes = (service: DecideService, rateLimit: FlagRateLimit): DirectRoute[] =>
  (["decide", "flags"] as const).flatMap((path): DirectRoute[] => {
    const route = { path: `/${path}`, statuses: [200], doc: { ...DOCS[path], responseSchema: ANY_OBJECT } }
    return [
      {
        ...route,
        methods: ["POST"],
        body: { ...DECISION_BODY, refusesUnknownTypes: true },
        doc: { ...route.doc, requestSchema: DECISION, example: DECISION_EXAMPLE },
        admit: admitBy(rateLimit),
        answer: (call) => andThen(service.decide(toInput(path, call, call.text.json)), toJsonReply),
      },
      {
        ...route,
        methods: ["GET", "HEAD"],
        body: null,
        answer: (head) => ({ status: 200, body: service.answerWithoutEvaluation(toInput(path, head, undefined)) }),
      },
    ]
  })

const toInput = (path: DecidePath, { query, headers, clientIp, senderIp }: DirectHead, body: Json | undefined) => ({
  path,
  query: fieldsOf(query),
  body,
  headers,
  clientIp,
  senderIp,
  requestId: readHeader(headers, "x-request-id") ?? "",
})

const toJsonReply = (body: string): Reply => ({ status: 200, headers: JSON_TYPE, body })

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
