import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { EVENT_COLUMNS } from "../../../../src/features/ingestion/rows/event-row.js"
import { toRowBytes } from "../../../../src/features/ingestion/rows/event-rows.js"
import { compile, QUERY_SETTINGS } from "../../../../src/hogql/index.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { type JsonObject, toStorableJson } from "../../../../src/kernel/json.js"
import { EVENT_PROPERTY_COLUMNS, toPropertyColumn } from "../../../../src/kernel/property-columns.js"
import { splitStatements } from "../../../../src/platform/migrations/split-statements.js"
import { emptyScope } from "../../../hogql/support/scope.js"
import { type RealStores, startRealStores } from "../real-stores.js"
import { propertyValues, toRow } from "./rows-of-properties.js"

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

async function store(projectId: number, all: readonly JsonObject[]): Promise<void> {
  const rows = all.map((properties, index) => toRow(projectId, properties, index))
  await stores.clickHouse.insert({ table: "events", columns: EVENT_COLUMNS, blocks: [toRowBytes(rows)] })
}

/** How many events have another value in a column than in their text, by column; nothing where all are equal. */
async function findDifferences(projectId: number): Promise<Record<string, number>> {
  const counts = EVENT_PROPERTY_COLUMNS.map((name) => {
    const text = `JSONExtract(properties, '${name}', 'Nullable(String)')`
    return `countIf(\`${toPropertyColumn(name)}\` IS DISTINCT FROM ${text}) AS \`${name}\``
  })
  const [row = {}] = await stores.clickHouse.rows<Record<string, number>>({
    sql: `SELECT ${counts.join(", ")} FROM events WHERE project_id = ${projectId}`,
  })
  return Object.fromEntries(Object.entries(row).filter(([, count]) => count > 0))
}

const NAMES = ["$browser", "$screen_width", "$feature_flag_response", "$app_version", "utm_source"]
const properties = fc
  .dictionary(fc.constantFrom(...NAMES, "own"), propertyValues, { noNullPrototype: true })
  .map((found) => toStorableJson(found))

/** What is read of each event, most of all where null, "" and text that looks like something else might be confused. */
const OF_EVENT = [
  ...NAMES.map((name) => `properties.${name}`),
  "coalesce(properties.$browser, 'none')",
  "ifNull(properties['$browser'], 'none')",
  "properties.$browser.a",
  "properties.$browser[1]",
  "properties.$browser.a.b[1]",
  "toFloat(properties.$browser)",
  "toString(properties.$screen_width)",
  "lower(properties.$browser)",
  "lagInFrame(properties.$browser) over (partition by distinct_id order by uuid)",
]

const CONDITIONS = [
  ...NAMES.map((name) => `properties.${name} = 'chrome' or properties.${name} = ''`),
  "properties.$browser != 'chrome'",
  "properties.$browser = properties.utm_source",
  "properties.$browser is null or properties.utm_source = null",
  "properties.$browser is not null and properties.utm_source != null",
  "properties.$browser like '%hr%' and properties.utm_source not like 'x'",
  "properties.$browser ilike 'CHROME' and properties.utm_source not ilike '%NULL%'",
  "properties.$browser in ('chrome', 'null', null)",
  "properties.$browser not in ('chrome', '')",
  "properties.$browser =~ '^[a-c0-9]' and properties.utm_source !~ 'x$'",
  "properties.$browser > 1 or properties.$browser = 1 or properties.$browser = true",
  "properties.$screen_width > 1 and properties.$screen_width < 1000",
  "properties.$screen_width = 0 or properties.$feature_flag_response = false",
  "properties.$app_version > '2024-01-01'",
  "not (properties.$browser = 'chrome' and event = '$pageview')",
]

const AGGREGATES = [
  "count(properties.$browser)",
  "uniq(properties.$browser)",
  "min(properties.$browser)",
  "max(properties.$browser)",
  "topK(50)(properties.$browser)",
  "count(distinct properties.$browser)",
  "sum(properties.$screen_width)",
  "avg(properties.$screen_width)",
  "argMax(properties.$browser, uuid)",
  "argMin(properties.utm_source, uuid)",
  "arraySort(groupArray(properties.$browser))",
  "arraySort(groupUniqArray(properties.utm_source))",
  ...CONDITIONS.map((condition) => `countIf(${condition})`),
]

const READINGS = [
  `select uuid, ${OF_EVENT.join(", ")} from rows order by uuid`,
  "select uuid, properties.$browser as b, b.a, b[1] from rows order by uuid",
  "select properties.$browser as value, count() from rows group by value order by value",
  "select properties.$screen_width as value, count() from rows group by value order by value",
  `select ${AGGREGATES.join(", ")} from rows`,
  "select count() from rows where event = 'other' and properties.$browser = 'chrome'",
  `select event, countIf(properties.$browser = 'chrome') from rows group by event
   having max(properties.utm_source) != 'x' order by event`,
  `select a.uuid, b.properties.utm_source from rows a left join rows b
   on a.properties.$browser = b.properties.$browser and a.uuid = b.uuid order by a.uuid`,
]

/** Both readings of the same events: through columns, and out of the text, which is all that a subquery hands on. */
const THROUGH_COLUMNS = "events"
const OUT_OF_TEXT = "(select uuid, event, distinct_id, timestamp, properties from events)"

async function read(projectId: number, text: string): Promise<{ sql: string; rows: unknown }> {
  const scope = {
    ...emptyScope,
    projectId: asProjectId(projectId),
    propertyDefinitions: {
      ...emptyScope.propertyDefinitions,
      event: new Map([
        ["$screen_width", "Numeric" as const],
        ["$feature_flag_response", "Boolean" as const],
        ["$app_version", "DateTime" as const],
      ]),
    },
  }
  const { sql, parameters } = await compile({ text }, scope)
  const { rows } = await stores.clickHouse.query({ sql, parameters, settings: QUERY_SETTINGS })
  return { sql, rows }
}

/** Conditions in any combination: those of columns are asked before other columns are read, those of texts are not. */
const FILTERS = fc
  .array(
    fc.oneof(
      fc.constantFrom(...CONDITIONS),
      fc.constantFrom(...CONDITIONS).map((one) => `not (${one})`),
      fc.tuple(fc.constantFrom(...CONDITIONS), fc.constantFrom(...CONDITIONS)).map(([a, b]) => `((${a}) or (${b}))`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) => `select uuid, properties from rows where ${all.map((one) => `(${one})`).join(" and ")} order by uuid`)

async function expectSameReadings(projectId: number, filters: readonly string[] = []): Promise<void> {
  for (const reading of [...READINGS, ...filters]) {
    const from = (source: string) => reading.replaceAll(/\brows\b/g, source)
    const columns = await read(projectId, from(THROUGH_COLUMNS))
    const text = await read(projectId, from(OUT_OF_TEXT))
    expect({ reading, rows: columns.rows }).toEqual({ reading, rows: text.rows })
    expect(text.sql).not.toContain("property_")
  }
}

describe("a property with a column of its own", () => {
  test("reads exactly as out of the text, whatever its value is", async () => {
    let projectId = 100
    await fc.assert(
      fc.asyncProperty(
        fc.array(properties, { minLength: 20, maxLength: 60, size: "max" }),
        fc.array(FILTERS, { minLength: 8, maxLength: 8 }),
        async (all, filters) => {
          projectId += 1
          await store(projectId, all)
          expect(await findDifferences(projectId)).toEqual({})
          await expectSameReadings(projectId, filters)
        },
      ),
      { numRuns: 3, endOnFailure: true },
    )
  })

  test("is read from the column and not from the text", async () => {
    const { sql } = await read(1, "select properties.$browser from events where properties.$os = 'Linux'")
    expect(sql).toContain("property_$browser")
    expect(sql).not.toContain("JSONExtract")
  })

  test("is asked before other columns are read, so that these are not read where it does not fit", async () => {
    const long = "x".repeat(3000)
    await store(
      6,
      Array.from({ length: 200 }, () => ({ $browser: "Chrome", $os: "Linux", long })),
    )
    const select = "select properties from events"
    const conditions = ["$browser = 'Safari'", "$os in ('Mac', 'iOS')", "$browser ilike '%fari'", "$os is null"]
    const ask = async (where: string) => {
      const compiled = await compile({ text: `${select}${where}` }, { ...emptyScope, projectId: asProjectId(6) })
      const [plan, { bytesRead: bytes }] = await Promise.all([
        stores.clickHouse.query({ ...compiled, sql: `EXPLAIN actions = 1 ${compiled.sql}` }),
        stores.clickHouse.query({ ...compiled, settings: QUERY_SETTINGS }),
      ])
      return { plan: plan.rows.join("\n"), bytes }
    }
    const everything = await ask("")
    expect(everything.bytes).toBeGreaterThan(200 * long.length)
    for (const condition of conditions) {
      const { plan, bytes } = await ask(` where properties.${condition}`)
      expect(plan).toMatch(/Prewhere filter column: [^\n]*property_\$/)
      expect({ condition, isLittle: bytes < everything.bytes / 10 }).toEqual({ condition, isLittle: true })
    }
  })

  test("shows up neither among the columns of events nor under its name", async () => {
    await store(2, [{ $browser: "Chrome" }])
    const { columns } = await stores.clickHouse.query({
      ...(await compile({ text: "select * from events" }, { ...emptyScope, projectId: asProjectId(2) })),
      settings: QUERY_SETTINGS,
    })
    expect(columns.filter(({ name }) => name.includes("$browser"))).toEqual([])
    await expect(read(2, "select `property_$browser` from events")).rejects.toMatchObject({ kind: "query" })
  })

  test("is the same too when nothing has to be escaped in the text, and something in the column", async () => {
    await store(7, [{ $browser: { a: "\u2028" } }])
    expect(await findDifferences(7)).toEqual({})
  })

  test("is there too when a number is too long for the engine, as are the other properties", async () => {
    await store(3, [{ $browser: "Chrome", own: 1e20, $screen_width: -(2 ** 70) }])
    const { rows } = await read(3, "select properties.$browser, properties.own, properties.$screen_width from events")
    expect(rows).toEqual([["Chrome", "100000000000000000000", -(2 ** 70)]])
  })
})

describe("events of before", () => {
  const columns = EVENT_PROPERTY_COLUMNS.map((name) => `\`${toPropertyColumn(name)}\``)
  const settings = { mutations_sync: 2 }

  test("read the same before and after their columns are filled in the background", async () => {
    const { clickHouse } = stores
    // The roll-up of sessions reads the columns.
    await clickHouse.command({ sql: "DROP VIEW session_sources_of_events" })
    await clickHouse.command({
      sql: `ALTER TABLE events ${columns.map((name) => `DROP COLUMN ${name}`).join(", ")}`,
      settings,
    })
    const all = fc.sample(properties, { numRuns: 30, seed: 1 })
    const before = all.map((found, index) => ({
      project_id: 4,
      uuid: `0190d002-0000-7000-8000-${String(index).padStart(12, "0")}`,
      event: "e",
      distinct_id: "d",
      properties: JSON.stringify(found),
      timestamp: "2024-03-10 00:00:00",
    }))
    await clickHouse.insert({ table: "events", rows: before })
    const [add = "", fill = ""] = splitStatements(
      readFileSync("migrations/clickhouse/0006_event_property_columns.sql", "utf8"),
    )
    await clickHouse.command({ sql: add })
    expect(await findDifferences(4)).toEqual({})
    await expectSameReadings(4)
    await clickHouse.command({ sql: fill, settings })
    expect(await findDifferences(4)).toEqual({})
    await expectSameReadings(4)
  })

  test("written by a program that does not know the columns get them from the text", async () => {
    await stores.clickHouse.insert({
      table: "events",
      rows: [
        {
          project_id: 5,
          uuid: "0190d000-0000-7000-8000-0000000000a1",
          event: "e",
          properties: { $browser: "Safari" },
          timestamp: "2024-03-10 00:00:00",
        },
      ],
    })
    expect(await findDifferences(5)).toEqual({})
    expect((await read(5, "select properties.$browser from events")).rows).toEqual([["Safari"]])
  })
})
