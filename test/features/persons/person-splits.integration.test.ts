import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { derivePersonId } from "../../../src/features/persons/index.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import {
  type ClickHouse,
  EngineError,
  type Insert,
  type Statement,
} from "../../../src/platform/clickhouse/click-house.js"
import { createManualClock } from "../../support/manual-clock.js"
import { waitFor } from "../../support/wait-for.js"
import { Journey, NOW_MS, sent } from "../ingestion/batches/journey.js"
import { type RealStores, startRealStores } from "../ingestion/real-stores.js"
import { createTestPersons, later, PERSONS_ALONE, WITH_EVENTS } from "./persons-app.js"

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

const set = (distinctId: string, properties: JsonObject) =>
  sent("$set", distinctId, { properties: { $set: properties } })

/** One person with the ids `anon` (which gave it its uuid) and `alice`, each with an event of its own. */
async function merged(): Promise<Journey> {
  const journey = new Journey(stores)
  await journey.append(sent("seen", "anon"))
  await journey.work()
  await journey.append(
    sent("$identify", "alice", { properties: { $anon_distinct_id: "anon", $set: { plan: "pro" } } }),
    sent("bought", "alice"),
  )
  await journey.work()
  return journey
}

const findPerson = async (journey: Journey, distinctId: string): Promise<string | undefined> => {
  const { service } = createTestPersons(stores)
  return (await service.find(journey.projectId, null, distinctId))?.id
}

/** Person by event name, as queries see it. */
const personByEvent = async (journey: Journey): Promise<Record<string, string>> =>
  Object.fromEntries((await journey.events()).map(({ event, person }) => [event, person]))

describe("a split", () => {
  test("leaves the properties with the main id and gives each other id an empty person; events follow their id", async () => {
    const journey = await merged()
    const { projectId } = journey
    const original = derivePersonId(projectId, "anon")
    const created = await createTestPersons(stores).changes.split(projectId, original, "anon")
    expect(created).toEqual([expect.objectContaining({ id: derivePersonId(projectId, "alice"), properties: {} })])
    expect(await journey.persons()).toEqual(await journey.storedPersons())
    expect((await journey.persons()).find(({ id }) => id === original)?.properties).toMatchObject({ plan: "pro" })
    expect(await personByEvent(journey)).toEqual({
      seen: original,
      $identify: derivePersonId(projectId, "alice"),
      bought: derivePersonId(projectId, "alice"),
    })
  })

  test("makes a new uuid where the person keeps the one of the id that leaves", async () => {
    const journey = await merged()
    const { projectId } = journey
    const original = derivePersonId(projectId, "anon")
    const [created] = await createTestPersons(stores).changes.split(projectId, original, "alice")
    expect(created?.id).not.toBe(original)
    expect(await findPerson(journey, "alice")).toBe(original)
    expect(await personByEvent(journey)).toEqual({ seen: created?.id, $identify: original, bought: original })

    await journey.append(set("anon", { color: "blue" }), set("alice", { plan: "team" }))
    await journey.work()
    const persons = await journey.persons()
    expect(persons).toEqual(await journey.storedPersons())
    expect(persons.find(({ id }) => id === created?.id)?.properties).toEqual({ color: "blue" })
    expect(persons.find(({ id }) => id === original)?.properties).toMatchObject({ plan: "team" })
  })

  test("keeps the first named id when none is given", async () => {
    const journey = new Journey(stores)
    const madeUp = "0198f7c0-1111-7000-8000-000000000001"
    await journey.append(sent("$identify", "alice", { properties: { $anon_distinct_id: madeUp } }))
    await journey.work()
    const original = await findPerson(journey, "alice")
    await createTestPersons(stores).changes.split(journey.projectId, original ?? "", null)
    expect(await findPerson(journey, "alice")).toBe(original)
    expect(await findPerson(journey, madeUp)).not.toBe(original)
  })

  test("can be undone by another merge, and be done again", async () => {
    const journey = await merged()
    const { projectId } = journey
    const original = derivePersonId(projectId, "anon")
    for (const _round of [1, 2]) {
      await createTestPersons(stores).changes.split(projectId, original, "anon")
      await journey.append(
        sent("$merge_dangerously", "anon", { properties: { alias: "alice", $process_person_profile: true } }),
      )
      await journey.work()
      expect(await findPerson(journey, "alice")).toBe(original)
      expect(await journey.persons()).toEqual(await journey.storedPersons())
      expect(new Set(Object.values(await personByEvent(journey)))).toEqual(new Set([original]))
    }
  })

  test("survives the deletion of the new person: the freed id starts afresh and leaves the other one alone", async () => {
    const journey = await merged()
    const { projectId } = journey
    const original = derivePersonId(projectId, "anon")
    const { changes } = createTestPersons(stores)
    const [created] = await changes.split(projectId, original, "alice")
    await changes.delete(projectId, created?.id ?? "", PERSONS_ALONE)
    await journey.append(
      set("anon", { color: "red" }),
      sent("later", "anon", { properties: { $process_person_profile: false } }),
    )
    await journey.work()
    const fresh = await findPerson(journey, "anon")
    expect([original, created?.id, undefined]).not.toContain(fresh)
    const persons = await journey.persons()
    expect(persons.find(({ id }) => id === original)?.properties).toMatchObject({ plan: "pro" })
    expect(persons.find(({ id }) => id === fresh)?.properties).toMatchObject({ color: "red" })
    expect(await personByEvent(journey)).toMatchObject({ seen: fresh, later: fresh, bought: original })
  })

  test("lets events without a profile of a freed id stay away from the person that has its usual uuid", async () => {
    const journey = await merged()
    const original = derivePersonId(journey.projectId, "anon")
    const { changes } = createTestPersons(stores)
    const [created] = await changes.split(journey.projectId, original, "alice")
    await changes.delete(journey.projectId, created?.id ?? "", PERSONS_ALONE)
    await journey.append(sent("quiet", "anon", { properties: { $process_person_profile: false } }))
    await journey.work()
    const rows = await stores.clickHouse.rows<{ person: string }>({
      sql: "SELECT toString(person_id) AS person FROM events WHERE project_id = {project:Int64} AND event = 'quiet'",
      parameters: { project: journey.projectId },
    })
    expect(rows[0]?.person).not.toBe(original)
  })

  test("lets a deletion with events take the events of the ids that the person still has, and no others", async () => {
    const journey = await merged()
    const { projectId } = journey
    const original = derivePersonId(projectId, "anon")
    const { changes } = createTestPersons(stores)
    await changes.split(projectId, original, "alice")
    await changes.delete(projectId, original, WITH_EVENTS)
    await waitFor("the events to go", async () => (await journey.events()).length === 1)
    expect((await journey.events()).map(({ event }) => event)).toEqual(["seen"])
  })

  test("reaches ClickHouse later when it is away, with what is true then", async () => {
    const journey = await merged()
    const { projectId } = journey
    const away = Object.assign(Object.create(stores.clickHouse) as ClickHouse, {
      insert: () => Promise.reject(new Error("connect ECONNREFUSED")),
    })
    const original = derivePersonId(projectId, "anon")
    await createTestPersons(stores, { clickHouse: away }).changes.split(projectId, original, "anon")
    expect(await journey.persons()).toHaveLength(1)
    await journey.append(set("alice", { plan: "free" }))
    await journey.work()
    await createTestPersons(stores).copies.applyPending()
    expect(await journey.persons()).toEqual(await journey.storedPersons())
    expect((await personByEvent(journey)).bought).toBe(derivePersonId(projectId, "alice"))
  })

  test("is refused for an id that the person does not have, and finds nobody in another project", async () => {
    const journey = await merged()
    const other = await merged()
    const { changes } = createTestPersons(stores)
    const original = derivePersonId(journey.projectId, "anon")
    await expect(changes.split(journey.projectId, original, "bob")).rejects.toMatchObject({
      code: "invalid_input",
      details: { attr: "main_distinct_id" },
    })
    await expect(changes.split(other.projectId, original, "anon")).rejects.toMatchObject({ code: "not_found" })
    await expect(changes.split(journey.projectId, "alice", null)).rejects.toMatchObject({ code: "invalid_input" })
  })
})

describe("deletions", () => {
  test("with events also take what was accepted before and is not stored yet, and nothing of it makes a person", async () => {
    const journey = await merged()
    const { projectId } = journey
    await journey.append(sent("late", "alice", { properties: { $set: { plan: "secret" } } }), sent("seen", "bob"))
    const { changes, copies } = createTestPersons(stores)
    await changes.delete(projectId, derivePersonId(projectId, "anon"), WITH_EVENTS)
    expect(await journey.count("person_deletion WHERE project_id = $1")).toBe(1)
    expect(await journey.work()).toEqual({ stored: 1, dropped: 1 })
    await copies.applyPending()
    await later(stores).copies.applyPending()
    await waitFor("the events to go", async () => (await journey.events()).length === 1)
    expect(await journey.persons()).toEqual([expect.objectContaining({ id: derivePersonId(projectId, "bob") })])
    expect(await journey.persons()).toEqual(await journey.storedPersons())
    expect(await journey.count("person_deletion WHERE project_id = $1")).toBe(0)
    expect(await journey.count("ingestion_warning WHERE project_id = $1")).toBe(0)
  })

  test("leave no older version behind, neither of the person nor of those merged into it", async () => {
    const journey = new Journey(stores)
    const { projectId } = journey
    await journey.append(set("a", { secret: 1 }), set("b", { secret: 2 }), set("other", { mine: 3 }))
    await journey.work()
    await journey.append(sent("$merge_dangerously", "a", { properties: { alias: "b" } }), set("a", { secret: 4 }))
    await journey.work()
    await createTestPersons(stores).changes.delete(projectId, derivePersonId(projectId, "a"), PERSONS_ALONE)
    const stored = async (): Promise<string[]> => {
      const rows = await stores.clickHouse.rows<{ properties: string }>({
        sql: "SELECT properties FROM persons WHERE project_id = {project:Int64}",
        parameters: { project: projectId },
      })
      return rows.map(({ properties }) => properties)
    }
    await waitFor("the properties to go", async () => (await stored()).every((text) => !text.includes("secret")))
    expect((await stored()).some((text) => text.includes("mine"))).toBe(true)

    await journey.append(set("a", { fresh: 5 }))
    await journey.work()
    expect((await journey.persons()).map(({ properties }) => properties)).toEqual(
      expect.arrayContaining([expect.objectContaining({ fresh: 5 }), expect.objectContaining({ mine: 3 })]),
    )
  })

  test("do not wait for a ClickHouse that never answers", async () => {
    const journey = await merged()
    const frozen = Object.assign(Object.create(stores.clickHouse) as ClickHouse, {
      insert: () => new Promise<void>(() => undefined),
    })
    const { changes, service } = createTestPersons(stores, { clickHouse: frozen, applyTimeoutMs: 10 })
    await changes.delete(journey.projectId, derivePersonId(journey.projectId, "anon"), WITH_EVENTS)
    expect(await service.find(journey.projectId, null, "alice")).toBeNull()
    await createTestPersons(stores).copies.applyPending()
    expect(await journey.persons()).toEqual([])
  })

  test("that ClickHouse refuses hold up those of no other project, and are tried again", async () => {
    const [refused, other] = [await merged(), await merged()]
    const refusing = Object.assign(Object.create(stores.clickHouse) as ClickHouse, {
      insert: (rows: Insert) => stores.clickHouse.insert(rows),
      rows: (statement: Statement) => stores.clickHouse.rows(statement),
      command: async (statement: Statement) => {
        if (statement.parameters?.project === refused.projectId) throw new EngineError(341, "UNFINISHED", "refused")
        return stores.clickHouse.command(statement)
      },
    })
    const frozen = Object.assign(Object.create(stores.clickHouse) as ClickHouse, {
      insert: () => new Promise<void>(() => undefined),
    })
    const { changes } = createTestPersons(stores, { clickHouse: frozen, applyTimeoutMs: 10 })
    for (const { projectId } of [refused, other])
      await changes.delete(projectId, derivePersonId(projectId, "anon"), WITH_EVENTS)
    await expect(later(stores, { clickHouse: refusing }).copies.applyPending()).rejects.toThrow("refused")
    const pending = "SELECT DISTINCT project_id FROM person_deletion WHERE project_id = ANY ($1::int[])"
    const read = () => stores.pool.query(pending, [[refused.projectId, other.projectId]])
    expect((await read()).rows).toEqual([{ project_id: refused.projectId }])
    await later(stores).copies.applyPending()
    expect((await read()).rows).toEqual([{ project_id: refused.projectId }])
    await later(stores, { clock: createManualClock(NOW_MS + 62_000) }).copies.applyPending()
    expect((await read()).rows).toEqual([])
    await waitFor("the events to go", async () => (await other.events()).length === 0)
  })

  test("take recordings along by every id and what had begun by then, again until the recordings say it is done", async () => {
    const journey = await merged()
    const { projectId } = journey
    const asked: unknown[][] = []
    const failing = async (...which: unknown[]): Promise<boolean> => {
      asked.push(which)
      if (asked.length === 1) throw new Error("connect ECONNREFUSED")
      return true
    }
    const { changes } = createTestPersons(stores, { deleteRecordings: failing })
    const { copies } = later(stores, { deleteRecordings: failing })
    await changes.delete(projectId, derivePersonId(projectId, "anon"), { events: false, recordings: true })
    await copies.applyPending()
    await copies.applyPending()
    const wanted = [projectId, expect.arrayContaining(["alice", "anon"]), NOW_MS + 1000]
    expect(asked).toEqual([wanted, wanted])
    expect(await journey.events()).toHaveLength(3)
  })

  test("of many at once take ids or distinct ids, pass over unknown ones, and have an upper bound", async () => {
    const journey = new Journey(stores)
    await journey.append(set("a", {}), set("b", {}), set("c", {}))
    await journey.work()
    const { projectId } = journey
    const { changes } = createTestPersons(stores)
    expect(await changes.deleteMany(projectId, { distinctIds: ["a", "nobody", "a"] }, WITH_EVENTS)).toBe(1)
    const ids = [derivePersonId(projectId, "b"), derivePersonId(projectId, "nobody")]
    expect(await changes.deleteMany(projectId, { ids }, WITH_EVENTS)).toBe(1)
    await waitFor("their events to go", async () => (await journey.events()).length === 1)
    expect(await journey.persons()).toEqual([expect.objectContaining({ id: derivePersonId(projectId, "c") })])
    await expect(changes.deleteMany(projectId, {}, PERSONS_ALONE)).rejects.toMatchObject({ code: "invalid_input" })
    const tooMany = Array.from({ length: 1001 }, (_, index) => `id${index}`)
    await expect(changes.deleteMany(projectId, { distinctIds: tooMany }, PERSONS_ALONE)).rejects.toMatchObject({
      code: "max_length",
      details: { attr: "distinct_ids" },
    })
  })
})

describe("changes by hand", () => {
  test("are events of the id that says most", async () => {
    const journey = await merged()
    const events: unknown[] = []
    const { changes } = createTestPersons(stores, {}, events as never)
    const id = derivePersonId(journey.projectId, "anon")
    await changes.update(journey.projectId, id, { plan: "free" }, ["color"])
    await changes.update(journey.projectId, id, {}, ["plan"])
    expect(events).toEqual([
      { name: "$set", distinctId: expect.any(String), properties: { $set: { plan: "free" }, $unset: ["color"] } },
      { name: "$unset", distinctId: expect.any(String), properties: { $set: {}, $unset: ["plan"] } },
    ])
    await expect(
      changes.update(journey.projectId, derivePersonId(journey.projectId, "eve"), {}, []),
    ).rejects.toMatchObject({
      code: "not_found",
    })
  })
})
