import type { ProjectId } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import {
  collectQuestion,
  groupsNamedBy,
  isGroupIdentify,
  MAX_GROUP_TYPES,
  type PersonEvent,
} from "../../persons/index.js"
import { EntryIndex } from "./entry-index.js"

/** An accepted event as capture knows it, as far as persons and groups are concerned. */
export interface AcceptedEvent {
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
  readonly events: readonly AcceptedEvent[]
}

/** A group as a request names it. */
export interface NamedGroup {
  readonly typeName: string
  readonly key: string
}

/**
 * An event that changes a person or a group, or names a new type of group, and the row of the ingest log that holds it until
 * ingestion has stored it.
 */
export interface PendingEvent {
  readonly rowId: string
  readonly event: PersonEvent
}

/**
 * Changes of persons and groups that capture has acknowledged in this process, or another one told of, and that ingestion may
 * not have stored yet. Bounded in number and size: beyond that the oldest are forgotten, and are then seen once they are stored.
 */
export interface PendingChanges {
  /**
   * What of some accepted events is to be recorded: those that change something, and of those that name a new type of group
   * no more than that.
   */
  newsIn(projectId: ProjectId, events: readonly AcceptedEvent[]): AcceptedEvent[]
  /** Called by capture before it answers. */
  record(request: AcceptedRequest, rowId: string): void
  /** Whether anything of the project may still be pending. */
  concerns(projectId: ProjectId): boolean
  /** What is pending for these ids and for ids that pending events join to them, in order of arrival. */
  eventsOf(projectId: ProjectId, distinctIds: readonly string[]): PendingEvent[]
  /** What is pending for these groups, in order of arrival. */
  groupEventsOf(projectId: ProjectId, groups: readonly NamedGroup[]): PendingEvent[]
  /**
   * What is pending for the groups of a project, of whatever type, when some of it is of one of these types; else nothing.
   * Types get their places in the order in which they arrive, also those that an event merely names in `$groups`.
   */
  eventsOfGroupTypes(projectId: ProjectId, typeNames: readonly string[]): PendingEvent[]
  /** Projects of whose groups something may be pending. */
  projectsWithGroups(): ProjectId[]
  /** Rows that hold something pending. */
  rowIds(): string[]
  /** Forgets rows that were named here twice in a row, so that whoever began to read before the first time is not cut short. */
  forgetStored(rowIds: ReadonlySet<string>): void
}

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

interface Entry extends PendingEvent {
  readonly sequence: number
  readonly projectId: ProjectId
  /** What the event is about: its own id and those it joins, or one group. */
  readonly subjects: readonly string[]
  /** Types of the groups it is about. */
  readonly groupTypes: readonly string[]
  /** About as many as the JSON of its properties has. */
  readonly characters: number
}

/** Makes an empty memory of what is pending. Beyond a bound the oldest is forgotten: it counts once stored. */
export function createPendingChanges(
  maxEvents = MAX_PENDING_EVENTS,
  maxCharacters = MAX_PENDING_CHARACTERS,
): PendingChanges {
  const entries = new Set<Entry>()
  let characters = 0
  const bySubject = new EntryIndex<Entry>()
  const byGroupType = new EntryIndex<Entry>()
  /** Group types that ingestion has dealt with: they have their places, or there was none left. */
  const settledTypes = new Map<ProjectId, Set<string>>()
  let storedBefore: ReadonlySet<string> = new Set()
  let sequence = 0

  const add = (entry: Entry): void => {
    entries.add(entry)
    characters += entry.characters
    bySubject.add(entry, entry.subjects)
    byGroupType.add(entry, entry.groupTypes)
    for (const oldest of entries) {
      if (entries.size <= maxEvents && characters <= maxCharacters) break
      remove(oldest)
    }
  }

  const addChange = ({ projectId, receivedAtMs }: AcceptedRequest, accepted: AcceptedEvent, rowId: string): void => {
    const event = { ...accepted, receivedAtMs, timestampMs: Date.parse(accepted.timestamp) }
    const about = subjectsOf(projectId, event)
    if (about.subjects.length === 0) return
    add({ sequence: sequence++, projectId, rowId, event, ...about, characters: charactersOf(event.properties) })
  }

  const remove = (entry: Entry): void => {
    entries.delete(entry)
    characters -= entry.characters
    bySubject.remove(entry, entry.subjects)
    byGroupType.remove(entry, entry.groupTypes)
  }

  const settle = ({ projectId, groupTypes }: Entry): void => {
    const settled = settledTypes.get(projectId) ?? new Set<string>()
    settledTypes.set(projectId, settled)
    for (const name of groupTypes) if (settled.size < MAX_GROUP_TYPES) settled.add(name)
  }

  /** Whether some other name could still get one of the places. */
  const hasFreePlace = (projectId: ProjectId): boolean => {
    const names = new Set(settledTypes.get(projectId))
    for (const name of byGroupType.names(projectId)) if (names.size < MAX_GROUP_TYPES) names.add(name)
    return names.size < MAX_GROUP_TYPES
  }

  /** Groups whose type nothing before this row has named; nothing at all, when the row is not known yet. */
  const newlyNamed = (projectId: ProjectId, event: AcceptedEvent, rowId: string | null) => {
    if (event.properties.$groups === undefined && !isGroupIdentify(event.event)) return []
    const settled = settledTypes.get(projectId)
    if (settled?.size === MAX_GROUP_TYPES) return []
    const isNamed = (type: string): boolean =>
      [...byGroupType.get(projectId, type)].some((entry) => rowId === null || compareRowIds(entry.rowId, rowId) <= 0)
    const groups = groupsNamedBy(event).filter(([type]) => !settled?.has(type) && !isNamed(type))
    return groups.length === 0 || hasFreePlace(projectId) ? groups.slice(0, MAX_GROUP_TYPES) : []
  }

  const addNewTypes = ({ projectId, receivedAtMs }: AcceptedRequest, event: AcceptedEvent, rowId: string): void => {
    const groups = newlyNamed(projectId, event, rowId)
    if (groups.length === 0) return
    const { uuid, properties } = namingOnly(event, groups)
    const naming = { uuid, event: "", distinctId: "", properties, receivedAtMs, timestampMs: receivedAtMs }
    const groupTypes = groups.map(([type]) => type)
    const characters = charactersOf(properties)
    add({ sequence: sequence++, projectId, rowId, event: naming, subjects: [], groupTypes, characters })
  }

  const reachedFrom = (projectId: ProjectId, subjects: readonly string[]): Entry[] => {
    const reached = new Set<string>()
    const found = new Set<Entry>()
    const waiting = [...subjects]
    for (let subject = waiting.pop(); subject !== undefined; subject = waiting.pop()) {
      if (reached.has(subject)) continue
      reached.add(subject)
      for (const entry of bySubject.get(projectId, subject)) {
        found.add(entry)
        waiting.push(...entry.subjects)
      }
    }
    return [...found].sort(byArrival)
  }

  return {
    newsIn: (projectId, events) => {
      // Nearly all events are none: this runs for every one that is captured.
      const news: AcceptedEvent[] = []
      for (const event of events) {
        if (changesSomething(event)) news.push(event)
        else {
          const groups = newlyNamed(projectId, event, null)
          if (groups.length > 0) news.push(namingOnly(event, groups))
        }
      }
      return news
    },
    record: (request, rowId) => {
      for (const accepted of request.events) {
        if (!request.historicalMigration && changesSomething(accepted)) addChange(request, accepted, rowId)
        addNewTypes(request, accepted, rowId)
      }
    },
    concerns: (projectId) => bySubject.holds(projectId),
    eventsOf: (projectId, distinctIds) => reachedFrom(projectId, distinctIds.map(personSubject)),
    groupEventsOf: (projectId, groups) => reachedFrom(projectId, groups.map(groupSubject)),
    eventsOfGroupTypes: (projectId, typeNames) => {
      const isPending = typeNames.some((name) => [...byGroupType.get(projectId, name)].length > 0)
      return isPending ? [...byGroupType.all(projectId)].sort(byArrival) : []
    },
    projectsWithGroups: () => byGroupType.projectIds(),
    rowIds: () => [...new Set([...entries].map(({ rowId }) => rowId))],
    forgetStored: (rowIds) => {
      for (const entry of [...entries])
        if (rowIds.has(entry.rowId) && storedBefore.has(entry.rowId)) {
          settle(entry)
          remove(entry)
        }
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

function subjectsOf(projectId: ProjectId, event: PersonEvent): Pick<Entry, "subjects" | "groupTypes"> {
  const { distinctIds, groups } = collectQuestion(projectId, [event])
  if (!isGroupIdentify(event.event)) return { subjects: distinctIds.map(personSubject), groupTypes: [] }
  return { subjects: groups.map(groupSubject), groupTypes: groups.map(({ typeName }) => typeName) }
}

/** Counts without making the text: only the bound is at stake. */
function charactersOf(value: Json): number {
  if (typeof value === "string") return value.length + 2
  if (typeof value !== "object" || value === null) return 8
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + charactersOf(one), 2)
  let sum = 2
  for (const key in value) sum += key.length + 4 + charactersOf(value[key] as Json)
  return sum
}

const personSubject = (distinctId: string): string => `person ${distinctId}`
const groupSubject = ({ typeName, key }: NamedGroup): string => `group ${JSON.stringify([typeName, key])}`

/** Rows are worked on in the order of their numbers, which may have more digits than a double holds. */
const compareRowIds = (left: string, right: string): number =>
  left.length - right.length || (left < right ? -1 : Number(left > right))

const byArrival = (left: Entry, right: Entry): number =>
  compareRowIds(left.rowId, right.rowId) || left.sequence - right.sequence
