import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { deriveNextPersonId, derivePersonId } from "../person-uuid.js"
import type { ChangedPerson, DistinctIdRecord, PersonMerge, PersonRecord, ProjectFacts } from "../persons.types.js"
import { toEventCopy } from "./event-copy.js"
import type { EventPerson, PersonOperations } from "./process.types.js"
import { applyOperations, undoOperations } from "./property-changes.js"

/** Stored JSON of one person's properties may not be larger (`docs/contract/capture.md#property-updates`). */
const MAX_PROPERTIES_BYTES = 655_360
/**
 * A tombstone leaves room below it, so that no late write of the living person can outrank it
 * (`docs/contract/capture.md#merges`).
 */
export const TOMBSTONE_VERSION_STEP = 100
/**
 * Before every real person: what events without a profile carry as creation time
 * (`docs/contract/capture.md#person-profiles`).
 */
const NO_PROFILE_CREATED_AT_MS = 5000

/** A person while a batch is processed. Changed only by the registry. */
export interface Person {
  readonly id: PersonId
  /** Its own object: changed in place. */
  properties: JsonObject
  isIdentified: boolean
  isDeleted: boolean
  createdAtMs: number
  version: number
  /** The event that raised the version last: one event raises it at most once. */
  changedByEvent: number
  /** Of its JSON when it was last read or written. */
  characters: number
  /** Whether it differs from what is stored, or about to be, in nothing but its properties and whether it is identified. */
  isStored: boolean
  readonly distinctIds: Set<string>
  asEventPerson: EventPerson | null
}

interface DistinctId {
  person: Person | null
  version: number
}

/** The persons and distinct ids of one project that a batch touches: the facts before it plus every change since. */
export class PersonRegistry {
  private readonly persons = new Map<PersonId, Person>()
  private readonly distinctIds = new Map<string, DistinctId>()
  private readonly withoutProfile = new Map<string, EventPerson>()
  private changedPersons = new Set<Person>()
  private changedDistinctIds = new Map<string, DistinctId>()
  private newWithoutProfile = new Set<string>()
  private merges: PersonMerge[] = []
  private eventNumber = 0
  private writtenCharacters = 0

  constructor(private readonly projectId: ProjectId) {}

  /** Of the JSON of all persons that were loaded or written: how much memory they take, roughly. */
  get characters(): number {
    return this.writtenCharacters
  }

  /** Adds facts. Of what is known already, what is known is newer. */
  addFacts(facts: ProjectFacts): void {
    for (const record of facts.persons) this.addPerson(record)
    for (const { distinctId, personId, version } of facts.distinctIds) {
      if (this.distinctIds.has(distinctId)) continue
      const person = personId === null ? null : (this.persons.get(personId) ?? null)
      this.distinctIds.set(distinctId, { person, version })
      person?.distinctIds.add(distinctId)
    }
    for (const distinctId of facts.personlessDistinctIds)
      if (!this.withoutProfile.has(distinctId))
        this.withoutProfile.set(distinctId, noProfile(this.chooseFreeId(distinctId, 0)))
  }

  private addPerson(record: PersonRecord): void {
    if (this.persons.has(record.id)) return
    const person = toPerson(record)
    this.persons.set(person.id, person)
    this.writtenCharacters += person.characters
  }

  /** Begins the next event: from now on a changed person gets a new version once. */
  beginEvent(): void {
    this.eventNumber += 1
  }

  find(distinctId: string): Person | null {
    return this.distinctIds.get(distinctId)?.person ?? null
  }

  hasEventsWithoutProfile(distinctId: string): boolean {
    return this.withoutProfile.has(distinctId)
  }

  /** The stand-in for a person that has no profile: same id as the person would get. Remembers that the id was used so. */
  rememberWithoutProfile(distinctId: string): EventPerson {
    const known = this.withoutProfile.get(distinctId)
    if (known !== undefined) return known
    const person = noProfile(this.chooseFreeId(distinctId, 0))
    this.withoutProfile.set(distinctId, person)
    this.newWithoutProfile.add(distinctId)
    return person
  }

  /** Creates the person of a distinct id. After a deletion the same person id comes back with a higher version. */
  create(distinctId: string, state: { properties: JsonObject; isIdentified: boolean; createdAtMs: number }): Person {
    const id = this.chooseFreeId(distinctId, (this.distinctIds.get(distinctId)?.version ?? 0) + 1)
    const tombstone = this.persons.get(id)
    const person: Person = {
      id,
      ...state,
      isDeleted: false,
      version: tombstone === undefined ? 0 : tombstone.version + 1,
      changedByEvent: this.eventNumber,
      isStored: false,
      characters: 0,
      distinctIds: new Set(),
      asEventPerson: null,
    }
    this.persons.set(id, person)
    if (tombstone !== undefined) this.changedPersons.delete(tombstone)
    this.changedPersons.add(person)
    this.attach(distinctId, person)
    return person
  }

  /** Gives a free distinct id to a person. */
  attach(distinctId: string, person: Person): void {
    const freed = this.distinctIds.get(distinctId)
    const usedUnderOtherPerson =
      this.withoutProfile.has(distinctId) && person.id !== derivePersonId(this.projectId, distinctId)
    this.move(distinctId, person, freed === undefined ? Number(usedUnderOtherPerson) : freed.version + 1)
  }

  /**
   * Applies an event's operations, unless the properties would become too large: then nothing changes.
   * @returns whether they fit.
   */
  update(person: Person, operations: PersonOperations): boolean {
    const undo = applyOperations(person.properties, operations)
    if (undo.length === 0) return true
    const propertiesJson = JSON.stringify(person.properties)
    if (isTooLarge(propertiesJson)) {
      undoOperations(person.properties, undo)
      return false
    }
    this.change(person)
    this.write(person, propertiesJson)
    return true
  }

  markIdentified(person: Person): void {
    if (person.isIdentified) return
    this.change(person)
    person.isIdentified = true
  }

  /**
   * Merges one person into another: the target wins where both have a property, keeps the earlier creation time and takes
   * over every distinct id; the source becomes a tombstone. Answers false when the source's properties had to be left out
   * because both together are too large.
   */
  merge(source: Person, target: Person): boolean {
    target.version = Math.max(source.version, target.version)
    this.change(target)
    target.isStored = false
    target.isIdentified = true
    target.createdAtMs = Math.min(source.createdAtMs, target.createdAtMs)
    const properties = { ...source.properties, ...target.properties }
    const propertiesFit = !isTooLarge(JSON.stringify(properties))
    if (propertiesFit) target.properties = properties
    for (const distinctId of source.distinctIds)
      this.move(distinctId, target, (this.distinctIds.get(distinctId)?.version ?? 0) + 1)
    this.markDeleted(source)
    this.merges.push({ projectId: this.projectId, sourceId: source.id, targetId: target.id })
    return propertiesFit
  }

  toEventPerson(person: Person): EventPerson {
    return person.asEventPerson ?? this.write(person, JSON.stringify(person.properties))
  }

  /** What has changed since it was last taken. */
  takeChanges() {
    const changes = {
      persons: [...this.changedPersons].map((person) => this.toChangedPerson(person)),
      distinctIds: [...this.changedDistinctIds].map(toDistinctIdRecord),
      personlessDistinctIds: [...this.newWithoutProfile],
      merges: this.merges,
    }
    for (const person of this.changedPersons) person.isStored = true
    this.changedPersons = new Set()
    this.changedDistinctIds = new Map()
    this.newWithoutProfile = new Set()
    this.merges = []
    return changes
  }

  /** The person id of a distinct id that belongs to nobody. A split may have left its usual one to another living person. */
  private chooseFreeId(distinctId: string, version: number): PersonId {
    const usual = derivePersonId(this.projectId, distinctId)
    const isTaken = this.distinctIds.get(distinctId)?.person === null && this.persons.get(usual)?.isDeleted === false
    return isTaken ? deriveNextPersonId(this.projectId, distinctId, version) : usual
  }

  private change(person: Person): void {
    if (person.changedByEvent !== this.eventNumber) person.version += 1
    person.changedByEvent = this.eventNumber
    person.asEventPerson = null
    this.changedPersons.add(person)
  }

  private write(person: Person, propertiesJson: string): EventPerson {
    this.writtenCharacters += propertiesJson.length - person.characters
    person.characters = propertiesJson.length
    const copiedJson = toEventCopy(person.properties, propertiesJson)
    person.asEventPerson = { id: person.id, createdAtMs: person.createdAtMs, propertiesJson, copiedJson }
    return person.asEventPerson
  }

  private markDeleted(person: Person): void {
    person.isDeleted = true
    person.isStored = false
    person.version += TOMBSTONE_VERSION_STEP
    person.properties = {}
    person.asEventPerson = null
    person.distinctIds.clear()
    this.changedPersons.add(person)
  }

  private move(distinctId: string, person: Person, version: number): void {
    const moved = { person, version }
    this.distinctIds.set(distinctId, moved)
    person.distinctIds.add(distinctId)
    this.changedDistinctIds.set(distinctId, moved)
  }

  private toChangedPerson(person: Person): ChangedPerson {
    const { id, properties, isIdentified, isDeleted, createdAtMs, version, isStored: isUpdate } = person
    const { propertiesJson } = this.toEventPerson(person)
    return { id, properties, propertiesJson, isIdentified, isDeleted, createdAtMs, version, isUpdate }
  }
}

const toDistinctIdRecord = ([distinctId, { person, version }]: [string, DistinctId]): DistinctIdRecord => ({
  distinctId,
  personId: person?.id ?? null,
  version,
})

const noProfile = (id: PersonId): EventPerson => ({
  id,
  createdAtMs: NO_PROFILE_CREATED_AT_MS,
  propertiesJson: "{}",
  copiedJson: "{}",
})

/** Whether serialised properties exceed what one person or group may hold. */
export const isTooLarge = (json: string): boolean =>
  json.length * 3 > MAX_PROPERTIES_BYTES && Buffer.byteLength(json) > MAX_PROPERTIES_BYTES

const toPerson = ({ characters = 0, ...record }: PersonRecord): Person => ({
  ...record,
  changedByEvent: 0,
  isStored: true,
  characters,
  distinctIds: new Set(),
  asEventPerson: null,
})
