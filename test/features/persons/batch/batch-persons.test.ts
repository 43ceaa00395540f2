import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import {
  BatchPersons,
  collectLookup,
  type PersonEvent,
  type PersonStore,
  type ProjectChanges,
  type ProjectLookup,
  readEventLookup,
} from "../../../../src/features/persons/index.js"
import type { ProcessedEvent } from "../../../../src/features/persons/process/process.types.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { InMemoryPersonStore } from "../../../contract/in-memory-person-store.js"

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

  load(lookups: readonly ProjectLookup[]) {
    this.asked.push(lookups.flatMap(({ distinctIds }) => distinctIds))
    return this.inner.load(lookups)
  }

  async save(changes: readonly ProjectChanges[]) {
    this.savedPersons.push(changes.flatMap(({ persons }) => persons).length)
    await this.inner.save(changes)
  }
}

/** A store that answers no more than what one event can ask for. */
class SlowStore implements PersonStore {
  constructor(private readonly inner: InMemoryPersonStore) {}

  async load(lookups: readonly ProjectLookup[]) {
    const first = lookups.map(({ distinctIds, groups, ...lookup }) => ({
      ...lookup,
      distinctIds: distinctIds.slice(0, 3),
      mergingDistinctIds: distinctIds.slice(0, 3),
      groups: groups.slice(0, 1),
    }))
    const answers = await this.inner.load(first)
    return answers.map((answer, index) => ({
      ...answer,
      notLoaded: {
        distinctIds: lookups[index]?.distinctIds.slice(3) ?? [],
        groups: lookups[index]?.groups.slice(1) ?? [],
      },
    }))
  }

  save(changes: readonly ProjectChanges[]) {
    return this.inner.save(changes)
  }
}

/** Works out events as far as everything is known, and then the others. */
async function processWhatIsLoaded(batch: BatchPersons, events: readonly PersonEvent[], isForgetful: boolean) {
  const seen: ProcessedEvent[] = []
  while (seen.length < events.length) {
    const rest = events.slice(seen.length)
    const workspaces = await batch.load([collectLookup(PROJECT, rest)])
    const workspace = workspaces.get(PROJECT)
    if (workspace === undefined) throw new Error("there is no workspace")
    const unknown = rest.findIndex((given) => !batch.isLoaded(PROJECT, readEventLookup(given)))
    const known = unknown === -1 ? rest : rest.slice(0, unknown)
    if (known.length === 0) throw new Error("nothing is known of the first event")
    seen.push(...known.map((given) => workspace.process(given)))
    await batch.save([workspace.takeChanges()])
    if (isForgetful) await batch.flush()
  }
  return seen
}

async function process(batch: BatchPersons, events: readonly PersonEvent[]) {
  const workspaces = await batch.load([collectLookup(PROJECT, events)])
  const workspace = workspaces.get(PROJECT)
  if (workspace === undefined) throw new Error("there is no workspace")
  const seen = events.map((given) => workspace.process(given))
  await batch.save([workspace.takeChanges()])
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
/** `end`: of the part, or of the batch. */
const anyStep = fc.record({ given: anyEvent, end: fc.constantFrom("neither", "part", "part", "batch") })

describe("the persons of a batch", () => {
  test("come out the same, however the events are cut into parts and batches", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        const alone = new InMemoryPersonStore()
        const seenAlone = []
        for (const { given } of steps) {
          const batch = new BatchPersons(alone)
          seenAlone.push(...(await process(batch, [given])))
          await batch.flush()
        }

        const together = new InMemoryPersonStore()
        const seen = []
        let batch = new BatchPersons(together)
        let part: PersonEvent[] = []
        for (const { given, end } of steps) {
          part.push(given)
          if (end === "neither") continue
          seen.push(...(await process(batch, part)))
          part = []
          if (end === "part") continue
          await batch.flush()
          batch = new BatchPersons(together)
        }
        seen.push(...(await process(batch, part)))
        await batch.flush()

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
          const [batch, slow] = [new BatchPersons(alone), new BatchPersons(new SlowStore(together))]
          for (const part of parts) {
            const copy = structuredClone(part)
            if (part.length > 0)
              expect(await processWhatIsLoaded(slow, copy, isForgetful)).toEqual(await process(batch, part))
          }
          await Promise.all([batch.flush(), slow.flush()])
          expect(await everything(together)).toEqual(await everything(alone))
        }),
        { seed: 20261122, numRuns: 300 },
      )
    },
  )

  test("are loaded once and saved once, however many parts they come back in", async () => {
    const store = new WatchedStore()
    const batch = new BatchPersons(store)
    for (const value of [1, 2, 3]) await process(batch, [event("$set", "a", { $set: { value } })])
    await process(batch, [event("$set", "a", { $set: { value: 4 } }), event("$set", "b")])
    expect(store.asked).toEqual([["a"], ["b"]])
    expect(store.savedPersons).toEqual([1, 0, 0, 1])
    await batch.flush()
    expect(store.savedPersons).toEqual([1, 0, 0, 1, 1])
    expect((await everything(store.inner))[0]?.persons).toMatchObject([
      { version: 3, properties: { value: 4 } },
      { version: 0 },
    ])
  })

  test("are saved at once where a value might be refused", async () => {
    const store = new WatchedStore()
    const batch = new BatchPersons(store)
    await process(batch, [event("$set", "a")])
    await process(batch, [event("$set", "a", { $set: { value: "\u0000" } })])
    await process(batch, [event("$set", "a", { $set: { value: JSON.parse(`${"[".repeat(101)}${"]".repeat(101)}`) } })])
    expect(store.savedPersons).toEqual([1, 1, 1])
  })

  test("do not show what a part that failed has done to them", async () => {
    const store = new InMemoryPersonStore()
    const batch = new BatchPersons(store)
    await process(batch, [event("$set", "a", { $set: { value: 1 } })])
    await process(batch, [event("$set", "a", { $set: { value: 2 } })])
    const failing = event("$set", "a", { $set: { value: 3 } })
    const workspaces = await batch.load([collectLookup(PROJECT, [failing])])
    workspaces.get(PROJECT)?.process(failing)
    await batch.flushAfterFailure()
    await process(batch, [event("$set", "a", { $set: { other: 4 } })])
    await batch.flush()
    expect((await everything(store))[0]?.persons).toMatchObject([{ version: 2, properties: { value: 2, other: 4 } }])
  })

  test("are to be settled when they take too much memory", async () => {
    const batch = new BatchPersons(new InMemoryPersonStore())
    const large = "x".repeat(600_000)
    for (let person = 0; person < 27; person++)
      await process(batch, [event("$set", `person-${person}`, { $set: { large } })])
    expect(batch.isFull).toBe(false)
    await process(batch, [event("$set", "one more", { $set: { large } })])
    expect(batch.isFull).toBe(true)
    await batch.flush()
    expect(batch.isFull).toBe(false)
  })
})
