import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { AskedOfEvent, ChangedPerson, PersonStore, ProjectChanges, ProjectQuestion } from "../persons.types.js"
import { AskedFacts } from "../process/asked-facts.js"
import { PersonWorkspace } from "../process/person-workspace.js"
import { isSurelyStorable } from "./surely-storable.js"

/** Characters of JSON of persons and groups that a slice may keep in memory from one part to the next. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024

interface KeptProject {
  readonly workspace: PersonWorkspace
  readonly asked: AskedFacts
}

/**
 * The persons and groups of a slice, whose parts are worked out one after the other in one transaction. A person who
 * comes up again in a later part is neither loaded nor saved again: changes of a person that both stores have already
 * wait for the end of the slice. The exception is a value that PostgreSQL might refuse: that has to be found out before
 * an event with it is sent on.
 */
export class SlicePersons {
  private readonly projects = new Map<ProjectId, KeptProject>()
  /** What waits to be saved, by id. */
  private readonly waiting = new Map<ProjectId, Map<string, ChangedPerson>>()

  constructor(private readonly store: PersonStore) {}

  /**
   * Workspaces, one for each project, that know what is asked, or of very large persons and groups the first of it: `knows` tells
   * of which events everything is known. Nobody else changes these persons until the transaction ends.
   */
  async workspaces(questions: readonly ProjectQuestion[]): Promise<ReadonlyMap<ProjectId, PersonWorkspace>> {
    const unasked = questions.flatMap((question) => {
      const kept = this.projects.get(question.projectId)
      const rest = kept === undefined ? question : kept.asked.without(question)
      return rest === null ? [] : [rest]
    })
    const facts = unasked.length === 0 ? [] : await this.store.load(unasked)
    for (const [index, question] of unasked.entries()) {
      const { projectId } = question
      const answer = facts[index]
      if (answer === undefined) throw new Error(`the store has not answered for project ${projectId}`)
      const kept = this.projects.get(projectId)
      kept?.workspace.learn(answer)
      const { asked, workspace } = kept ?? {
        asked: new AskedFacts(),
        workspace: new PersonWorkspace(projectId, answer),
      }
      asked.add(question, answer)
      this.projects.set(projectId, { asked, workspace })
    }
    return new Map(
      questions.map(({ projectId }) => [projectId, (this.projects.get(projectId) as KeptProject).workspace]),
    )
  }

  /** Whether the workspace of a project may process an event that asks for this. */
  knows(projectId: ProjectId, asked: AskedOfEvent): boolean {
    return this.projects.get(projectId)?.asked.has(asked) ?? false
  }

  /**
   * Saves what cannot wait, and answers that. When it rejects nothing waits that did not before.
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
      const waiting = this.waiting.get(change.projectId) ?? new Map<string, ChangedPerson>()
      this.waiting.set(change.projectId, waiting)
      for (const person of later) waiting.set(person.id, person)
      for (const { id } of now) waiting.delete(id)
    }
    return saved
  }

  /** Whether so much is kept in memory that it is to be settled now. */
  get isFull(): boolean {
    let characters = 0
    for (const { workspace } of this.projects.values()) characters += workspace.characters
    return characters > MAX_KEPT_CHARACTERS
  }

  /** As `settle`, when a part could not be worked out: whatever it has done to the persons in memory has not happened. */
  async settleAfterFailure(): Promise<readonly ProjectChanges[]> {
    for (const persons of this.waiting.values())
      for (const [id, person] of persons)
        persons.set(id, { ...person, properties: JSON.parse(person.propertiesJson) as JsonObject })
    return this.settle()
  }

  /** Saves everything that waits, answers it, and forgets all that it knew. */
  async settle(): Promise<readonly ProjectChanges[]> {
    const changes = [...this.waiting].map(([projectId, persons]) => ({
      projectId,
      persons: [...persons.values()],
      ...{ distinctIds: [], personlessDistinctIds: [], groupTypes: [], groups: [], merges: [] },
    }))
    this.projects.clear()
    this.waiting.clear()
    await this.store.save(changes)
    return changes
  }
}
