const MIB = 1024 * 1024

/** What is special about one of the paths that events are sent to. */
export interface CapturePath {
  readonly accepts: "events" | "snapshots" | "v1-events"
  /** Bytes of the body, as it arrives and once more when it is unpacked (`decisions.md`, "Envelope faults"). */
  readonly maxBytes: number
  /** Older clients of these paths may wrap a compressed body in base64 once more. */
  readonly legacyBase64Unwrap: boolean
  /** Whether one object without `event` is an event. */
  readonly acceptsNamelessEvent: boolean
  /** Name that such an event gets. */
  readonly defaultEventName: string | null
}

const EVENTS: CapturePath = {
  accepts: "events",
  maxBytes: 20 * MIB,
  legacyBase64Unwrap: false,
  acceptsNamelessEvent: true,
  defaultEventName: null,
}
const BATCH: CapturePath = { ...EVENTS, acceptsNamelessEvent: false }
const LEGACY: CapturePath = { ...EVENTS, legacyBase64Unwrap: true }
const SNAPSHOTS: CapturePath = { ...EVENTS, accepts: "snapshots", maxBytes: 25 * MIB }

/** Every capture path, without its final slash (`capture.md` 1.1). */
export const CAPTURE_PATHS: ReadonlyMap<string, CapturePath> = new Map([
  ["/i/v0/e", EVENTS],
  ["/batch", BATCH],
  ["/e", LEGACY],
  ["/capture", LEGACY],
  ["/track", LEGACY],
  ["/engage", { ...LEGACY, defaultEventName: "$identify" }],
  ["/s", SNAPSHOTS],
  ["/i/v0/ai", EVENTS],
  ["/i/v0/ai/batch", EVENTS],
  ["/i/v1/analytics/events", { ...EVENTS, accepts: "v1-events" }],
])

/** The row of a request path, with or without its final slash; null when it is no capture path. */
export function capturePathOf(path: string): CapturePath | null {
  const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
  return CAPTURE_PATHS.get(bare) ?? null
}
