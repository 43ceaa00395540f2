import { isActive, type RrwebItem } from "./rrweb-item.js"

/** A user who does nothing for longer than this is not active. */
const IDLE_AFTER_MS = 5000
/** A single action is an activity of this length. */
const MIN_SEGMENT_MS = 1

interface Segment {
  readonly isActive: boolean
  readonly startMs: number
  endMs: number
  lastActionMs: number
}

/**
 * Milliseconds in which the user was active (`docs/contract/recordings.md#active-time`). Time is cut into segments: an
 * active one begins with an action and lasts, whatever the page does meanwhile, until no action has come for five
 * seconds.
 * @param items sorted by time.
 */
export function activeMilliseconds(items: readonly RrwebItem[]): number {
  const segments: Segment[] = []
  for (const item of items) {
    const timestampMs = item.timestamp
    const segment = segments.at(-1)
    if (segment === undefined || isCutBy(segment, item)) {
      const start = { startMs: timestampMs, endMs: timestampMs, lastActionMs: timestampMs }
      segments.push({ isActive: isActive(item), ...start })
      continue
    }
    segment.endMs = timestampMs
    if (isActive(item)) segment.lastActionMs = timestampMs
  }
  return segments.reduce(
    (total, { isActive, startMs, endMs }) => total + (isActive ? Math.max(endMs - startMs, MIN_SEGMENT_MS) : 0),
    0,
  )
}

const isCutBy = (segment: Segment, item: RrwebItem): boolean =>
  segment.isActive ? item.timestamp - segment.lastActionMs > IDLE_AFTER_MS : isActive(item)
