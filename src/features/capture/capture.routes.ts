import type { BodyRules, DirectCall, DirectRoute, RouteDoc } from "../../kernel/direct-route.types.js"
import { ANY_OBJECT, BOOLEAN, TEXT, TIME, toObjectSchema, UUID } from "../../kernel/json-schema.js"
import type { Reply } from "../../kernel/reply.js"
import { answerEvents, answerSnapshots, type EventRules } from "./answer-capture.js"
import type { CaptureService } from "./capture.service.js"
import { answerV1, refuseV1Head, toV1Refusal } from "./v1/answer-v1.js"

/** A path that events are sent to, and all that is special about it. */
export interface CapturePath
  extends EventRules,
    Pick<RouteDoc, "summary" | "source" | "requestSchema" | "example">,
    Pick<DirectRoute, "path" | "methods" | "admit" | "answerUndecodable"> {
  readonly body: BodyRules
  readonly answer: (service: CaptureService, call: DirectCall, rules: EventRules) => Promise<Reply>
}

const MIB = 1024 * 1024
/** Of the request as a whole; each event has a limit of its own (`docs/contract/capture.md#size-limits`). */
const MAX_EVENT_BYTES = 20 * MIB
const MAX_SNAPSHOT_BYTES = 25 * MIB
const CONTRACT = "docs/contract/capture.md#paths"
const CLIENTS = "docs/contract/sdk-wire.md#paths-that-sdks-call"

const KEY = { ...TEXT, description: "Project key, `phc_…`." }
const EVENT_FIELDS = {
  event: { ...TEXT, description: "Name of the event; at most 200 characters are kept." },
  distinct_id: { ...TEXT, description: "Who did it." },
  properties: { ...ANY_OBJECT, description: "Anything; `$set` and `$set_once` are about the person." },
  timestamp: { ...TIME, description: "When it happened; now when absent." },
  uuid: { ...UUID, description: "Recognises an event that is sent again." },
}
const EVENT = {
  title: "EventRequest",
  ...toObjectSchema({ api_key: KEY, ...EVENT_FIELDS }, ["api_key", "event", "distinct_id"]),
}
const BATCHED = { title: "BatchedEvent", ...toObjectSchema(EVENT_FIELDS, ["event", "distinct_id"]) }
const BATCH = {
  title: "BatchRequest",
  ...toObjectSchema(
    {
      api_key: KEY,
      historical_migration: { ...BOOLEAN, description: "Past data: each event should have a timestamp." },
      sent_at: { ...TIME, description: "The client's time of sending, by which a wrong clock is corrected." },
      batch: { type: "array", items: BATCHED },
    },
    ["api_key", "batch"],
  ),
}
const EVENT_EXAMPLE = {
  event: "$pageview",
  distinct_id: "user-1",
  properties: { $current_url: "https://example.com/" },
}
const ONE_EVENT = { requestSchema: EVENT, example: { api_key: "phc_…", ...EVENT_EXAMPLE } }
const CAPTURED = toObjectSchema({ status: TEXT }, ["status"])

const EVENTS = {
  summary: "Capture events.",
  source: CLIENTS,
  answer: answerEvents,
  methods: ["POST", "GET"],
  body: { maxBytes: MAX_EVENT_BYTES },
  acceptsNamelessEvent: true,
  defaultEventName: null,
} satisfies Omit<CapturePath, "path">
const LEGACY = { ...EVENTS, body: { maxBytes: MAX_EVENT_BYTES, legacyBase64Unwrap: true } } satisfies Omit<
  CapturePath,
  "path"
>
const AI = { ...EVENTS, methods: ["POST"], summary: "Capture AI events." } satisfies Omit<CapturePath, "path">

/** Every capture path (`docs/contract/capture.md#paths`). */
export const CAPTURE_PATHS: readonly CapturePath[] = [
  { ...EVENTS, path: "/i/v0/e", summary: "Capture one event.", source: CONTRACT, ...ONE_EVENT },
  {
    ...EVENTS,
    path: "/batch",
    acceptsNamelessEvent: false,
    summary: "Capture many events.",
    source: CONTRACT,
    requestSchema: BATCH,
    example: { api_key: "phc_…", batch: [EVENT_EXAMPLE] },
  },
  { ...LEGACY, ...ONE_EVENT, path: "/e" },
  { ...LEGACY, ...ONE_EVENT, path: "/capture" },
  { ...LEGACY, ...ONE_EVENT, path: "/track" },
  { ...LEGACY, path: "/engage", defaultEventName: "$identify", summary: "Set person properties." },
  {
    ...EVENTS,
    path: "/s",
    answer: answerSnapshots,
    body: { maxBytes: MAX_SNAPSHOT_BYTES },
    summary: "Capture session recordings.",
  },
  {
    ...EVENTS,
    path: "/i/v1/analytics/events",
    methods: ["POST"],
    admit: refuseV1Head,
    answerUndecodable: toV1Refusal,
    answer: answerV1,
    summary: "Capture many events, newer form.",
  },
  { ...AI, path: "/i/v0/ai" },
  { ...AI, path: "/i/v0/ai/batch" },
]

/** Statuses that rows answer themselves; those of other errors come with the error body of every path. */
const STATUSES = [200, 204, 400, 401, 413, 415, 429, 503]

/** The routes of all capture paths. */
export const createCaptureRoutes = (service: CaptureService): DirectRoute[] =>
  CAPTURE_PATHS.map((row) => {
    const { path, methods, admit, answerUndecodable, body, summary, source, requestSchema, example } = row
    return {
      path,
      methods,
      body,
      statuses: STATUSES,
      doc: { summary, source, responseSchema: CAPTURED, ...(requestSchema && { requestSchema, example }) },
      ...(admit && { admit }),
      ...(answerUndecodable && { answerUndecodable }),
      answer: (call) => row.answer(service, call, row),
    }
  })
