import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import {
  collectQuestion,
  type PersonEvent,
  type PersonStore,
  type ProjectChanges,
  type ProjectQuestion,
  readAsked,
  SlicePersons,
} from "../../../src/features/persons/index.js"
import type { ProcessedEvent } from "../../../src/features/persons/process/process.types.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import { InMemoryPersonStore } from "../../contract/in-memory-person-store.js"

const PROJECT = asProjectId(1)
const IDS = ["a", "b", "c", "d", "e"]

const event = (name: string, distinctId: string, properties: JsonObject = {}): PersonEvent => ({
  uuid: "0198f7c0-0000-7000-8000-000000000001",
  event: name,
  distinctId,
  // Every event has values of its own.
  properties: structuredClone(properties),
  timestampMs: 1_000_000,
  receivedAtMs: 1_000_000,
})

/** A store that remembers what it was asked and told. */
class WatchedStore implements PersonStore {
  readonly inner = new InMemoryPersonStore()
  readonly asked: string[][] = []
  readonly savedPersons: number[] = []

  load(questions: readonly ProjectQuestion[]) {
    this.asked.push(questions.flatMap(({ distinctIds }) => distinctIds))
    return this.inner.load(questions)
  }

  async save(changes: readonly ProjectChanges[]) {
    this.savedPersons.push(changes.flatMap(({ persons }) => persons).length)
    await this.inner.save(changes)
  }
}

/** A store that answers no more than what one event can ask for. */
class SlowStore implements PersonStore {
  constructor(private readonly inner: InMemoryPersonStore) {}

  async load(questions: readonly ProjectQuestion[]) {
    const first = questions.map(({ distinctIds, groups, ...question }) => ({
      ...question,
      distinctIds: distinctIds.slice(0, 3),
      mergingDistinctIds: distinctIds.slice(0, 3),
      groups: groups.slice(0, 1),
    }))
    const answers = await this.inner.load(first)
    return answers.map((answer, index) => ({
      ...answer,
      unanswered: {
        distinctIds: questions[index]?.distinctIds.slice(3) ?? [],
        groups: questions[index]?.groups.slice(1) ?? [],
      },
    }))
  }

  save(changes: readonly ProjectChanges[]) {
    return this.inner.save(changes)
  }
}

/** Works out events as far as everything is known, and then the others. */
async function workOutWhatIsKnown(slice: SlicePersons, events: readonly PersonEvent[], isForgetful: boolean) {
  const seen: ProcessedEvent[] = []
  while (seen.length < events.length) {
    const rest = events.slice(seen.length)
    const workspaces = await slice.workspaces([collectQuestion(PROJECT, rest)])
    const workspace = workspaces.get(PROJECT)
    if (workspace === undefined) throw new Error("there is no workspace")
    const unknown = rest.findIndex((given) => !slice.knows(PROJECT, readAsked(given)))
    const known = unknown === -1 ? rest : rest.slice(0, unknown)
    if (known.length === 0) throw new Error("nothing is known of the first event")
    seen.push(...known.map((given) => workspace.process(given)))
    await slice.save([workspace.takeChanges()])
    if (isForgetful) await slice.settle()
  }
  return seen
}

async function workOut(slice: SlicePersons, events: readonly PersonEvent[]) {
  const workspaces = await slice.workspaces([collectQuestion(PROJECT, events)])
  const workspace = workspaces.get(PROJECT)
  if (workspace === undefined) throw new Error("there is no workspace")
  const seen = events.map((given) => workspace.process(given))
  await slice.save([workspace.takeChanges()])
  return seen
}

const everything = (store: PersonStore) =>
  store.load([{ projectId: PROJECT, distinctIds: IDS, mergingDistinctIds: IDS, groups: [{ typeName: "t", key: "k" }] }])

const anyId = fc.constantFrom(...IDS)
const anyValue = fc.constantFrom<JsonObject[string]>(1, 2, "x", "back\\up", "\u0001", null, { deep: [1] })
const anyEvent = fc.oneof(
  fc.record({ id: anyId, value: anyValue }).map(({ id, value }) => event("$set", id, { $set: { value } })),
  anyId.map((id) => event("$pageview", id, { $process_person_profile: false })),
  fc
    .record({ id: anyId, other: anyId, name: fc.constantFrom("$create_alias", "$merge_dangerously") })
    .map(({ id, other, name }) => event(name, id, { alias: other })),
  fc.record({ id: anyId, other: anyId }).map(({ id, other }) => event("$identify", id, { $anon_distinct_id: other })),
  fc
    .record({ id: anyId, value: fc.nat(2) })
    .map(({ id, value }) => event("$groupidentify", id, { $group_type: "t", $group_key: "k", $group_set: { value } })),
)
/** `end`: of the part, or of the slice. */
const anyStep = fc.record({ given: anyEvent, end: fc.constantFrom("neither", "part", "part", "slice") })

describe("the persons of a slice", () => {
  test("come out the same, however the events are cut into parts and slices", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        const alone = new InMemoryPersonStore()
        const seenAlone = []
        for (const { given } of steps) {
          const slice = new SlicePersons(alone)
          seenAlone.push(...(await workOut(slice, [given])))
          await slice.settle()
        }

        const together = new InMemoryPersonStore()
        const seen = []
        let slice = new SlicePersons(together)
        let part: PersonEvent[] = []
        for (const { given, end } of steps) {
          part.push(given)
          if (end === "neither") continue
          seen.push(...(await workOut(slice, part)))
          part = []
          if (end === "part") continue
          await slice.settle()
          slice = new SlicePersons(together)
        }
        seen.push(...(await workOut(slice, part)))
        await slice.settle()

        expect(seen).toEqual(seenAlone)
        expect(await everything(together)).toEqual(await everything(alone))
      }),
      { seed: 20261121, numRuns: 500 },
    )
  })

  test.each([false, true])(
    "come out the same when the store answers little at a time and whoever asks forgets it afterwards: %s",
    async (isForgetful) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(anyEvent, { maxLength: 20 }), { maxLength: 4 }), async (parts) => {
          const [alone, together] = [new InMemoryPersonStore(), new InMemoryPersonStore()]
          const [slice, slow] = [new SlicePersons(alone), new SlicePersons(new SlowStore(together))]
          for (const part of parts) {
            const copy = structuredClone(part)
            if (part.length > 0)
              expect(await workOutWhatIsKnown(slow, copy, isForgetful)).toEqual(await workOut(slice, part))
          }
          await Promise.all([slice.settle(), slow.settle()])
          expect(await everything(together)).toEqual(await everything(alone))
        }),
        { seed: 20261122, numRuns: 300 },
      )
    },
  )

  test("are loaded once and saved once, however many parts they come back in", async () => {
    const store = new WatchedStore()
    const slice = new SlicePersons(store)
    for (const value of [1, 2, 3]) await workOut(slice, [event("$set", "a", { $set: { value } })])
    await workOut(slice, [event("$set", "a", { $set: { value: 4 } }), event("$set", "b")])
    expect(store.asked).toEqual([["a"], ["b"]])
    expect(store.savedPersons).toEqual([1, 0, 0, 1])
    await slice.settle()
    expect(store.savedPersons).toEqual([1, 0, 0, 1, 1])
    expect((await everything(store.inner))[0]?.persons).toMatchObject([
      { version: 3, properties: { value: 4 } },
      { version: 0 },
    ])
  })

  test("are saved at once where a value might be refused", async () => {
    const store = new WatchedStore()
    const slice = new SlicePersons(store)
    await workOut(slice, [event("$set", "a")])
    await workOut(slice, [event("$set", "a", { $set: { value: "\u0000" } })])
    await workOut(slice, [event("$set", "a", { $set: { value: JSON.parse(`${"[".repeat(101)}${"]".repeat(101)}`) } })])
    expect(store.savedPersons).toEqual([1, 1, 1])
  })

  test("do not show what a part that failed has done to them", async () => {
    const store = new InMemoryPersonStore()
    const slice = new SlicePersons(store)
    await workOut(slice, [event("$set", "a", { $set: { value: 1 } })])
    await workOut(slice, [event("$set", "a", { $set: { value: 2 } })])
    const failing = event("$set", "a", { $set: { value: 3 } })
    const workspaces = await slice.workspaces([collectQuestion(PROJECT, [failing])])
    workspaces.get(PROJECT)?.process(failing)
    await slice.settleAfterFailure()
    await workOut(slice, [event("$set", "a", { $set: { other: 4 } })])
    await slice.settle()
    expect((await everything(store))[0]?.persons).toMatchObject([{ version: 2, properties: { value: 2, other: 4 } }])
  })

  test("are to be settled when they take too much memory", async () => {
    const slice = new SlicePersons(new InMemoryPersonStore())
    const large = "x".repeat(600_000)
    for (let person = 0; person < 27; person++)
      await workOut(slice, [event("$set", `person-${person}`, { $set: { large } })])
    expect(slice.isFull).toBe(false)
    await workOut(slice, [event("$set", "one more", { $set: { large } })])
    expect(slice.isFull).toBe(true)
    await slice.settle()
    expect(slice.isFull).toBe(false)
  })
})
