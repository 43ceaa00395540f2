import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { collectQuestion, type PersonEvent } from "../../persons/index.js"

/** An accepted event as capture knows it, as far as persons are concerned. */
export interface AcceptedPersonEvent {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly properties: JsonObject
  /** ISO 8601. */
  readonly timestamp: string
}

/** The accepted events of one request, which capture has on disk. */
export interface AcceptedRequest {
  readonly projectId: ProjectId
  readonly receivedAtMs: number
  readonly historicalMigration: boolean
  readonly events: readonly AcceptedPersonEvent[]
}

/** An event that changes a person, and the row of the ingest log that holds it until ingestion has stored it. */
export interface PendingEvent {
  readonly rowId: string
  readonly event: PersonEvent
}

/**
 * Changes of persons that capture has acknowledged in this process and ingestion may not have stored yet. Bounded: beyond
 * the limit the oldest are forgotten, and are then seen once they are stored.
 */
export interface PendingPersonChanges {
  /** Called by capture before it answers. */
  record(request: AcceptedRequest, rowId: string): void
  /** Whether anything of the project may still be pending. */
  concerns(projectId: ProjectId): boolean
  /** What is pending for these ids and for ids that pending events join to them, in order of arrival. */
  eventsOf(projectId: ProjectId, distinctIds: readonly string[]): PendingEvent[]
  /** Rows that hold something pending. */
  rowIds(): string[]
  /** Forgets rows that were named here twice in a row, so that whoever began to read before the first time is not cut short. */
  forgetStored(rowIds: ReadonlySet<string>): void
}

const MAX_PENDING_EVENTS = 5_000
const PERSON_EVENTS: ReadonlySet<string> = new Set([
  "$identify",
  "$create_alias",
  "$merge_dangerously",
  "$set",
  "$set_once",
  "$unset",
])

interface Entry extends PendingEvent {
  readonly sequence: number
  readonly projectId: ProjectId
  /** Every id the event is about: its own and those it joins. */
  readonly distinctIds: readonly string[]
}

export function createPendingPersonChanges(maxEvents = MAX_PENDING_EVENTS): PendingPersonChanges {
  const entries = new Set<Entry>()
  const byDistinctId = new Map<ProjectId, Map<string, Set<Entry>>>()
  let storedBefore: ReadonlySet<string> = new Set()
  let sequence = 0

  const add = (entry: Entry): void => {
    entries.add(entry)
    const ofProject = byDistinctId.get(entry.projectId) ?? new Map<string, Set<Entry>>()
    byDistinctId.set(entry.projectId, ofProject)
    for (const id of entry.distinctIds) ofProject.set(id, (ofProject.get(id) ?? new Set()).add(entry))
    if (entries.size > maxEvents) remove(entries.values().next().value as Entry)
  }

  const remove = (entry: Entry): void => {
    entries.delete(entry)
    const ofProject = byDistinctId.get(entry.projectId)
    for (const id of entry.distinctIds) {
      const ofId = ofProject?.get(id)
      ofId?.delete(entry)
      if (ofId?.size === 0) ofProject?.delete(id)
    }
    if (ofProject?.size === 0) byDistinctId.delete(entry.projectId)
  }

  return {
    record: ({ projectId, receivedAtMs, historicalMigration, events }, rowId) => {
      if (historicalMigration) return
      for (const accepted of events) {
        if (!changesPerson(accepted)) continue
        const event = { ...accepted, receivedAtMs, timestampMs: Date.parse(accepted.timestamp) }
        const { distinctIds } = collectQuestion(projectId, [event])
        add({ sequence: sequence++, projectId, rowId, event, distinctIds })
      }
    },
    concerns: (projectId) => byDistinctId.has(projectId),
    eventsOf: (projectId, distinctIds) => {
      const ofProject = byDistinctId.get(projectId)
      const reached = new Set<string>()
      const found = new Set<Entry>()
      const waiting = [...distinctIds]
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (reached.has(id)) continue
        reached.add(id)
        for (const entry of ofProject?.get(id) ?? []) {
          found.add(entry)
          waiting.push(...entry.distinctIds)
        }
      }
      return [...found].sort((left, right) => compareRows(left, right) || left.sequence - right.sequence)
    },
    rowIds: () => [...new Set([...entries].map(({ rowId }) => rowId))],
    forgetStored: (rowIds) => {
      for (const entry of [...entries]) if (rowIds.has(entry.rowId) && storedBefore.has(entry.rowId)) remove(entry)
      storedBefore = rowIds
    },
  }
}

const changesPerson = ({ event, properties }: AcceptedPersonEvent): boolean =>
  PERSON_EVENTS.has(event) ||
  properties.$set !== undefined ||
  properties.$set_once !== undefined ||
  properties.$unset !== undefined

/** Rows are worked on in the order of their numbers, which may have more digits than a double holds. */
const compareRows = (left: PendingEvent, right: PendingEvent): number =>
  left.rowId.length - right.rowId.length || (left.rowId < right.rowId ? -1 : Number(left.rowId > right.rowId))
