import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { toRowBytes } from "../../../../src/features/ingestion/rows/event-rows.js"
import { COPY_COLUMNS, toPersonRows } from "../../../../src/features/ingestion/rows/person-rows.js"
import { type ChangedPerson, NO_CHANGES } from "../../../../src/features/persons/persons.types.js"
import { compile, QUERY_SETTINGS } from "../../../../src/hogql/index.js"
import { asPersonId, asProjectId, type PersonId } from "../../../../src/kernel/ids.js"
import { type JsonObject, toStorableJson } from "../../../../src/kernel/json.js"
import {
  GROUP_PROPERTY_COLUMNS,
  PERSON_PROPERTY_COLUMNS,
  toPropertyColumn,
} from "../../../../src/kernel/property-columns.js"
import { splitStatements } from "../../../../src/platform/migrations/split-statements.js"
import { emptyScope } from "../../../hogql/support/scope.js"
import { type RealStores, startRealStores } from "../real-stores.js"
import { propertyValues } from "./rows-of-properties.js"

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

const idOf = (number: number): PersonId => asPersonId(`0190d000-0000-7000-8000-${String(number).padStart(12, "0")}`)

const toPerson = (number: number, version: number, properties: JsonObject | null): ChangedPerson => ({
  id: idOf(number),
  properties: properties ?? {},
  propertiesJson: JSON.stringify(properties ?? {}),
  isIdentified: true,
  isDeleted: properties === null,
  createdAtMs: 0,
  version,
})

/** Stores one version of some persons, and of groups with the same properties. */
async function store(projectId: number, persons: readonly ChangedPerson[]): Promise<void> {
  const groups = persons.map(({ id, properties, version }) => ({
    typeIndex: 0,
    key: id,
    createdAtMs: 0,
    properties,
    version,
  }))
  const change = { ...NO_CHANGES, projectId: asProjectId(projectId), persons, groups }
  const rows = toPersonRows([change])
  const { clickHouse } = stores
  const columns = COPY_COLUMNS.persons
  await clickHouse.insert({
    table: "persons",
    columns,
    blocks: [toRowBytes([...rows.livePersons, ...rows.tombstones])],
  })
  await clickHouse.insert({ table: "groups", columns: COPY_COLUMNS.groups, blocks: [toRowBytes(rows.groups)] })
}

/** One event of each person and group, and one of nobody. */
async function storeEvents(projectId: number, count: number): Promise<void> {
  const rows = Array.from({ length: count + 1 }, (_, index) => ({
    project_id: projectId,
    uuid: `0190d001-0000-7000-8000-${String(index).padStart(12, "0")}`,
    event: "seen",
    distinct_id: `id-${index}`,
    properties: "{}",
    timestamp: "2024-03-10 00:00:00",
    person_id: idOf(index),
    $group_0: idOf(index),
  }))
  await stores.clickHouse.insert({ table: "events", rows })
}

/** How many rows have another value in a column than in their text, by column; nothing where all are equal. */
async function findDifferences(projectId: number): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  const tables = [
    ["persons", PERSON_PROPERTY_COLUMNS],
    ["groups", GROUP_PROPERTY_COLUMNS],
  ] as const
  for (const [table, names] of tables) {
    const counts = names.map((name) => {
      const text = `JSONExtract(properties, '${name}', 'Nullable(String)')`
      return `countIf(\`${toPropertyColumn(name)}\` IS DISTINCT FROM ${text}) AS \`${table} ${name}\``
    })
    const [row = {}] = await stores.clickHouse.rows<Record<string, number>>({
      sql: `SELECT ${counts.join(", ")} FROM ${table} WHERE project_id = ${projectId}`,
    })
    for (const [name, count] of Object.entries(row)) if (count > 0) found[name] = count
  }
  return found
}

const NAMES = ["email", "name", "$os_version", "$device_type", "$app_version"]
const properties = fc
  .dictionary(fc.constantFrom(...NAMES, "own", "it's"), propertyValues, { noNullPrototype: true })
  .map((found) => toStorableJson(found))

const CONDITIONS = [
  ...NAMES.map((name) => `properties.${name} = 'chrome' or properties.${name} = ''`),
  "properties.email = 'chrome'",
  "properties.email = ''",
  "properties.email != 'chrome'",
  "properties.email = properties.name",
  "properties.email is null",
  "properties.email is not null and properties.name != null",
  "properties.email ilike 'CHROME' or properties.name not ilike '%NULL%'",
  "properties.email in ('chrome', 'null')",
  "properties.email in ('chrome', '', null)",
  "properties.email not in ('chrome', '')",
  "properties.email =~ '^[a-c0-9]' and properties.name !~ 'x$'",
  "lower(properties.email) = 'chrome'",
  "properties.own = 'chrome' or properties['it\\'s'] = ''",
  "properties.own is null and properties.email != properties.own",
  "not (properties.own != 'chrome')",
  "properties.$os_version > 1 and properties.$os_version < 1000",
  "properties.$device_type = false or properties.$app_version > '2024-01-01'",
  "not (properties.email = 'chrome' and properties.name is null)",
]
const READINGS = [
  `select id, ${NAMES.map((name) => `properties.${name}`).join(", ")}, properties.email.a,
     properties.own, properties.own.a, properties['it\\'s'] from rows order by id`,
  `select ${CONDITIONS.map((one) => `countIf(${one})`).join(", ")}, uniq(properties.email), max(properties.name),
     arraySort(groupArray(properties.email)) from rows`,
  "select properties.email as value, count() from rows group by value order by value",
  ...CONDITIONS.map((one) => `select id from rows where ${one} order by id`),
]

/** Both readings of the same rows: through columns, and out of the text, which is all that a subquery hands on. */
const SOURCES = [
  { rows: "persons", properties: "properties", text: "(select id, properties from persons)" },
  {
    rows: "events",
    properties: "person.properties",
    text: "(select uuid as id, person.properties as properties from events)",
  },
  {
    rows: "events",
    properties: "group_0.properties",
    text: "(select uuid as id, group_0.properties as properties from events)",
  },
]

const TYPES = new Map([
  ["$os_version", "Numeric" as const],
  ["$device_type", "Boolean" as const],
  ["$app_version", "DateTime" as const],
])
const DEFINITIONS = { event: new Map(), person: TYPES, group: new Map([[0, TYPES]]) }

async function read(projectId: number, text: string): Promise<{ sql: string; rows: unknown }> {
  const scope = { ...emptyScope, projectId: asProjectId(projectId), propertyDefinitions: DEFINITIONS }
  const { sql, parameters } = await compile({ text }, scope)
  const { rows } = await stores.clickHouse.query({ sql, parameters, settings: QUERY_SETTINGS })
  return { sql, rows }
}

async function expectSameReadings(projectId: number, readings = READINGS): Promise<void> {
  for (const source of SOURCES)
    for (const reading of readings) {
      const own = reading
        .replaceAll("properties", source.properties)
        .replaceAll(/\bid\b/g, source.rows === "events" ? "uuid" : "id")
      const columns = await read(projectId, own.replace(" rows", ` ${source.rows}`))
      const text = await read(projectId, reading.replace(" rows", ` ${source.text}`))
      expect({ own, rows: columns.rows }).toEqual({ own, rows: text.rows })
      expect(text.sql).not.toContain("property_")
    }
}

describe("a property of persons and groups", () => {
  test("reads exactly as out of the text of the newest version, whatever its value is", async () => {
    let projectId = 100
    const versions = fc.array(fc.option(properties, { freq: 8 }), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.array(versions, { minLength: 60, maxLength: 80, size: "max" }), async (persons) => {
        projectId += 1
        for (const version of [0, 1, 2]) {
          const stored = persons.flatMap((all, number) => {
            const found = all[version]
            return found === undefined ? [] : [toPerson(number, version, found)]
          })
          if (stored.length > 0) await store(projectId, stored)
        }
        await storeEvents(projectId, persons.length)
        expect(await findDifferences(projectId)).toEqual({})
        await expectSameReadings(projectId)
      }),
      { numRuns: 1, endOnFailure: true },
    )
  })

  test("is nothing when the newest version has it no more, and of nobody who is deleted", async () => {
    await store(1, [toPerson(1, 1, { email: "ann@x.test" }), toPerson(2, 1, { email: "bob@x.test" })])
    await store(1, [toPerson(1, 2, { name: "Ann" }), toPerson(2, 2, null)])
    expect((await read(1, "select properties.email, properties.name from persons")).rows).toEqual([[null, "Ann"]])
    expect((await read(1, "select count() from persons where properties.email is not null")).rows).toEqual([[0]])
  })

  test("is that of the JSON to be stored, not of what a later event has made of the person since", async () => {
    await store(2, [{ ...toPerson(1, 1, { email: "ann@x.test" }), properties: { email: "later@x.test" } }])
    expect((await read(2, "select properties.email from persons")).rows).toEqual([["ann@x.test"]])
    expect(await findDifferences(2)).toEqual({})
  })

  test("is there too when a number is too long for the engine, as are the other properties", async () => {
    await store(3, [toPerson(1, 1, { email: "ann@x.test", own: 1e20, name: { own: -(2 ** 70) } })])
    const { rows } = await read(3, "select properties.email, properties.own, properties.name from persons")
    expect(rows).toEqual([["ann@x.test", "100000000000000000000", '{"own":-1.1805916207174113e21}']])
    expect(await findDifferences(3)).toEqual({})
  })

  test("finds one e-mail among many persons, and their events, by indexes", async () => {
    const { clickHouse } = stores
    for (const sql of [
      `INSERT INTO persons (project_id, id, properties, version)
        SELECT 4, generateUUIDv7(), concat('{"email":"', toString(number), '@x.test"}'), 1 FROM numbers(100000)`,
      `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, person_id)
        SELECT 4, generateUUIDv7(), 'seen', toString(id), now(), id FROM persons WHERE project_id = 4`,
    ])
      await clickHouse.command({ sql })
    const scope = { ...emptyScope, projectId: asProjectId(4) }
    const isOne = "properties.email = '70000@x.test'"
    for (const [text, index] of [
      [`select properties.name from persons where ${isOne}`, "email_index"],
      [`select event from events where person.${isOne}`, "person_index"],
      [`select event from events where person.${isOne}`, "distinct_id_index"],
    ] as const) {
      const compiled = await compile({ text }, scope)
      const plan = await clickHouse.query({ ...compiled, sql: `EXPLAIN indexes = 1 ${compiled.sql}` })
      expect(plan.rows.flat().map((line) => String(line).replace(/^[│ ]+/, ""))).toContain(`Name: ${index}`)
      const { rows } = await clickHouse.query({ ...compiled, settings: QUERY_SETTINGS })
      expect(rows).toHaveLength(1)
    }
  })
})

describe("persons and groups of before", () => {
  test("read the same before and after their columns are filled in the background", async () => {
    const { clickHouse } = stores
    const settings = { mutations_sync: 2 }
    const drop = PERSON_PROPERTY_COLUMNS.map((name) => `DROP COLUMN \`${toPropertyColumn(name)}\``)
    await clickHouse.command({ sql: "ALTER TABLE persons DROP INDEX email_index", settings })
    await clickHouse.command({ sql: `ALTER TABLE persons ${drop.join(", ")}`, settings })
    await clickHouse.command({ sql: "ALTER TABLE groups DROP COLUMN property_name", settings })
    const before = fc.sample(properties, { numRuns: 30, seed: 1 }).map((found, number) => ({
      project_id: 5,
      properties: JSON.stringify(found),
      version: 1,
      id: idOf(number),
      group_key: idOf(number),
    }))
    await clickHouse.insert({ table: "persons", rows: before.map(({ group_key: _, ...row }) => row) })
    await clickHouse.insert({ table: "groups", rows: before.map(({ id: _, ...row }) => row) })
    await storeEvents(5, before.length)
    const statements = splitStatements(readFileSync("migrations/clickhouse/0012_person_property_columns.sql", "utf8"))
    for (const statement of statements) {
      await clickHouse.command({ sql: statement, settings: statement.includes("MATERIALIZE") ? settings : {} })
      if (statement.startsWith("ALTER TABLE groups")) {
        expect(await findDifferences(5)).toEqual({})
        await expectSameReadings(5, READINGS.slice(0, 3))
      }
    }
  })

  test("written by a program that does not know the columns get them from the text", async () => {
    const person = { project_id: 6, id: idOf(1), properties: { email: "ann@x.test" }, version: 1 }
    await stores.clickHouse.insert({ table: "persons", rows: [person] })
    expect(await findDifferences(6)).toEqual({})
    expect((await read(6, "select properties.email from persons")).rows).toEqual([["ann@x.test"]])
  })
})
