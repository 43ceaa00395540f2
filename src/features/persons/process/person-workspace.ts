import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { ProjectChanges, ProjectFacts } from "../persons.types.js"
import { isGroupIdentify, leavesPersonUnchanged } from "./event-names.js"
import { GroupRegistry, MAX_GROUP_TYPES } from "./group-registry.js"
import { mergePersons } from "./merge-persons.js"
import { readMergeRequest } from "./merge-request.js"
import { buildNewProperties } from "./new-person.js"
import { readPersonOperations } from "./person-operations.js"
import { type Person, PersonRegistry } from "./person-registry.js"
import type {
  DroppedEvent,
  EventPerson,
  KeptEvent,
  PersonEvent,
  PersonMode,
  PersonOperations,
  ProcessedEvent,
  ProcessingWarning,
} from "./process.types.js"
import { readProfileMode } from "./profile-mode.js"

/**
 * An event without a profile counts for an existing person only when it is this much younger than the person
 * (`docs/contract/capture.md#person-profiles`).
 */
const FORCE_UPGRADE_AFTER_MS = 60_000
/**
 * The event's person was deleted with all events before this event was processed. There is no warning, because it would
 * name somebody who wants to be forgotten.
 */
const DROPPED_WITHOUT_TRACE: DroppedEvent = { kept: false, warnings: [] }
const NO_GROUPS: readonly string[] = Array.from({ length: MAX_GROUP_TYPES }, () => "")

/**
 * The persons and groups of one project while a batch is processed: gets the facts that its events touch, then the events in order,
 * returns the changes, and so on, chunk by chunk. Knows no store, clock or randomness: the same facts and events always give the
 * same result, which is what makes the replay of a batch harmless.
 */
export class PersonWorkspace {
  private readonly persons: PersonRegistry
  private readonly groups = new GroupRegistry()
  private readonly deletedAtMs = new Map<string, number>()

  constructor(
    private readonly projectId: ProjectId,
    facts: ProjectFacts,
  ) {
    this.persons = new PersonRegistry(projectId)
    this.addFacts(facts)
  }

  /** Adds facts about ids and groups that no event has touched so far; what is known already stays as it is. */
  addFacts(facts: ProjectFacts): void {
    this.persons.addFacts(facts)
    this.groups.addFacts(facts)
    for (const { distinctId, deletedAtMs } of facts.deletedIds ?? []) this.deletedAtMs.set(distinctId, deletedAtMs)
  }

  /** Of the JSON of all persons and groups that it knows. */
  get characters(): number {
    return this.persons.characters + this.groups.characters
  }

  process(event: PersonEvent): ProcessedEvent {
    if (event.receivedAtMs <= (this.deletedAtMs.get(event.distinctId) ?? Number.NEGATIVE_INFINITY))
      return DROPPED_WITHOUT_TRACE
    this.persons.beginEvent()
    const { mode, warnings } = readProfileMode(event)
    if (mode === "drop") return { kept: false, warnings }
    if (mode === "no_profile") return this.processWithoutProfile(event)
    if (isGroupIdentify(event.event)) return this.processGroupIdentify(event, warnings)
    return this.processWithProfile(event, [...warnings])
  }

  /** What the events since the last call have changed. */
  takeChanges(): ProjectChanges {
    return { projectId: this.projectId, ...this.persons.takeChanges(), ...this.groups.takeChanges() }
  }

  private processWithProfile(event: PersonEvent, warnings: ProcessingWarning[]): KeptEvent {
    const operations = readPersonOperations(event)
    const request = readMergeRequest(event)
    if (request !== null) warnings.push(...mergePersons(this.persons, event, request, operations))
    const known = this.persons.find(event.distinctId)
    const person = known ?? this.create(event, operations, warnings)
    if (known !== null && !leavesPersonUnchanged(event.event)) this.update(event, person, operations, warnings)
    const stored = withoutKeys(event.properties, "$process_person_profile")
    return this.keep(stored, this.persons.toEventPerson(person), "full", warnings)
  }

  /**
   * The SDKs make up a distinct id per group; a person for it would only be clutter
   * (`docs/contract/capture.md#groups`), so none is created.
   */
  private processGroupIdentify(event: PersonEvent, warnings: readonly ProcessingWarning[]): KeptEvent {
    const groupWarnings = this.groups.identify(event)
    const person = this.persons.find(event.distinctId)
    const stored = withoutKeys(event.properties, "$process_person_profile", "$set", "$set_once", "$unset")
    return this.keep(
      stored,
      person === null ? this.persons.rememberWithoutProfile(event.distinctId) : this.persons.toEventPerson(person),
      person === null ? "propertyless" : "full",
      [...warnings, ...groupWarnings],
    )
  }

  private processWithoutProfile(event: PersonEvent): KeptEvent {
    const properties = withoutKeys(event.properties, "$set", "$set_once", "$unset")
    const person = this.persons.find(event.distinctId)
    if (person === null) {
      const standIn = this.persons.rememberWithoutProfile(event.distinctId)
      return { kept: true, properties, person: standIn, personMode: "propertyless", groupKeys: NO_GROUPS, warnings: [] }
    }
    const upgraded = event.timestampMs > person.createdAtMs + FORCE_UPGRADE_AFTER_MS
    const eventPerson = this.persons.toEventPerson(person)
    return {
      kept: true,
      properties,
      person: upgraded ? eventPerson : { ...eventPerson, propertiesJson: "{}", copiedJson: "{}" },
      personMode: upgraded ? "force_upgrade" : "propertyless",
      groupKeys: NO_GROUPS,
      warnings: [],
    }
  }

  private create(event: PersonEvent, operations: PersonOperations, warnings: ProcessingWarning[]): Person {
    const { properties, fits } = buildNewProperties(event, operations)
    if (!fits) warnings.push(sizeViolation(event))
    return this.persons.create(event.distinctId, {
      properties,
      isIdentified: false,
      createdAtMs: event.timestampMs,
    })
  }

  private update(
    event: PersonEvent,
    person: Person,
    operations: PersonOperations,
    warnings: ProcessingWarning[],
  ): void {
    if (!this.persons.update(person, operations)) warnings.push(sizeViolation(event))
  }

  private keep(
    properties: JsonObject,
    person: EventPerson,
    personMode: PersonMode,
    warnings: readonly ProcessingWarning[],
  ): KeptEvent {
    const keys = this.groups.groupKeysByType(properties.$groups)
    if (keys === null || keys.size === 0)
      return { kept: true, properties, person, personMode, groupKeys: NO_GROUPS, warnings }
    const withGroups = { ...properties }
    const groupKeys = [...NO_GROUPS]
    for (const [typeIndex, key] of keys) {
      withGroups[`$group_${typeIndex}`] = key
      groupKeys[typeIndex] = String(key)
    }
    return { kept: true, properties: withGroups, person, personMode, groupKeys, warnings }
  }
}

/** A copy without some keys; the same object when it has none of them, which is the usual case. */
function withoutKeys(properties: JsonObject, ...names: readonly string[]): JsonObject {
  if (!names.some((name) => Object.hasOwn(properties, name))) return properties
  const copy = { ...properties }
  for (const name of names) delete copy[name]
  return copy
}

const sizeViolation = (event: PersonEvent): ProcessingWarning => ({
  type: "person_properties_size_violation",
  details: { eventUuid: event.uuid, distinctId: event.distinctId },
})
