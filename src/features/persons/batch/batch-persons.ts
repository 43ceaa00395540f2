import type { ProjectId } from "../../../kernel/ids.js"
import {
  type ChangedPerson,
  type EventLookup,
  NO_CHANGES,
  type PersonStore,
  type ProjectChanges,
  type ProjectLookup,
} from "../persons.types.js"
import { LoadedKeys } from "../process/loaded-keys.js"
import { PersonWorkspace } from "../process/person-workspace.js"
import { isSurelyStorable } from "./surely-storable.js"

/** Characters of JSON of persons and groups that a batch may keep in memory from one chunk to the next. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024

/** What is in memory of one project. */
interface LoadedProject {
  readonly workspace: PersonWorkspace
  readonly keys: LoadedKeys
}

/**
 * The persons and groups of a batch: a write-back cache between the chunks of a batch, which are processed one after the other in
 * one transaction, and PostgreSQL. A person who comes up again in a later chunk is neither loaded nor saved again: changes of a
 * person that both stores have already are deferred until the batch ends. The exception is a value that PostgreSQL might refuse:
 * that has to be found out before an event with it is sent on.
 */
export class BatchPersons {
  private readonly projects = new Map<ProjectId, LoadedProject>()
  /** Persons that are saved by the next flush, by id. */
  private readonly deferred = new Map<ProjectId, Map<string, ChangedPerson>>()

  constructor(private readonly store: PersonStore) {}

  /**
   * Loads what is missing. Very large persons and groups are loaded in part, the first ones first: `isLoaded` says which events may
   * be processed. Nobody else changes these persons until the transaction ends.
   * @returns a workspace for each project.
   */
  async load(lookups: readonly ProjectLookup[]): Promise<ReadonlyMap<ProjectId, PersonWorkspace>> {
    const missing = lookups.flatMap((lookup) => {
      const known = this.projects.get(lookup.projectId)
      return (known === undefined ? lookup : known.keys.findMissing(lookup)) ?? []
    })
    const facts = missing.length === 0 ? [] : await this.store.load(missing)
    for (const [index, lookup] of missing.entries()) {
      const { projectId } = lookup
      const loaded = facts[index]
      if (loaded === undefined) throw new Error(`the store has loaded nothing for project ${projectId}`)
      let project = this.projects.get(projectId)
      if (project === undefined) {
        project = { keys: new LoadedKeys(), workspace: new PersonWorkspace(projectId, loaded) }
        this.projects.set(projectId, project)
      } else project.workspace.addFacts(loaded)
      project.keys.add(lookup, loaded)
    }
    return new Map(
      lookups.flatMap(({ projectId }) => {
        const project = this.projects.get(projectId)
        return project === undefined ? [] : [[projectId, project.workspace]]
      }),
    )
  }

  /** Whether the workspace of a project may process an event with this lookup. */
  isLoaded(projectId: ProjectId, lookup: EventLookup): boolean {
    return this.projects.get(projectId)?.keys.has(lookup) ?? false
  }

  /**
   * Saves what cannot be deferred. When it rejects nothing more is deferred than before.
   * @returns what it saved.
   * @throws what the store throws, also when it refuses a value.
   */
  async save(changes: readonly ProjectChanges[]): Promise<readonly ProjectChanges[]> {
    const divided = changes.map(({ persons, ...change }) => ({
      change,
      ...Object.groupBy(persons, (person) => (person.isUpdate && isSurelyStorable(person) ? "later" : "now")),
    }))
    const saved = divided.map(({ change, now = [] }) => ({ ...change, persons: now }))
    await this.store.save(saved)
    for (const { change, now = [], later = [] } of divided) {
      const deferred = this.deferred.get(change.projectId) ?? new Map<string, ChangedPerson>()
      this.deferred.set(change.projectId, deferred)
      for (const person of later) deferred.set(person.id, person)
      for (const { id } of now) deferred.delete(id)
    }
    return saved
  }

  /** Whether so much is kept in memory that it is to be flushed now. */
  get isFull(): boolean {
    let characters = 0
    for (const { workspace } of this.projects.values()) characters += workspace.characters
    return characters > MAX_KEPT_CHARACTERS
  }

  /** As `flush`, when a chunk could not be processed: whatever it has done to the persons in memory has not happened. */
  async flushAfterFailure(): Promise<readonly ProjectChanges[]> {
    for (const persons of this.deferred.values())
      for (const [id, person] of persons) persons.set(id, { ...person, properties: JSON.parse(person.propertiesJson) })
    return this.flush()
  }

  /** Saves everything that is deferred, and forgets all that was loaded. @returns what it saved. */
  async flush(): Promise<readonly ProjectChanges[]> {
    const changes = [...this.deferred].map(([projectId, persons]) => ({
      ...NO_CHANGES,
      projectId,
      persons: [...persons.values()],
    }))
    this.projects.clear()
    this.deferred.clear()
    await this.store.save(changes)
    return changes
  }
}
