import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { PersonWorkspace } from "../../../src/features/persons/index.js"
import { asProjectId } from "../../../src/kernel/ids.js"

/** The simplest thing that is right: sets of ids that were declared to be the same person. */
class UnionFind {
  private readonly parents = new Map<string, string>()

  find(id: string): string {
    const parent = this.parents.get(id) ?? id
    return parent === id ? id : this.find(parent)
  }

  join(a: string, b: string): void {
    this.parents.set(this.find(a), this.find(b))
  }
}

const anyId = fc.constantFrom("a", "b", "c", "d", "e", "f")
const anyStep = fc.record({
  id: anyId,
  other: anyId,
  merges: fc.boolean(),
  hasProfile: fc.boolean(),
  reload: fc.boolean(),
})

describe("any sequence of events and unconditional merges", () => {
  test("ends with the same ids together as a union-find, whatever batches it is cut into", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const model = new UnionFind()
        const projectId = asProjectId(1)
        const persons = new Map()
        const owners = new Map()
        const withoutProfile = new Set<string>()
        const load = () =>
          new PersonWorkspace(projectId, {
            persons: [...persons.values()],
            distinctIds: [...owners.values()],
            personlessDistinctIds: [...withoutProfile],
            groupTypes: [],
            groups: [],
          })
        let workspace = load()
        const save = () => {
          const changes = workspace.takeChanges()
          for (const person of changes.persons) {
            expect(person.version).toBeGreaterThanOrEqual(persons.get(person.id)?.version ?? 0)
            persons.set(person.id, person)
          }
          for (const row of changes.distinctIds) owners.set(row.distinctId, row)
          for (const id of changes.personlessDistinctIds) withoutProfile.add(id)
          workspace = load()
        }
        for (const { id, other, merges, hasProfile, reload } of steps) {
          if (merges) model.join(id, other)
          workspace.process({
            uuid: "0198f7c0-0000-7000-8000-000000000001",
            event: merges ? "$merge_dangerously" : "$pageview",
            distinctId: id,
            properties: merges ? { alias: other } : { $process_person_profile: hasProfile },
            timestampMs: 1000,
            receivedAtMs: 1000,
          })
          if (reload) save()
        }
        save()
        const rows = [...owners.values()]
        for (const row of rows) {
          expect(persons.get(row.personId)?.isDeleted).toBe(false)
          for (const otherRow of rows)
            expect(row.personId === otherRow.personId).toBe(
              model.find(row.distinctId) === model.find(otherRow.distinctId),
            )
        }
      }),
      { seed: 20261121, numRuns: 300 },
    )
  })
})
