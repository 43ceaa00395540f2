import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import type { BatchLog } from "../../../../src/features/ingestion/batches/batch.types.js"
import { EVENT_COLUMNS } from "../../../../src/features/ingestion/rows/event-row.js"
import { toRowBytes } from "../../../../src/features/ingestion/rows/event-rows.js"
import { createSpareFieldsWriter, SPARE_COLUMNS } from "../../../../src/features/ingestion/rows/spare-fields.js"
import { SpareCatalogue } from "../../../../src/features/ingestion/spares/spare-catalogue.js"
import { createPostgresQuerySchemaReader } from "../../../../src/features/queries/index.js"
import { compile, type HogqlScope, QUERY_SETTINGS } from "../../../../src/hogql/index.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { type JsonObject, toStorableJson } from "../../../../src/kernel/json.js"
import { emptyScope } from "../../../hogql/support/scope.js"
import { createManualClock } from "../../../support/manual-clock.js"
import { type RealStores, startRealStores } from "../real-stores.js"
import { propertyValues, toRow } from "../rows/rows-of-properties.js"
import { Crash, Journey, NOW_MS, sent } from "./journey.js"

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

/** A process in which every event counts, and each batch may earn. */
const startProcess = () =>
  new SpareCatalogue(createManualClock(NOW_MS), { everyEvents: 1, countedEvents: 1, minEvents: 1 })

const append = (journey: Journey, ...all: readonly JsonObject[]): Promise<void> =>
  journey.append(...all.map((properties) => sent("bought", "user", { properties })))

/** What the rows of a project have in their first spare columns, in the order they were sent. */
async function listRows(journey: Journey): Promise<unknown[]> {
  const { rows } = await stores.clickHouse.query({
    sql: `SELECT spare_count, spare_1, spare_2, spare_3 FROM events
          WHERE project_id = {project:Int64} ORDER BY uuid`,
    parameters: { project: journey.projectId },
  })
  return [...rows]
}

async function listGiven(journey: Journey): Promise<string[]> {
  const { rows } = await stores.pool.query<{ name: string }>(
    "SELECT spare || ' ' || name AS name FROM property_spare WHERE project_id = $1 ORDER BY spare",
    [journey.projectId],
  )
  return rows.map(({ name }) => name)
}

describe("a property with a spare column", () => {
  test("has it from the batch after the one that earned it, and keeps it", async () => {
    const journey = new Journey(stores)
    const spares = startProcess()
    await append(journey, { plan: "pro" })
    await journey.work({ spares })
    await append(journey, { plan: "team\t\\N", size: 3 }, { size: 12.5 }, { plan: null })
    await journey.work({ spares })
    await append(journey, { plan: ["a"], size: true })
    await journey.work({ spares })
    expect(await listGiven(journey)).toEqual(["1 plan", "2 size"])
    expect(await listRows(journey)).toEqual([
      [0, null, null, null],
      [1, "team\t\\N", null, null],
      [1, null, null, null],
      [1, null, null, null],
      [2, '["a"]', "true", null],
    ])
    const schemas = createPostgresQuerySchemaReader(stores, createManualClock(NOW_MS))
    const given = (await schemas.read(journey.projectId)).spares
    expect(given).toEqual(
      new Map([
        ["plan", 1],
        ["size", 2],
      ]),
    )
    const text =
      "select properties.plan, properties.size from events where properties.size > 1 or properties.plan != ''"
    const { sql, rows } = await ask(journey.projectId, `${text} order by uuid`, given && { spares: given })
    expect(sql).toContain("spare_count")
    expect(rows).toEqual([
      ["pro", null],
      ["team\t\\N", 3],
      [null, 12.5],
      [null, null],
      ['["a"]', null],
    ])
  })

  test("is one of sixteen", async () => {
    const journey = new Journey(stores)
    const spares = startProcess()
    for (const letter of ["a", "b"]) {
      await append(journey, Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${letter}${index}`, 1])))
      await journey.work({ spares })
    }
    await append(journey, { a0: "first", b10: "sixteenth", b9: "none" })
    await journey.work({ spares })
    const given = await listGiven(journey)
    expect(given).toHaveLength(16)
    expect([given[0], given[15]]).toEqual(["1 a0", "16 b11"])
    expect((await listRows(journey)).at(-1)).toEqual([16, "first", null, null])
  })

  test("is another one in another project", async () => {
    const [journey, other] = [new Journey(stores), new Journey(stores)]
    const spares = startProcess()
    await append(journey, { plan: "pro" })
    await journey.work({ spares })
    await append(other, { size: 1, plan: "free" })
    await other.work({ spares })
    await append(other, { plan: "free", size: 2 })
    await other.work({ spares })
    expect([await listGiven(journey), await listGiven(other)]).toEqual([["1 plan"], ["1 plan", "2 size"]])
    expect(await listRows(other)).toEqual([
      [0, null, null, null],
      [2, "free", "2", null],
    ])
  })

  test("has none when the batch that earned it fails, and no row says otherwise", async () => {
    const journey = new Journey(stores)
    const wrap = (log: BatchLog): BatchLog => ({
      ...log,
      transaction: (work) =>
        log.transaction((transaction) => work({ ...transaction, finish: () => Promise.reject(new Crash()) })),
    })
    await append(journey, { lost: 1 })
    const spares = startProcess()
    await expect(journey.work({ spares, wrap })).rejects.toThrow()
    expect(await listGiven(journey)).toEqual([])
    await append(journey, { lost: 1 })
    expect(await journey.work({ spares })).toEqual({ stored: 1, dropped: 0 })
    expect(await listRows(journey)).toEqual([[0, null, null, null]])
  })

  test("leaves a replayed event stored once, by a process that knows other columns", async () => {
    const journey = new Journey(stores)
    const old = startProcess()
    await append(journey, { plan: "pro" })
    await journey.work({ spares: old })
    const events = Array.from({ length: 30 }, (_, index) => ({ plan: "x".repeat(10 * index), size: index }))
    await append(journey, ...events)
    const wrap = (log: BatchLog): BatchLog => ({
      ...log,
      transaction: (work) =>
        log.transaction((transaction) => work({ ...transaction, finish: () => Promise.reject(new Crash()) })),
    })
    // The first attempt knows no columns, and stores chunks that depend on the size of rows.
    const unaware = { read: async () => new Map(), count: () => undefined, takeEarned: () => new Map() }
    const maxRowBytes = 5_000
    await expect(journey.work({ spares: unaware, wrap, maxRowBytes })).rejects.toThrow()
    expect(await journey.work({ spares: old, maxRowBytes })).toEqual({ stored: 30, dropped: 0 })
    expect(await journey.events()).toHaveLength(31)
    expect((await listRows(journey)).at(-1)).toEqual([0, null, null, null])
  })
})

const NAMES = ["plan", "size", "is beta", "seen"]
const SPARES = new Map(NAMES.map((name, index) => [name, index + 1]))

/** Stores events whose writers knew the first so many columns, one after the other. */
async function store(projectId: number, all: readonly JsonObject[], known = [0, 1, 2, 3, 4]): Promise<void> {
  const rows = all.map((properties, index) => {
    const names = NAMES.slice(0, known[index % known.length])
    return `${toRow(projectId, properties, index)}${createSpareFieldsWriter(names)(properties)}`
  })
  const columns = [...EVENT_COLUMNS, ...SPARE_COLUMNS]
  await stores.clickHouse.insert({ table: "events", columns, blocks: [toRowBytes(rows)] })
}

async function ask(projectId: number, text: string, some: Partial<HogqlScope> = {}) {
  const event = new Map([
    ["size", "Numeric" as const],
    ["is beta", "Boolean" as const],
    ["seen", "DateTime" as const],
  ])
  const propertyDefinitions = { ...emptyScope.propertyDefinitions, event }
  const scope = { ...emptyScope, projectId: asProjectId(projectId), propertyDefinitions, ...some }
  const { sql, parameters } = await compile({ text }, scope)
  const { rows, bytesRead } = await stores.clickHouse.query({ sql, parameters, settings: QUERY_SETTINGS })
  return { sql, rows, bytesRead }
}

const CONDITIONS = [
  "properties.plan = 'chrome' or properties.plan = ''",
  "properties.plan != 'chrome' and event = 'other'",
  "properties.plan = properties.size",
  "properties.plan is null or properties.other = null",
  "properties.plan like '%hr%' and properties.`is beta` = false",
  "properties.plan not in ('chrome', 'null', null)",
  "properties.size > 1 and properties.size < 1000",
  "properties.seen > '2024-01-01' or properties.plan =~ '^[a-c0-9]'",
  "properties.plan ilike 'CHROME' and properties.plan.a is null",
]

const READINGS = [
  `select uuid, ${NAMES.map((name) => `properties.\`${name}\``).join(", ")} from events order by uuid`,
  "select uuid, properties.plan, properties.plan.a, properties.other from events order by uuid",
  "select uuid, properties.seen, properties from events order by uuid",
  "select uuid, properties.plan, properties.seen from events where event = 'other' order by uuid limit 9",
  "select properties.plan as p, uuid from events order by p, uuid limit 20 offset 3",
  "select properties.plan as plan, count(), uniq(person_id) from events group by plan order by plan",
  "select properties.size, count() from events where event = 'other' group by 1 with rollup order by 1, 2",
  // Sums of any numbers would depend on the order in which the engine's threads add them up.
  `select count(properties.plan), uniq(properties.size), max(properties.plan),
   round(sumIf(properties.size, properties.size > 1 and properties.size < 1000), 3) from events`,
  "select arraySort(groupArray(properties.plan)), argMin(properties.seen, uuid) from events where event = '$pageview'",
  "select uuid, lagInFrame(properties.plan) over (partition by distinct_id order by uuid) from events order by uuid",
  "select uuid, person.id, properties.size from events where properties.plan != 'x' order by uuid",
  `select plan, count() from (select properties.plan as plan, event from events)
   where event = 'other' group by 1 order by 1`,
  `select a.uuid, b.properties.size from events a left join events b
   on a.properties.plan = b.properties.plan and a.uuid = b.uuid order by a.uuid`,
  `select uuid from events where properties.plan in (select properties.plan from events where event = 'other')
   order by uuid`,
  "select uuid, x from events array join [properties.plan, 'x'] as x where properties.size is null order by uuid, x",
  ...CONDITIONS.flatMap((one) => [
    `select uuid from events where ${one} order by uuid`,
    `select uuid, properties from events where event = 'other' and not (${one}) order by uuid`,
    `select event, countIf(${one}) from events group by event having max(properties.plan) != 'y' order by event`,
  ]),
]

describe("a query of properties with spare columns", () => {
  const properties = fc
    .dictionary(fc.constantFrom(...NAMES, "other"), propertyValues, { noNullPrototype: true })
    .map((found) => toStorableJson(found))

  test.each([
    ["a text", false],
    ["an insight", true],
  ])("answers %s as out of the text, whatever the values are and whichever columns rows have", async (_, inlines) => {
    let projectId = inlines ? 200 : 100
    await fc.assert(
      fc.asyncProperty(fc.array(properties, { minLength: 20, maxLength: 60, size: "max" }), async (all) => {
        projectId += 1
        await store(projectId, all)
        for (const reading of READINGS) {
          const { rows } = await ask(projectId, reading, { inlinesSubqueries: inlines, spares: SPARES })
          const text = await ask(projectId, reading, { inlinesSubqueries: inlines })
          expect({ reading, rows }).toEqual({ reading, rows: text.rows })
          expect(text.sql).not.toContain("spare_")
        }
      }),
      { numRuns: 2, endOnFailure: true },
    )
  })

  test("reads no text of the rows that have them", async () => {
    const long = "x".repeat(3_000)
    const all = Array.from({ length: 300 }, (_, index) => ({ plan: `plan ${index % 3}`, size: index, long }))
    await store(20, all, [4])
    const text = "select properties.plan as plan, sum(properties.size) from events group by plan order by plan"
    const out = await ask(20, text)
    const apart = await ask(20, text, { spares: SPARES })
    expect(apart.rows).toEqual(out.rows)
    expect(apart.rows).toHaveLength(3)
    expect(out.bytesRead).toBeGreaterThan(300 * long.length)
    expect(apart.bytesRead).toBeLessThan(out.bytesRead / 10)
    // Nor of those that a condition on one leaves out.
    const few = "select properties, properties.size from events where properties.plan ilike 'PLAN 4'"
    expect((await ask(20, few)).bytesRead).toBeGreaterThan(300 * long.length)
    expect((await ask(20, few, { spares: SPARES })).bytesRead).toBeLessThan(out.bytesRead / 10)
  })

  test("reads the text of the few rows that are shown first, which the engine looks up by themselves", async () => {
    const show = async (text: string) => (await ask(1, text, { spares: SPARES })).sql
    const newest = "select properties.plan, event from events where event = 'other' order by timestamp desc limit 10"
    expect(await show(newest)).not.toContain("UNION ALL")
    expect(await show(newest.replace("event =", "properties.size > 1 and event ="))).toContain("UNION ALL")
    expect(await show(newest.replace("timestamp desc", "properties.plan"))).toContain("UNION ALL")
    expect(await show(newest.replace("event from", "person_id from"))).toContain("UNION ALL")
    expect(await show("select properties.plan as p, count() from events group by p order by 2")).toContain("UNION ALL")
  })

  test("shows them neither among the columns of events nor by their names", async () => {
    await store(21, [{ plan: "pro" }], [4])
    const { sql, rows } = await ask(21, "select * from events", { spares: SPARES })
    expect(sql).not.toContain("spare_")
    expect(rows).toHaveLength(1)
    await expect(ask(21, "select spare_1 from events")).rejects.toMatchObject({ kind: "query" })
    await expect(ask(21, "select spare_count from events")).rejects.toMatchObject({ kind: "query" })
  })

  test("reads those of its own project alone", async () => {
    await store(22, [{ plan: "of 22" }], [1])
    await store(23, [{ plan: "of 23" }], [1])
    const text = "select properties.plan from events where properties.plan like 'of %' or event != ''"
    expect((await ask(22, text, { spares: SPARES })).rows).toEqual([["of 22"]])
    expect((await ask(23, text, { spares: SPARES })).rows).toEqual([["of 23"]])
  })
})
