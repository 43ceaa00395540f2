import { isUuid } from "../../kernel/ids.js"
import { isJsonObject, type Json } from "../../kernel/json.js"
import type { AcceptedEvent } from "../capture/index.js"
import type { LoggedEvent, LoggedRequest } from "./ingestion.types.js"
import type { DeadLetter } from "./slice.types.js"

/** An event with its place in the slice, counted over all events of all requests: the same at every replay. */
export interface PlacedEvent {
  readonly position: number
  readonly event: LoggedEvent
}

export interface ReadRequests {
  readonly events: readonly PlacedEvent[]
  /** What is no list of events, or no event: capture never writes such a row. */
  readonly deadLetters: readonly DeadLetter[]
  /** Events whose uuid the slice has twice; the first one counts. */
  readonly duplicateCount: number
}

/** Parses the requests of a slice and drops repetitions within it. */
export function readRequests(requests: readonly LoggedRequest[]): ReadRequests {
  const events: PlacedEvent[] = []
  const deadLetters: DeadLetter[] = []
  const seen = new Set<string>()
  let position = 0
  let duplicateCount = 0
  for (const request of requests) {
    const { projectId, receivedAtMs, clientIp, historicalMigration } = request
    const parsed = parseEvents(request)
    if (!Array.isArray(parsed)) {
      deadLetters.push(parsed)
      continue
    }
    for (const accepted of parsed) {
      position += 1
      if (!isAcceptedEvent(accepted)) {
        deadLetters.push({
          projectId,
          event: JSON.stringify(accepted),
          reason: "this is no event that capture accepts",
        })
        continue
      }
      const key = `${projectId}:${accepted.uuid}`
      if (!seen.has(key))
        events.push({
          position: position - 1,
          event: { ...accepted, projectId, receivedAtMs, clientIp, historicalMigration },
        })
      else duplicateCount += 1
      seen.add(key)
    }
  }
  return { events, deadLetters, duplicateCount }
}

function parseEvents({ projectId, eventsJson }: LoggedRequest): unknown[] | DeadLetter {
  const unreadable = (reason: string): DeadLetter => ({ projectId, event: eventsJson, reason })
  try {
    const parsed: unknown = JSON.parse(eventsJson)
    return Array.isArray(parsed) ? parsed : unreadable("the logged request is not a list of events")
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error))
  }
}

/** Checks what the rest relies on; a list of events that was damaged or written by hand must not hold up its shard. */
function isAcceptedEvent(value: unknown): value is AcceptedEvent {
  if (!isJsonObject(value)) return false
  const { uuid, event, distinctId, properties, timestamp, clientTimestamp } = value
  return (
    typeof uuid === "string" &&
    isUuid(uuid) &&
    typeof event === "string" &&
    typeof distinctId === "string" &&
    isJsonObject(properties) &&
    isTime(timestamp) &&
    (clientTimestamp === null || isTime(clientTimestamp))
  )
}

const isTime = (value: Json | undefined): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value))
