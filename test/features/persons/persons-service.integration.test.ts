import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { derivePersonId, toPersonNumber } from "../../../src/features/persons/index.js"
import { firstRows } from "../../../src/kernel/paging.js"
import type { ClickHouse } from "../../../src/platform/clickhouse/click-house.js"
import { waitFor } from "../../support/wait-for.js"
import { Journey, NOW_MS, sent } from "../ingestion/batches/journey.js"
import { type RealStores, startRealStores } from "../ingestion/real-stores.js"
import { createTestPersons, PERSONS_ALONE, WITH_EVENTS } from "./persons-app.js"

const PAGE = firstRows(10)

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

const persons = (clickHouse: ClickHouse = stores.clickHouse) => createTestPersons(stores, { clickHouse })

async function journeyWith(...people: [distinctId: string, properties: Record<string, string | number>][]) {
  const journey = new Journey(stores)
  await journey.append(
    ...people.map(([distinctId, properties], index) =>
      sent("$set", distinctId, {
        properties: { $set: properties },
        timestamp: new Date(NOW_MS - index * 1000).toISOString(),
      }),
    ),
  )
  await journey.work()
  return journey
}

describe("persons", () => {
  test("are listed newest first, page by page, with the whole number", async () => {
    const { projectId } = await journeyWith(["a", {}], ["b", {}], ["c", {}])
    const { items, countAll } = await persons().service.list(projectId, {}, { ...firstRows(2), offset: 1 })
    expect(await countAll()).toBe(3)
    expect(items.map(({ id }) => id)).toEqual([derivePersonId(projectId, "b"), derivePersonId(projectId, "c")])
  })

  test.each([
    ["part of a distinct id", { search: "LICE" }],
    ["part of an e-mail address", { search: "e.COM" }],
    ["part of a name", { search: "underland" }],
    ["a whole distinct id", { distinctId: "alice" }],
    ["a whole e-mail address in another case", { email: "alice@example.com" }],
  ])("are found by %s", async (_what, filter) => {
    const { projectId } = await journeyWith(
      ["alice", { email: "Alice@Example.com", name: "Alice Wunderland" }],
      ["bob", { email: "bob@example.org", name: "100% Bob" }],
    )
    const { items } = await persons().service.list(projectId, filter, PAGE)
    expect(items.map(({ id }) => id)).toEqual([derivePersonId(projectId, "alice")])
  })

  test("are searched for what was written, wildcards included", async () => {
    const { projectId } = await journeyWith(["alice", { name: "Alice" }], ["bob", { name: "100% Bob" }])
    const count = async (search: string) => (await persons().service.list(projectId, { search }, PAGE)).countAll()
    expect([await count("0% b"), await count("%"), await count("\u0000")]).toEqual([1, 1, 2])
  })

  test("of another project are never found", async () => {
    const { projectId } = await journeyWith(["alice", {}])
    const other = await journeyWith(["bob", {}])
    const { service, changes } = persons()
    expect(await service.find(other.projectId, null, "alice")).toBeNull()
    expect(await service.find(other.projectId, derivePersonId(projectId, "alice"), null)).toBeNull()
    expect((await service.list(other.projectId, { search: derivePersonId(projectId, "alice") }, PAGE)).items).toEqual(
      [],
    )
    await expect(
      changes.delete(other.projectId, derivePersonId(projectId, "alice"), PERSONS_ALONE),
    ).rejects.toMatchObject({
      code: "not_found",
    })
  })

  test("are asked for by exactly one kind of id", async () => {
    const { projectId } = await journeyWith(["alice", {}])
    const { service } = persons()
    await expect(service.find(projectId, null, null)).rejects.toMatchObject({ code: "invalid_input" })
    await expect(service.find(projectId, "alice", null)).rejects.toThrow("id must be the UUID of a person")
  })

  test("are found by the number that recordings call them by, in their project", async () => {
    const { projectId } = await journeyWith(["alice", {}], ["bob", {}])
    const other = await journeyWith(["carol", {}])
    const { service } = persons()
    const number = String(toPersonNumber(derivePersonId(projectId, "alice")))
    expect(await service.find(projectId, number, null)).toMatchObject({ id: derivePersonId(projectId, "alice") })
    expect(await service.find(other.projectId, number, null)).toBeNull()
    for (const unknown of ["0", "17", String(2 ** 48), "9".repeat(40)])
      expect(await service.find(projectId, unknown, null)).toBeNull()
  })

  test("load in one read per project, with all their distinct ids", async () => {
    const journey = await journeyWith(["alice", {}])
    await journey.append(sent("$identify", "alice", { properties: { $anon_distinct_id: "anon" } }))
    await journey.work()
    const { loaders } = persons()
    const { projectId } = journey
    const loader = loaders.byDistinctId()
    const found = await Promise.all(["alice", "anon", "nobody"].map((key) => loader.load({ projectId, key })))
    expect(found.map((person) => person?.id ?? null)).toEqual([
      derivePersonId(projectId, "alice"),
      derivePersonId(projectId, "alice"),
      null,
    ])
    const ids = await loaders.distinctIds().load({ projectId, key: derivePersonId(projectId, "alice") })
    expect(ids.sort()).toEqual(["alice", "anon"])
  })

  test("share values of a property, the commonest first", async () => {
    const { projectId } = await journeyWith(
      ["a", { plan: "pro" }],
      ["b", { plan: "free" }],
      ["c", { plan: "pro" }],
      ["d", { n: 1 }],
    )
    const { service } = persons()
    expect(await service.propertyValues(projectId, "plan", undefined)).toEqual([
      { value: "pro", personCount: 2 },
      { value: "free", personCount: 1 },
    ])
    expect(await service.propertyValues(projectId, "plan", "FR")).toEqual([{ value: "free", personCount: 1 }])
    expect(await service.propertyValues(projectId, "n", undefined)).toEqual([{ value: 1, personCount: 1 }])
  })
})

describe("a deleted person", () => {
  test("is gone everywhere, and its id makes a person again that queries see", async () => {
    const journey = await journeyWith(["alice", { plan: "pro" }])
    const { service, changes } = persons()
    const id = derivePersonId(journey.projectId, "alice")
    await changes.delete(journey.projectId, id, PERSONS_ALONE)
    expect(await journey.persons()).toEqual([])
    expect(await service.find(journey.projectId, null, "alice")).toBeNull()

    await journey.append(sent("$set", "alice", { properties: { $set: { plan: "free" } } }))
    await journey.work()
    expect(await journey.persons()).toMatchObject([{ id, properties: { plan: "free" } }])
    expect(await journey.persons()).toEqual(await journey.storedPersons())
    expect((await journey.events()).map(({ person }) => person)).toEqual([id, id])
  })

  test("takes its events along when asked to, also those of merged ids, but no later ones", async () => {
    const journey = await journeyWith(["anon", {}], ["alice", {}], ["bob", {}])
    await journey.append(sent("$identify", "alice", { properties: { $anon_distinct_id: "anon" } }))
    await journey.work()
    await persons().changes.delete(journey.projectId, derivePersonId(journey.projectId, "alice"), WITH_EVENTS)
    await waitFor("the events to go", async () => (await journey.events()).length === 1)
    expect((await journey.events()).map(({ distinct_id }) => distinct_id)).toEqual(["bob"])
  })

  test("reaches ClickHouse later when it is away", async () => {
    const journey = await journeyWith(["alice", {}])
    const away = Object.assign(Object.create(stores.clickHouse) as ClickHouse, {
      insert: () => Promise.reject(new Error("connect ECONNREFUSED")),
    })
    await persons(away).changes.delete(journey.projectId, derivePersonId(journey.projectId, "alice"), PERSONS_ALONE)
    expect(await journey.persons()).toHaveLength(1)
    await persons().copies.applyPending()
    expect(await journey.persons()).toEqual([])
  })
})
