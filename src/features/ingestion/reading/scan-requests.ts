import { isUuid, type ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json, toStorableText } from "../../../kernel/json.js"
import { YieldBudget, yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"
import { type AcceptedEvent, isRetriedText, readLoggedText, SNAPSHOT_EVENT_NAME } from "../../capture/index.js"
import { type CookielessVisit, isCookieless, readVisit, type VisitorIdentity } from "../../cookieless/index.js"
import { type EventLookup, readEventLookup } from "../../persons/index.js"
import type { DeadLetter, DeadLetterReason, LoggedEvent, LoggedRequest } from "../ingestion.types.js"
import { isDamagedRow, toDeadLetterText } from "./dead-letter-text.js"

/** Characters of events that block the event loop for a few milliseconds; an event costs something however small it is. */
const CHARACTERS_PER_YIELD = 200_000
const CHARACTERS_OF_ANY_EVENT = 1_000

/** What is kept in memory of an event until it is processed: the least that says who it is, because there are thousands of them. */
export interface EventMeta {
  /** Number within the batch, counted over all events of all requests: the same at every replay. */
  readonly position: number
  readonly projectId: ProjectId
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  /** What has to be loaded of persons and groups before it; null for a message of a recording. */
  readonly lookup: EventLookup | null
  /** What an event without cookies says of its visitor; null for all others and for messages of recordings. */
  readonly visit: CookielessVisit | null
  /** It was put back after it could not be stored: its uuid is noted already, and is not looked up again. */
  readonly isRetried: boolean
  /** Who that is, once it is known; the ids above are then theirs. */
  readonly visitor: VisitorIdentity | null
}

/** A request with the position of its first event. */
export interface NumberedRequest extends LoggedRequest {
  readonly firstPosition: number
}

/** Requests with their events, as far as those can be processed, in order. */
export interface ScannedRequests {
  readonly requests: readonly NumberedRequest[]
  readonly events: readonly EventMeta[]
}

/** Scans the requests of a batch, some at a time: numbers their events, and drops repetitions of a uuid within the batch. */
export class RequestScanner {
  /** Requests that are no list of events, and items that are no events; capture never writes them. */
  readonly deadLetters: DeadLetter[] = []
  duplicateCount = 0
  private position = 0
  private readonly seen = new Map<ProjectId, Set<string>>()

  /** Parses every event and forgets it again: parsed twice, events cost less than thousands of them kept alive. */
  async scan(requests: readonly LoggedRequest[]): Promise<ScannedRequests> {
    const numbered: NumberedRequest[] = []
    const events: EventMeta[] = []
    const budget = new YieldBudget(CHARACTERS_PER_YIELD)
    for (const request of requests) {
      const { projectId } = request
      const firstPosition = this.position
      numbered.push({ ...request, firstPosition })
      const isRetried = isRetriedText(request.eventsJson)
      const items = this.parse(request)
      for (const accepted of items) {
        const position = this.position++
        const index = position - firstPosition
        if (!this.isUsable(request, accepted, index, isRetried)) continue
        const lookup = this.readLookup(request, accepted, index, isRetried)
        if (lookup === undefined) continue
        const { uuid, event, distinctId } = accepted
        const visit = lookup !== null && isCookieless(accepted.properties) ? findVisit(request, accepted) : null
        events.push({ position, projectId, uuid, event, distinctId, lookup, visit, isRetried, visitor: null })
        if (budget.spend(CHARACTERS_OF_ANY_EVENT + request.eventsJson.length / items.length)) await yieldToEventLoop()
      }
    }
    return { requests: numbered, events }
  }

  /** Undefined for an event of which not even this can be read; it goes to the dead letters. */
  private readLookup(
    request: LoggedRequest,
    event: AcceptedEvent,
    index: number,
    isRetried: boolean,
  ): EventLookup | null | undefined {
    if (event.event === SNAPSHOT_EVENT_NAME) return null
    try {
      return readEventLookup(event)
    } catch (error) {
      const text = toDeadLetterText(event, request, index)
      const { uuid, event: eventName } = event
      const notedUuid = isRetried ? uuid : null
      this.deadLetter(request, "unreadable_event", String(error), { event: text, eventName, notedUuid })
      return undefined
    }
  }

  private deadLetter(
    { eventsJson: _, trace: __, ...facts }: LoggedRequest,
    reason: DeadLetterReason,
    detail: string,
    what: Pick<DeadLetter, "event" | "eventName" | "notedUuid">,
  ): void {
    this.deadLetters.push({ ...facts, reason, detail, ...what })
  }

  private parse(request: LoggedRequest): unknown[] {
    const { eventsJson } = request
    try {
      return readLoggedText(eventsJson)
    } catch (error) {
      const reason = isDamagedRow(eventsJson) ? "unreadable_row" : "unreadable_request"
      const detail = error instanceof Error ? error.message : String(error)
      this.deadLetter(request, reason, detail, { event: toStorableText(eventsJson), eventName: null, notedUuid: null })
      return []
    }
  }

  private isUsable(
    request: LoggedRequest,
    accepted: unknown,
    index: number,
    isRetried: boolean,
  ): accepted is AcceptedEvent {
    if (!isAcceptedEvent(accepted)) {
      const name = isJsonObject(accepted) ? accepted.event : null
      const eventName = typeof name === "string" ? name : null
      const event = toDeadLetterText(accepted, request, index)
      const detail = "this is no event that capture accepts"
      this.deadLetter(request, "not_an_event", detail, { event, eventName, notedUuid: null })
      return false
    }
    if (isRetried) return true
    const uuids = this.seen.get(request.projectId) ?? new Set()
    this.seen.set(request.projectId, uuids)
    const knownBefore = uuids.size
    // In one case, as PostgreSQL compares them.
    uuids.add(accepted.uuid.toLowerCase())
    const isNew = uuids.size > knownBefore
    if (!isNew) this.duplicateCount += 1
    return isNew
  }
}

/** What the handler of an event returns: how many characters it wrote, or `stop` to stop before the event. */
export type Handled = number | "stop"

/**
 * Parses the requests of some events once more and calls `handle` with each event, in order. What `handle` throws passes.
 * @returns how many of the events were handled.
 */
export async function forEachEvent(
  requests: readonly NumberedRequest[],
  events: readonly EventMeta[],
  handle: (meta: EventMeta, event: LoggedEvent, request: NumberedRequest) => Handled,
): Promise<number> {
  const budget = new YieldBudget(CHARACTERS_PER_YIELD)
  let next = 0
  for (const [index, request] of requests.entries()) {
    const end = requests[index + 1]?.firstPosition ?? Number.POSITIVE_INFINITY
    if ((events[next]?.position ?? end) >= end) continue
    const { eventsJson, firstPosition } = request
    // Scanned before, so these are events that capture wrote.
    const items = readLoggedText(eventsJson) as AcceptedEvent[]
    for (let meta = events[next]; meta !== undefined && meta.position < end; meta = events[++next]) {
      const item = items[meta.position - firstPosition]
      if (item === undefined) throw new Error(`the request has no event at ${meta.position}`)
      const written = handle(meta, toLoggedEvent(item, request), request)
      if (written === "stop") return next
      const characters = CHARACTERS_OF_ANY_EVENT + eventsJson.length / items.length + written
      if (budget.spend(characters)) await yieldToEventLoop()
    }
  }
  return events.length
}

/** Field by field, so that all events have one shape; nobody else has the properties. */
const toLoggedEvent = (event: AcceptedEvent, request: NumberedRequest): LoggedEvent => ({
  uuid: event.uuid,
  event: event.event,
  distinctId: event.distinctId,
  properties: event.properties,
  timestamp: event.timestamp,
  clientTimestamp: event.clientTimestamp,
  place: event.place,
  projectId: request.projectId,
  receivedAtMs: request.receivedAtMs,
  clientIp: request.clientIp,
  historicalMigration: request.historicalMigration,
})

/** Null for an event that capture would drop today: it was logged by an older version, and is taken as it stands. */
function findVisit(request: LoggedRequest, accepted: AcceptedEvent): CookielessVisit | null {
  const visit = readVisit(accepted, request)
  return typeof visit === "string" ? null : visit
}

/** Checks what the rest relies on; a list of events that was damaged or written by hand must not hold up its shard. */
function isAcceptedEvent(value: unknown): value is AcceptedEvent {
  if (!isJsonObject(value)) return false
  const { uuid, event, distinctId, properties, timestamp, clientTimestamp, place = null } = value
  return (
    typeof uuid === "string" &&
    isUuid(uuid) &&
    typeof event === "string" &&
    typeof distinctId === "string" &&
    isJsonObject(properties) &&
    isTime(timestamp) &&
    (clientTimestamp === null || isTime(clientTimestamp)) &&
    (place === null || isJsonObject(place))
  )
}

const isTime = (value: Json | undefined): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value))
