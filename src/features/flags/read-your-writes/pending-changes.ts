import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { collectLookup, isGroupIdentify, type PersonEvent } from "../../persons/index.js"
import { joinedIds } from "./joined-ids.js"
import { NamedGroupTypes } from "./named-group-types.js"
import type { AcceptedEvent, AcceptedRequest, NamedGroup, PendingChanges } from "./pending-changes.types.js"
import { PendingEntries, type PendingEntry } from "./pending-entries.js"

const MAX_PENDING_EVENTS = 5_000
/** An event may be a mebibyte; without this bound a burst of large ones would fill the memory before it is stored. */
const MAX_PENDING_CHARACTERS = 32_000_000
const CHANGING_EVENTS: ReadonlySet<string> = new Set([
  "$identify",
  "$create_alias",
  "$merge_dangerously",
  "$set",
  "$set_once",
  "$unset",
  "$groupidentify",
  "$group_identify",
])

/** Makes an empty memory of what is pending. Beyond a bound the oldest is forgotten: it counts once stored. */
export function createPendingChanges(
  maxEvents = MAX_PENDING_EVENTS,
  maxCharacters = MAX_PENDING_CHARACTERS,
): PendingChanges {
  const entries = new PendingEntries(maxEvents, maxCharacters)
  const groupTypes = new NamedGroupTypes(entries)
  let storedBefore: ReadonlySet<string> = new Set()

  const addChange = ({ projectId, receivedAtMs }: AcceptedRequest, accepted: AcceptedEvent, rowId: string): void => {
    const event = { ...accepted, receivedAtMs, timestampMs: Date.parse(accepted.timestamp) }
    const about = subjectsOf(projectId, event)
    if (about.subjects.length > 0) entries.add({ projectId, rowId, event, ...about })
  }

  const addNewTypes = ({ projectId, receivedAtMs }: AcceptedRequest, event: AcceptedEvent, rowId: string): void => {
    const groups = groupTypes.newlyNamed(projectId, event, rowId)
    if (groups.length === 0) return
    const { uuid, properties } = namingOnly(event, groups)
    const naming = { uuid, event: "", distinctId: "", properties, receivedAtMs, timestampMs: receivedAtMs }
    entries.add({ projectId, rowId, event: naming, subjects: [], groupTypes: groups.map(([type]) => type) })
  }

  return {
    findRelevantEvents: (projectId, events) => {
      // Nearly all events are none: this runs for every one that is captured.
      const news: AcceptedEvent[] = []
      for (const event of events) {
        if (changesSomething(event)) news.push(event)
        else {
          const groups = groupTypes.newlyNamed(projectId, event, null)
          if (groups.length > 0) news.push(namingOnly(event, groups))
        }
      }
      return news
    },
    record: (request, rowId) => {
      // The last ones would push all others out again.
      for (const accepted of request.events.slice(-maxEvents)) {
        if (!request.historicalMigration && changesSomething(accepted)) addChange(request, accepted, rowId)
        addNewTypes(request, accepted, rowId)
      }
    },
    concerns: (projectId) => entries.concerns(projectId),
    eventsOf: (projectId, distinctIds) => entries.reachedFrom(projectId, distinctIds.map(personSubject)),
    groupEventsOf: (projectId, groups) => entries.reachedFrom(projectId, groups.map(groupSubject)),
    eventsOfGroupTypes: (projectId, typeNames) => {
      const isPending = typeNames.some((name) => [...entries.ofGroupType(projectId, name)].length > 0)
      return isPending ? entries.aboutGroups(projectId) : []
    },
    projectsWithGroups: () => entries.projectsWithGroups(),
    rowIds: () => entries.rowIds(),
    forgetStored: (rowIds) => {
      const stored = entries.take(({ rowId }) => rowIds.has(rowId) && storedBefore.has(rowId))
      for (const entry of stored) groupTypes.settle(entry)
      storedBefore = rowIds
    },
  }
}

/** Of an event that changes nothing, what is worth knowing until it is stored. */
const namingOnly = (event: AcceptedEvent, groups: readonly [string, Json][]): AcceptedEvent => ({
  ...event,
  properties: { $groups: Object.fromEntries(groups) },
})

/** Whether an event changes a person or a group at all; most do not. */
const changesSomething = ({ event, properties }: AcceptedEvent): boolean =>
  CHANGING_EVENTS.has(event) ||
  properties.$set !== undefined ||
  properties.$set_once !== undefined ||
  properties.$unset !== undefined

function subjectsOf(projectId: ProjectId, event: PersonEvent): Pick<PendingEntry, "subjects" | "groupTypes"> {
  if (!isGroupIdentify(event.event)) return { subjects: joinedIds(event).map(personSubject), groupTypes: [] }
  const { groups } = collectLookup(projectId, [event])
  return { subjects: groups.map(groupSubject), groupTypes: groups.map(({ typeName }) => typeName) }
}

const personSubject = (distinctId: string): string => `person ${distinctId}`
const groupSubject = ({ typeName, key }: NamedGroup): string => `group ${JSON.stringify([typeName, key])}`
