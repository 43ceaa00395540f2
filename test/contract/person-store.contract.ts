import { beforeEach, describe, expect, test } from "@jest/globals"
import type {
  PersonRecord,
  PersonStore,
  ProjectChanges,
  ProjectFacts,
  ProjectLookup,
} from "../../src/features/persons/index.js"
import { derivePersonId } from "../../src/features/persons/index.js"
import { asProjectId } from "../../src/kernel/ids.js"

const NO_CHANGES = { persons: [], distinctIds: [], personlessDistinctIds: [], groupTypes: [], groups: [], merges: [] }
const NO_FACTS = { persons: [], distinctIds: [], personlessDistinctIds: [], groupTypes: [], groups: [] }

/** What every `PersonStore` promises. `run` gives each test a store that only this test uses. */
export function describePersonStore(
  name: string,
  run: (work: (store: PersonStore) => Promise<void>) => Promise<void>,
): void {
  let nextProject = 1000
  let projectId = asProjectId(nextProject)
  beforeEach(() => {
    nextProject += 1
    projectId = asProjectId(nextProject)
  })

  const changes = ({
    persons = [],
    ...some
  }: Partial<Omit<ProjectChanges, "persons">> & { persons?: readonly PersonRecord[] }): ProjectChanges => ({
    projectId,
    ...NO_CHANGES,
    ...some,
    persons: persons.map((record) => ({ ...record, propertiesJson: JSON.stringify(record.properties) })),
  })
  const ask = (some: Partial<ProjectLookup>): ProjectLookup => ({
    projectId,
    distinctIds: [],
    mergingDistinctIds: [],
    groups: [],
    ...some,
  })
  const person = (distinctId: string, some: Partial<PersonRecord> = {}): PersonRecord => ({
    id: derivePersonId(projectId, distinctId),
    properties: {},
    isIdentified: false,
    isDeleted: false,
    createdAtMs: 1_735_689_600_123,
    version: 0,
    ...some,
  })
  /** Facts without how large they were in the store, which is its own affair. */
  const load = async (store: PersonStore, questions: readonly ProjectLookup[]): Promise<ProjectFacts[]> =>
    (await store.load(questions)).map(({ persons, groups, ...facts }) => ({
      ...facts,
      persons: persons.map(({ characters: _, ...record }) => record),
      groups: groups.map(({ characters: _, ...record }) => record),
    }))
  const owned = (distinctId: string, owner = distinctId, version = 0) => ({
    distinctId,
    personId: derivePersonId(projectId, owner),
    version,
  })

  describe(`a person store (${name})`, () => {
    test("knows nothing of a project that it has not seen", () =>
      run(async (store) => {
        const question = ask({ distinctIds: ["a"], mergingDistinctIds: ["a"], groups: [{ typeName: "t", key: "k" }] })
        expect(await load(store, [question])).toEqual([NO_FACTS])
      }))

    test("gives back persons as they were saved, whatever their properties hold", () =>
      run(async (store) => {
        const properties = {
          "quote\"'\\": [1, { deep: null }],
          text: "ß\u2028\n{}",
          number: 1e21,
          email: "A@B.c",
          ok: true,
        }
        const saved = person("a", { properties, isIdentified: true, version: 7 })
        await store.save([changes({ persons: [saved], distinctIds: [owned("a", "a", 3)] })])
        const [facts] = await load(store, [ask({ distinctIds: ["a", "b"] })])
        expect(facts).toEqual({ ...NO_FACTS, persons: [saved], distinctIds: [owned("a", "a", 3)] })
      }))

    test("replaces what it had", () =>
      run(async (store) => {
        await store.save([changes({ persons: [person("a", { properties: { old: 1 } })], distinctIds: [owned("a")] })])
        const renewed = person("a", { properties: { new: 2 }, version: 1 })
        await store.save([changes({ persons: [renewed] })])
        expect((await load(store, [ask({ distinctIds: ["a"] })]))[0]?.persons).toEqual([renewed])
      }))

    test("gives every id of a person that may be merged, and only of those", () =>
      run(async (store) => {
        await store.save([
          changes({
            persons: [person("a"), person("b")],
            distinctIds: [owned("a"), owned("a2", "a"), owned("b"), owned("b2", "b")],
          }),
        ])
        const [facts] = await load(store, [ask({ distinctIds: ["a", "b"], mergingDistinctIds: ["a"] })])
        expect(facts?.distinctIds.map(({ distinctId }) => distinctId).sort()).toEqual(["a", "a2", "b"])
      }))

    test("gives the tombstone of the person that a free id would create", () =>
      run(async (store) => {
        const tombstone = person("a", { isDeleted: true, version: 104 })
        const freed = { distinctId: "a", personId: null, version: 101 }
        await store.save([changes({ persons: [tombstone], distinctIds: [freed] })])
        expect(await load(store, [ask({ distinctIds: ["a"], mergingDistinctIds: ["a"] })])).toEqual([
          { ...NO_FACTS, persons: [tombstone], distinctIds: [freed] },
        ])
      }))

    test("remembers ids with events without a profile, however often it is told", () =>
      run(async (store) => {
        await store.save([changes({ personlessDistinctIds: ["a"] })])
        await store.save([changes({ personlessDistinctIds: ["a"] })])
        const [facts] = await load(store, [ask({ distinctIds: ["a", "b"] })])
        expect(facts?.personlessDistinctIds).toEqual(["a"])
      }))

    test("keeps group types and groups, equal keys of two types apart", () =>
      run(async (store) => {
        const types = [
          { name: "company", typeIndex: 0 },
          { name: "team", typeIndex: 1 },
        ]
        const group = {
          typeIndex: 1,
          key: "5",
          properties: { name: "Blue" },
          createdAtMs: 1_735_689_600_000,
          version: 2,
        }
        const other = { ...group, typeIndex: 0, properties: {} }
        await store.save([changes({ groupTypes: types, groups: [group, other] })])
        const [facts] = await load(store, [ask({ groups: [{ typeName: "team", key: "5" }] })])
        expect(facts).toEqual({ ...NO_FACTS, groupTypes: types, groups: [group] })
      }))

    test("never mixes projects up", () =>
      run(async (store) => {
        const otherId = asProjectId(projectId + 500_000)
        await store.save([changes({ persons: [person("a")], distinctIds: [owned("a")], personlessDistinctIds: ["p"] })])
        const mine = ask({ distinctIds: ["a", "p"], mergingDistinctIds: ["a"] })
        const [theirs, ours] = await load(store, [{ ...mine, projectId: otherId }, mine])
        expect(theirs).toEqual(NO_FACTS)
        expect(ours).toMatchObject({ persons: [{ id: derivePersonId(projectId, "a") }], personlessDistinctIds: ["p"] })
      }))
  })
}
