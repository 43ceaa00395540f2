import { isUuid, type ProjectId } from "../../kernel/ids.js"
import { isJsonObject, type Json } from "../../kernel/json.js"
import type { AcceptedEvent } from "../capture/index.js"
import type { LoggedEvent, LoggedRequest } from "./ingestion.types.js"
import type { DeadLetter } from "./slice.types.js"

/** An event with its place in the slice, counted over all events of all requests: the same at every replay. */
export interface PlacedEvent {
  readonly position: number
  readonly event: LoggedEvent
}

/** Parses a slice's requests part by part: counts places, and drops repetitions of a uuid within the slice. */
export class RequestReader {
  /** What is no list of events, or no event: capture never writes such a row. */
  readonly deadLetters: DeadLetter[] = []
  duplicateCount = 0
  private position = 0
  private readonly seen = new Set<string>()

  read(requests: readonly LoggedRequest[]): PlacedEvent[] {
    return requests.flatMap((request) => this.readOne(request))
  }

  private readOne(request: LoggedRequest): PlacedEvent[] {
    const { eventsJson: _, ...facts } = request
    const parsed = parseEvents(request)
    if (!Array.isArray(parsed)) {
      this.deadLetters.push(parsed)
      return []
    }
    const events: PlacedEvent[] = []
    for (const accepted of parsed) {
      const position = this.position++
      // Nobody else has what was just parsed, so nothing is copied.
      if (this.isUsable(request.projectId, accepted)) events.push({ position, event: Object.assign(accepted, facts) })
    }
    return events
  }

  private isUsable(projectId: ProjectId, accepted: unknown): accepted is AcceptedEvent {
    if (!isAcceptedEvent(accepted)) {
      const reason = "this is no event that capture accepts"
      this.deadLetters.push({ projectId, event: JSON.stringify(accepted), reason })
      return false
    }
    const key = `${projectId}:${accepted.uuid}`
    const isNew = !this.seen.has(key)
    this.seen.add(key)
    if (!isNew) this.duplicateCount += 1
    return isNew
  }
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
