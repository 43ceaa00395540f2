import type { EventDraft, Step, StepContext } from "./event-draft.js"
import { isIsoTime, parseTime, readCanonicalTime } from "./parse-time.js"

/** A smaller difference is mostly the time a slow batch spent on its way, and correcting it reorders events. */
const MIN_CORRECTED_SKEW_MS = 60_000
const MAX_AHEAD_MS = 23 * 60 * 60 * 1000
/** Years that a ClickHouse DateTime64 holds. */
const EARLIEST_MS = Date.UTC(1900, 0, 1)
const LATEST_MS = Date.UTC(2299, 11, 31)

/**
 * Decides when the event happened (`docs/contract/capture.md#timestamps`): `offset` counts back from arrival and
 * overrides everything; else the client's time, corrected when its clock is more than a minute off; else arrival. More
 * than 23 hours ahead becomes arrival; before 1900 becomes 1970-01-01. In a historical migration a time is demanded: an
 * event without one is kept at arrival, with a warning.
 */
export const resolveTimestamp: Step = (draft, context) => {
  const { timestamp: written, offset } = draft.item
  const canonicalMs = typeof written === "string" ? readCanonicalTime(written) : null
  const clientMs = canonicalMs ?? readClientTime(draft)
  // Writing a time out again is expensive when a batch has hundreds of them.
  if (clientMs !== null && clientMs >= EARLIEST_MS && clientMs <= LATEST_MS)
    draft.clientTimestamp = canonicalMs !== null && typeof written === "string" ? written : toIso(clientMs)
  if (context.historicalMigration && !isIsoTime(written)) draft.warnings.push("historical_without_timestamp")
  const happenedMs =
    typeof offset === "number" && Number.isSafeInteger(offset)
      ? context.receivedAtMs - offset
      : (correct(clientMs, draft, context) ?? context.receivedAtMs)
  const storableMs = clamp(happenedMs, draft, context)
  const { clientTimestamp } = draft
  draft.timestamp = clientTimestamp !== null && storableMs === clientMs ? clientTimestamp : toIso(storableMs)
  return null
}

const toIso = (timeMs: number): string => new Date(timeMs).toISOString()

function readClientTime(draft: EventDraft): number | null {
  const written = draft.item.timestamp ?? ""
  const clientMs = parseTime(written)
  if (clientMs === null && written !== "") draft.warnings.push("ignored_invalid_timestamp")
  return clientMs
}

function correct(clientMs: number | null, draft: EventDraft, { sentAtMs, receivedAtMs }: StepContext): number | null {
  if (clientMs === null || sentAtMs === null || draft.properties.$ignore_sent_at === true) return clientMs
  const skewMs = sentAtMs - receivedAtMs
  return Math.abs(skewMs) > MIN_CORRECTED_SKEW_MS ? clientMs - skewMs : clientMs
}

function clamp(happenedMs: number, draft: EventDraft, { receivedAtMs }: StepContext): number {
  if (happenedMs > receivedAtMs + MAX_AHEAD_MS) {
    draft.warnings.push("timestamp_in_future")
    return receivedAtMs
  }
  if (happenedMs < EARLIEST_MS) {
    draft.warnings.push("timestamp_out_of_range")
    return 0
  }
  return happenedMs
}
