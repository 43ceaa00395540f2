import type { BodyRules, DirectCall, DirectRoute, RouteDoc } from "../../kernel/direct-route.types.js"
import type { Reply } from "../../kernel/reply.js"
import { answerEvents, answerSnapshots, type EventRules } from "./answer-capture.js"
import type { CaptureService } from "./capture.service.js"
import {
  BATCH,
  CAPTURED,
  EVENT,
  PERSON_PROPERTIES,
  SNAPSHOT,
  V1_BATCH,
  V1_HEADERS,
  V1_RESULTS,
} from "./capture-schemas.js"
import { answerV1, refuseV1Head, toV1Refusal } from "./v1/answer-v1.js"

/** A path that events are sent to, and all that is special about it. */
export interface CapturePath
  extends EventRules,
    Pick<RouteDoc, "summary" | "source" | "headers" | "requestSchema" | "responseSchema" | "example">,
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

const EVENT_EXAMPLE = {
  event: "$pageview",
  distinct_id: "user-1",
  properties: { $current_url: "https://example.com/" },
}
const ONE_EVENT = { requestSchema: EVENT, example: { api_key: "phc_…", ...EVENT_EXAMPLE } }
const MANY_EVENTS = { requestSchema: BATCH, example: { api_key: "phc_…", batch: [EVENT_EXAMPLE] } }

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
    ...MANY_EVENTS,
  },
  { ...LEGACY, ...ONE_EVENT, path: "/e" },
  { ...LEGACY, ...ONE_EVENT, path: "/capture" },
  { ...LEGACY, ...ONE_EVENT, path: "/track" },
  {
    ...LEGACY,
    path: "/engage",
    defaultEventName: "$identify",
    summary: "Set person properties.",
    requestSchema: PERSON_PROPERTIES,
    example: { api_key: "phc_…", distinct_id: "user-1", $set: { plan: "pro" } },
  },
  {
    ...EVENTS,
    path: "/s",
    answer: answerSnapshots,
    body: { maxBytes: MAX_SNAPSHOT_BYTES },
    summary: "Capture session recordings.",
    requestSchema: SNAPSHOT,
  },
  {
    ...EVENTS,
    path: "/i/v1/analytics/events",
    methods: ["POST"],
    admit: refuseV1Head,
    answerUndecodable: toV1Refusal,
    answer: answerV1,
    summary: "Capture many events, newer form.",
    headers: V1_HEADERS,
    requestSchema: V1_BATCH,
    responseSchema: V1_RESULTS,
  },
  { ...AI, ...ONE_EVENT, path: "/i/v0/ai" },
  { ...AI, ...MANY_EVENTS, path: "/i/v0/ai/batch" },
]

/** Statuses that rows answer themselves; those of other errors come with the error body of every path. */
const STATUSES = [200, 204, 400, 401, 413, 415, 429, 503]

/** The routes of all capture paths. */
export const createCaptureRoutes = (service: CaptureService): DirectRoute[] =>
  CAPTURE_PATHS.map((row) => {
    const { path, methods, admit, answerUndecodable, body, summary, source, headers, requestSchema, example } = row
    const { responseSchema = CAPTURED } = row
    return {
      path,
      methods,
      body,
      statuses: STATUSES,
      doc: { summary, source, headers, responseSchema, ...(requestSchema && { requestSchema, example }) },
      ...(admit && { admit }),
      ...(answerUndecodable && { answerUndecodable }),
      answer: (call) => row.answer(service, call, row),
    }
  })
