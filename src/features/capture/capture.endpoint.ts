import { type CapturePath, capturePathOf } from "./capture.paths.js"
import type { CaptureOutcome, CaptureService } from "./capture.service.js"
import type { CaptureCall, CaptureHead, CaptureReply } from "./capture-call.types.js"
import { readEnvelope } from "./envelope.js"
import { answerV1, refuseV1Head, toV1Refusal } from "./v1/answer-v1.js"

export interface CaptureEndpoint {
  /** Limits under which the body of a request to this path is read; null when it is no capture path. */
  limitsOf(path: string): CapturePath | null
  /** The refusal that the head alone earns, before any body is read; null to go on. */
  refuse(head: CaptureHead): CaptureReply | null
  /** The refusal of a v1 body that could not be decoded, in words of that path. @throws the fault when it is a defect. */
  refuseV1Body(fault: unknown): CaptureReply
  /** @throws AppError when the request as a whole is refused; on the v1 path those are replies instead. */
  handle(call: CaptureCall): Promise<CaptureReply>
}

const JSON_HEADERS = { "Content-Type": "application/json" } as const
const OK_BODY = '{"status":"Ok"}'
const OK_REPLY: CaptureReply = { status: 200, headers: JSON_HEADERS, body: OK_BODY }
/** Client clocks before this are a sign of seconds where milliseconds belong (`capture.md` 1.2). */
const FIRST_SENT_AT_MS = Date.UTC(2021, 0, 1)

/**
 * Capture as requests and replies, without a server: 200 `{"status":"Ok"}` once the events are on disk, 204 without a
 * body for `beacon=1`, and never another 2xx, because real clients retry on those (`sdk-wire.md` rule 1). How many events
 * were dropped is told in the header `X-Dropped-Events`.
 */
export function createCaptureEndpoint(service: CaptureService): CaptureEndpoint {
  return {
    limitsOf: capturePathOf,
    refuse: (head) => (capturePathOf(head.path)?.accepts === "v1-events" ? refuseV1Head(head) : null),
    refuseV1Body: toV1Refusal,
    handle: (call) => {
      const path = capturePathOf(call.path)
      if (path === null) throw new Error(`not a capture path: ${call.path}`)
      if (path.accepts === "v1-events") return answerV1(service, call)
      return path.accepts === "snapshots" ? captureSnapshots(service, call, path) : captureEvents(service, call, path)
    },
  }
}

function captureEvents(service: CaptureService, call: CaptureCall, path: CapturePath): Promise<CaptureReply> {
  const { query, text, clientIp, receivedAtMs } = call
  const { token, items, sentAtMs, historicalMigration } = openEnvelope(call, path)
  return service
    .capture({
      token,
      items,
      text,
      textBytes: text.bytes.length,
      sentAtMs: sentAtMs ?? sentAtOf(query),
      historicalMigration,
      clientIp,
      receivedAtMs,
      defaultEventName: path.defaultEventName,
    })
    .then((outcome) => toReply(query, outcome))
}

async function captureSnapshots(service: CaptureService, call: CaptureCall, path: CapturePath): Promise<CaptureReply> {
  const envelope = openEnvelope(call, path)
  const outcome = await service.captureSnapshots({
    token: envelope.token,
    items: envelope.items,
    textBytes: call.text.bytes.length,
    sentAtMs: envelope.sentAtMs ?? sentAtOf(call.query),
    clientIp: call.clientIp,
    receivedAtMs: call.receivedAtMs,
    userAgent: call.headers["user-agent"] ?? null,
  })
  return toReply(call.query, outcome)
}

const openEnvelope = ({ body, query }: CaptureCall, { acceptsNamelessEvent }: CapturePath) =>
  readEnvelope(body, { queryToken: query.get("token"), acceptsNamelessEvent })

function sentAtOf(query: URLSearchParams): number | null {
  const sentAtMs = Number(query.get("_") ?? query.get("sent_at") ?? Number.NaN)
  return Number.isSafeInteger(sentAtMs) && sentAtMs >= FIRST_SENT_AT_MS ? sentAtMs : null
}

function toReply(query: URLSearchParams, { dropped, quotaLimited }: CaptureOutcome): CaptureReply {
  if (dropped.length === 0 && query.size === 0 && quotaLimited === undefined) return OK_REPLY
  const told: Record<string, string> = dropped.length === 0 ? {} : { "X-Dropped-Events": String(dropped.length) }
  if (query.get("beacon") === "1") return { status: 204, headers: told, body: "" }
  const body = quotaLimited === undefined ? OK_BODY : JSON.stringify({ status: "Ok", quota_limited: quotaLimited })
  return { status: 200, headers: { ...JSON_HEADERS, ...told }, body }
}
