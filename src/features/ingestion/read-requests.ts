import { isUuid, type ProjectId } from "../../kernel/ids.js"
import { isJsonObject, type Json } from "../../kernel/json.js"
import { type AcceptedEvent, SNAPSHOT_EVENT_NAME } from "../capture/index.js"
import { type ProjectQuestion, QuestionCollector } from "../persons/index.js"
import type { LoggedEvent, LoggedRequest } from "./ingestion.types.js"
import type { DeadLetter } from "./slice.types.js"
import { Turns } from "./turns.js"

/** What is kept of an event until it is worked out: the least that says who it is, because a part has thousands of them. */
export interface EventHead {
  /** Place in the slice, counted over all events of all requests: the same at every replay. */
  readonly position: number
  readonly projectId: ProjectId
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
}

/** A request with the place of its first event. */
export interface PlacedRequest extends LoggedRequest {
  readonly firstPosition: number
}

export interface ReadPart {
  readonly requests: readonly PlacedRequest[]
  /** Events that can be worked on, in order. */
  readonly heads: readonly EventHead[]
  /** What those of them that are no messages of recordings need to know, one question for each project. */
  readonly questions: readonly ProjectQuestion[]
}

/** Looks through a slice's requests part by part: counts places, and drops repetitions of a uuid within the slice. */
export class RequestReader {
  /** What is no list of events, or no event: capture never writes such a row. */
  readonly deadLetters: DeadLetter[] = []
  duplicateCount = 0
  private position = 0
  private readonly seen = new Set<string>()

  /** Parses every event and forgets it again: read twice, events cost less than thousands of them kept alive. */
  async read(requests: readonly LoggedRequest[]): Promise<ReadPart> {
    const placed: PlacedRequest[] = []
    const heads: EventHead[] = []
    const collectors = new Map<ProjectId, QuestionCollector>()
    const turns = new Turns()
    for (const request of requests) {
      const { projectId } = request
      placed.push({ ...request, firstPosition: this.position })
      const events = this.parse(request)
      for (const accepted of events) {
        const position = this.position++
        if (!this.isUsable(projectId, accepted)) continue
        const { uuid, event, distinctId } = accepted
        if (event === SNAPSHOT_EVENT_NAME || this.canAsk(request, collectorOf(collectors, projectId), accepted))
          heads.push({ position, projectId, uuid, event, distinctId })
        if (turns.isOver(request.eventsJson.length / events.length)) await turns.next()
      }
    }
    return { requests: placed, heads, questions: [...collectors.values()].map((collector) => collector.question()) }
  }

  /** Adds to the question; an event of which not even that can be made is kept with its whole request. */
  private canAsk(
    { projectId, eventsJson }: LoggedRequest,
    collector: QuestionCollector,
    event: AcceptedEvent,
  ): boolean {
    try {
      collector.add(event)
      return true
    } catch (error) {
      this.deadLetters.push({ projectId, event: eventsJson, reason: String(error) })
      return false
    }
  }

  private parse(request: LoggedRequest): unknown[] {
    const parsed = parseEvents(request)
    if (Array.isArray(parsed)) return parsed
    this.deadLetters.push(parsed)
    return []
  }

  private isUsable(projectId: ProjectId, accepted: unknown): accepted is AcceptedEvent {
    if (!isAcceptedEvent(accepted)) {
      const reason = "this is no event that capture accepts"
      this.deadLetters.push({ projectId, event: JSON.stringify(accepted), reason })
      return false
    }
    // In one case, as PostgreSQL compares them.
    const key = `${projectId}:${accepted.uuid.toLowerCase()}`
    const isNew = !this.seen.has(key)
    this.seen.add(key)
    if (!isNew) this.duplicateCount += 1
    return isNew
  }
}

/** Parses the requests of some events once more and gives each event to `use`, in order. What `use` throws passes. */
export async function readEvents(
  requests: readonly PlacedRequest[],
  heads: readonly EventHead[],
  use: (head: EventHead, event: LoggedEvent) => void,
): Promise<void> {
  const turns = new Turns()
  let next = 0
  for (const [index, request] of requests.entries()) {
    const end = requests[index + 1]?.firstPosition ?? Number.POSITIVE_INFINITY
    if ((heads[next]?.position ?? end) >= end) continue
    const { eventsJson, firstPosition, ...facts } = request
    const events = JSON.parse(eventsJson) as AcceptedEvent[]
    for (let head = heads[next]; head !== undefined && head.position < end; head = heads[++next]) {
      // Nobody else has what was just parsed, so nothing is copied.
      use(head, Object.assign(events[head.position - firstPosition] as AcceptedEvent, facts))
      if (turns.isOver(eventsJson.length / events.length)) await turns.next()
    }
  }
}

function collectorOf(collectors: Map<ProjectId, QuestionCollector>, projectId: ProjectId): QuestionCollector {
  let collector = collectors.get(projectId)
  if (collector === undefined) {
    collector = new QuestionCollector(projectId)
    collectors.set(projectId, collector)
  }
  return collector
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
