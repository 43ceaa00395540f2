import type { DirectCall } from "../../kernel/direct-route.types.js"
import type { Reply } from "../../kernel/reply.js"
import { readHeader } from "../../kernel/request-headers.js"
import type { CaptureOutcome, CaptureService } from "./capture.service.js"
import { type Envelope, readEnvelope } from "./envelope.js"

/** What a capture path says of events. */
export interface EventRules {
  /** Whether one object without `event` is an event. */
  readonly acceptsNamelessEvent: boolean
  /** Name that such an event gets; null when it is dropped. */
  readonly defaultEventName: string | null
}

const JSON_HEADERS = { "Content-Type": "application/json" } as const
const OK_BODY = '{"status":"Ok"}'
const OK_REPLY: Reply = { status: 200, headers: JSON_HEADERS, body: OK_BODY }
/**
 * Client clocks before this are a sign of seconds where milliseconds belong
 * (`docs/contract/capture.md#query-parameters`).
 */
const FIRST_SENT_AT_MS = Date.UTC(2021, 0, 1)

/**
 * Answers a request with events: 200 `{"status":"Ok"}` once they are on disk, 204 without a body for `beacon=1`, and
 * never another 2xx, because real clients retry on those (`docs/contract/sdk-wire.md#status-of-capture`). The header
 * `X-Dropped-Events` says how many events were dropped.
 * @throws AppError, or rejects with it, when the request as a whole is refused.
 */
export function answerEvents(service: CaptureService, call: DirectCall, rules: EventRules): Promise<Reply> {
  const { query, text, clientIp, senderIp, receivedAtMs } = call
  const { token, items, sentAtMs, historicalMigration } = openEnvelope(call, rules)
  return service
    .capture({
      token,
      items,
      text,
      sentAtMs: sentAtMs ?? readSentAt(query),
      historicalMigration,
      clientIp,
      senderIp,
      receivedAtMs,
      defaultEventName: rules.defaultEventName,
    })
    .then((outcome) => toReply(query, outcome))
}

/** Answers a request with parts of session recordings; as `answerEvents`. */
export async function answerSnapshots(service: CaptureService, call: DirectCall, rules: EventRules): Promise<Reply> {
  const { token, items, sentAtMs, historicalMigration } = openEnvelope(call, rules)
  const outcome = await service.captureSnapshots({
    token,
    items,
    textBytes: call.text.bytes.length,
    sentAtMs: sentAtMs ?? readSentAt(call.query),
    historicalMigration,
    clientIp: call.clientIp,
    senderIp: call.senderIp,
    receivedAtMs: call.receivedAtMs,
    userAgent: readHeader(call.headers, "user-agent") ?? null,
  })
  return toReply(call.query, outcome)
}

const openEnvelope = ({ text, query }: DirectCall, { acceptsNamelessEvent }: EventRules): Envelope =>
  readEnvelope(text.json, { queryToken: query.get("token"), acceptsNamelessEvent })

function readSentAt(query: URLSearchParams): number | null {
  const sentAtMs = Number(query.get("_") ?? query.get("sent_at") ?? Number.NaN)
  return Number.isSafeInteger(sentAtMs) && sentAtMs >= FIRST_SENT_AT_MS ? sentAtMs : null
}

function toReply(query: URLSearchParams, { dropped, quotaLimited }: CaptureOutcome): Reply {
  if (dropped.length === 0 && query.size === 0 && quotaLimited === undefined) return OK_REPLY
  const headers: Record<string, string> = dropped.length === 0 ? {} : { "X-Dropped-Events": String(dropped.length) }
  if (query.get("beacon") === "1") return { status: 204, headers }
  const body = quotaLimited === undefined ? OK_BODY : JSON.stringify({ status: "Ok", quota_limited: quotaLimited })
  return { status: 200, headers: { ...JSON_HEADERS, ...headers }, body }
}
