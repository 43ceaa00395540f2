import { isUuid, type ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import { yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"
import { type AcceptedEvent, readLoggedText, SNAPSHOT_EVENT_NAME } from "../../capture/index.js"
import { type CookielessVisit, isCookieless, readVisit, type VisitorIdentity } from "../../cookieless/index.js"
import { type AskedOfEvent, readAsked } from "../../persons/index.js"
import type { LoggedEvent, LoggedRequest } from "../ingestion.types.js"
import type { DeadLetter } from "../slices/slice.types.js"
import { deadLetterText } from "./dead-letter-text.js"
import { EventYieldBudget } from "./event-yield-budget.js"

/** What is kept of an event until it is worked out: the least that says who it is, because a part has thousands of them. */
export interface EventHead {
  /** Place in the slice, counted over all events of all requests: the same at every replay. */
  readonly position: number
  readonly projectId: ProjectId
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  /** What has to be known of persons and groups before it; null for a message of a recording. */
  readonly asked: AskedOfEvent | null
  /** What an event without cookies tells of its visitor; null for all others and for messages of recordings. */
  readonly visit: CookielessVisit | null
  /** Who that is, once it is known; the ids above are then theirs. */
  readonly visitor: VisitorIdentity | null
}

/** A request with the place of its first event. */
export interface PlacedRequest extends LoggedRequest {
  readonly firstPosition: number
}

/** The requests of a part, looked through. */
export interface ReadPart {
  readonly requests: readonly PlacedRequest[]
  /** Events that can be worked on, in order. */
  readonly heads: readonly EventHead[]
}

/** Looks through a slice's requests part by part: counts places, and drops repetitions of a uuid within the slice. */
export class RequestReader {
  /** Requests that are no list of events, and items that are no events; capture never writes them. */
  readonly deadLetters: DeadLetter[] = []
  duplicateCount = 0
  private position = 0
  private readonly seen = new Map<ProjectId, Set<string>>()

  /** Parses every event and forgets it again: read twice, events cost less than thousands of them kept alive. */
  async read(requests: readonly LoggedRequest[]): Promise<ReadPart> {
    const placed: PlacedRequest[] = []
    const heads: EventHead[] = []
    const budget = new EventYieldBudget()
    for (const request of requests) {
      const { projectId } = request
      const firstPosition = this.position
      placed.push({ ...request, firstPosition })
      const events = this.parse(request)
      for (const accepted of events) {
        const position = this.position++
        const index = position - firstPosition
        if (!this.isUsable(request, accepted, index)) continue
        const asked = this.askedOf(request, accepted, index)
        if (asked === undefined) continue
        const { uuid, event, distinctId } = accepted
        const visit = asked !== null && isCookieless(accepted.properties) ? visitOf(request, accepted) : null
        heads.push({ position, projectId, uuid, event, distinctId, asked, visit, visitor: null })
        if (budget.spend(request.eventsJson.length / events.length)) await yieldToEventLoop()
      }
    }
    return { requests: placed, heads }
  }

  /** Undefined for an event of which not even this can be read; it goes to the dead letters. */
  private askedOf(request: LoggedRequest, event: AcceptedEvent, index: number): AskedOfEvent | null | undefined {
    if (event.event === SNAPSHOT_EVENT_NAME) return null
    try {
      return readAsked(event)
    } catch (error) {
      this.bury(request, event, index, String(error))
      return undefined
    }
  }

  private bury(request: LoggedRequest, event: unknown, index: number, reason: string): void {
    this.deadLetters.push({ projectId: request.projectId, event: deadLetterText(event, request, index), reason })
  }

  private parse(request: LoggedRequest): unknown[] {
    const parsed = parseEvents(request)
    if (Array.isArray(parsed)) return parsed
    this.deadLetters.push(parsed)
    return []
  }

  private isUsable(request: LoggedRequest, accepted: unknown, index: number): accepted is AcceptedEvent {
    if (!isAcceptedEvent(accepted)) {
      this.bury(request, accepted, index, "this is no event that capture accepts")
      return false
    }
    const { seen } = this
    let uuids = seen.get(request.projectId)
    if (uuids === undefined) {
      uuids = new Set()
      seen.set(request.projectId, uuids)
    }
    const knownBefore = uuids.size
    // In one case, as PostgreSQL compares them.
    uuids.add(accepted.uuid.toLowerCase())
    const isNew = uuids.size > knownBefore
    if (!isNew) this.duplicateCount += 1
    return isNew
  }
}

/** What a reader of events answers for each: how many characters were written about it, or `end` to stop before it. */
export type Used = number | "end"

/**
 * Parses the requests of some events once more and gives each event to `use`, in order. What `use` throws passes.
 * @returns how many of the events were used.
 */
export async function readEvents(
  requests: readonly PlacedRequest[],
  heads: readonly EventHead[],
  use: (head: EventHead, event: LoggedEvent, request: PlacedRequest) => Used,
): Promise<number> {
  const budget = new EventYieldBudget()
  let next = 0
  for (const [index, request] of requests.entries()) {
    const end = requests[index + 1]?.firstPosition ?? Number.POSITIVE_INFINITY
    if ((heads[next]?.position ?? end) >= end) continue
    const { eventsJson, firstPosition } = request
    const events = readLoggedText(eventsJson) as AcceptedEvent[]
    for (let head = heads[next]; head !== undefined && head.position < end; head = heads[++next]) {
      const used = use(head, toLoggedEvent(events[head.position - firstPosition] as AcceptedEvent, request), request)
      if (used === "end") return next
      if (budget.spend(eventsJson.length / events.length + used)) await yieldToEventLoop()
    }
  }
  return heads.length
}

/** Field by field, so that all events have one shape; nobody else has the properties. */
const toLoggedEvent = (event: AcceptedEvent, request: PlacedRequest): LoggedEvent => ({
  uuid: event.uuid,
  event: event.event,
  distinctId: event.distinctId,
  properties: event.properties,
  timestamp: event.timestamp,
  clientTimestamp: event.clientTimestamp,
  projectId: request.projectId,
  receivedAtMs: request.receivedAtMs,
  clientIp: request.clientIp,
  historicalMigration: request.historicalMigration,
})

/** Null for an event that capture would drop today: it was logged by an older version, and is taken as it stands. */
function visitOf(request: LoggedRequest, accepted: AcceptedEvent): CookielessVisit | null {
  const visit = readVisit(accepted, request)
  return typeof visit === "string" ? null : visit
}

function parseEvents({ projectId, eventsJson }: LoggedRequest): unknown[] | DeadLetter {
  const unreadable = (reason: string): DeadLetter => ({ projectId, event: eventsJson, reason })
  try {
    return readLoggedText(eventsJson)
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
