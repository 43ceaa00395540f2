import type {
  DistinctIdRecord,
  GroupRecord,
  GroupTypeRecord,
  PersonRecord,
  PersonStore,
  ProjectChanges,
  ProjectFacts,
  ProjectLookup,
} from "../../src/features/persons/index.js"
import { derivePersonId } from "../../src/features/persons/index.js"
import type { ProjectId } from "../../src/kernel/ids.js"

class ProjectMemory {
  readonly persons = new Map<string, PersonRecord>()
  readonly owners = new Map<string, DistinctIdRecord>()
  readonly personless = new Set<string>()
  readonly groupTypes = new Map<string, GroupTypeRecord>()
  readonly groups = new Map<string, GroupRecord>()
}

/** Persons and groups in maps. */
export class InMemoryPersonStore implements PersonStore {
  private readonly projects = new Map<ProjectId, ProjectMemory>()

  async load(questions: readonly ProjectLookup[]): Promise<ProjectFacts[]> {
    return questions.map((question) => this.answer(question))
  }

  async save(changes: readonly ProjectChanges[]): Promise<void> {
    for (const change of changes) {
      const memory = this.memoryOf(change.projectId)
      for (const { propertiesJson: _, isUpdate: __, ...person } of change.persons)
        memory.persons.set(person.id, structuredClone(person))
      for (const row of change.distinctIds) memory.owners.set(row.distinctId, row)
      for (const distinctId of change.personlessDistinctIds) memory.personless.add(distinctId)
      for (const type of change.groupTypes) memory.groupTypes.set(type.name, type)
      for (const group of change.groups) memory.groups.set(`${group.typeIndex}:${group.key}`, structuredClone(group))
    }
  }

  private answer({ projectId, distinctIds, mergingDistinctIds, groups }: ProjectLookup): ProjectFacts {
    const memory = this.memoryOf(projectId)
    const present = <T>(values: readonly (T | undefined)[]): T[] => values.filter((value) => value !== undefined)
    const asked = present(distinctIds.map((distinctId) => memory.owners.get(distinctId)))
    const merging = new Set(mergingDistinctIds.map((distinctId) => memory.owners.get(distinctId)?.personId))
    const siblings = [...memory.owners.values()].filter(({ personId }) => personId !== null && merging.has(personId))
    const owners = [...new Map([...asked, ...siblings].map((row) => [row.distinctId, row])).values()]
    const owned = new Map(owners.filter(({ personId }) => personId !== null).map((row) => [row.distinctId, row]))
    const ids = new Set(distinctIds.map((id) => owned.get(id)?.personId ?? derivePersonId(projectId, id)))
    return {
      persons: structuredClone(present([...ids].map((id) => memory.persons.get(id)))),
      distinctIds: owners,
      personlessDistinctIds: distinctIds.filter((distinctId) => memory.personless.has(distinctId)),
      groupTypes: [...memory.groupTypes.values()].sort((a, b) => a.typeIndex - b.typeIndex),
      groups: present(
        groups.map(({ typeName, key }) => memory.groups.get(`${memory.groupTypes.get(typeName)?.typeIndex}:${key}`)),
      ),
    }
  }

  private memoryOf(projectId: ProjectId): ProjectMemory {
    const memory = this.projects.get(projectId) ?? new ProjectMemory()
    this.projects.set(projectId, memory)
    return memory
  }
}
