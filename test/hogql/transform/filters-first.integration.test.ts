import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { compile, type HogqlScope, type PropertyType } from "../../../src/hogql/index.js"
import { TestEngine } from "../support/engine.js"
import { unguardedTables } from "../support/guards.js"
import { emptyScope } from "../support/scope.js"

const engine = new TestEngine()
const idOf = (number: number): string => `0190d000-0000-7000-8000-${String(number).padStart(12, "0")}`
const AT = "2024-03-01T12:00:00Z"

/** Persons by number, in all versions: null is a deletion. */
const PERSONS: readonly (readonly [number, ...(string | null)[]])[] = [
  [1, '{"email":"ann@x.test","plan":"pro","age":30,"vip":true}'],
  [2, '{"email":"bob@x.test","plan":"free","age":"20"}', '{"email":"bob@x.test","plan":"pro","age":"25"}'],
  [3, '{"email":"cay@y.test","plan":null,"vip":false}'],
  [4, '{"email":"","age":0}'],
  [5, '{"email":"eve@x.test","plan":"pro"}', null],
  [6, "{}"],
  [7, '{"email":"ann@x.test"}'],
  // More than are looked for by an index.
  ...Array.from({ length: 25 }, (_, at) => [200 + at, '{"email":"many@x.test"}'] as const),
]
/** Distinct ids that were given to another person, in all versions: null is an override that was taken back. */
const OVERRIDES: readonly (readonly [string, ...(number | null)[]])[] = [
  ["merged", 1],
  ["split", 1, 2],
  ["taken back", 3, null],
  ["to deleted", 5],
  ["to nobody", 99],
  ...Array.from({ length: 25 }, (_, at) => [`given ${at}`, 7] as const),
]
/** Distinct id and person of each event, as they were stored. */
const EVENTS: readonly (readonly [string, number, string?])[] = [
  ...[1, 2, 3, 4, 5, 6, 7].map((number) => [`user ${number}`, number, number % 2 === 0 ? "acme" : "beta"] as const),
  ["merged", 3],
  ["merged", 42, "acme"],
  ["split", 1],
  ["taken back", 2, "gone"],
  ["to deleted", 1],
  ["to nobody", 1],
  ["personless", 77, "unknown"],
  ["later", 8],
  ["one of many", 210],
  ["given 3", 42],
  ["", 1, ""],
]

beforeAll(() => {
  const common = { created_at: AT }
  type Rows<Value> = readonly (readonly [unknown, ...Value[]])[]
  const versions = <Value>(rows: Rows<Value>, show: (key: never, value: Value) => object) =>
    rows.flatMap(([key, ...values]) =>
      values.map((value, version) => ({ project_id: 1, version: version + 1, ...show(key as never, value) })),
    )
  engine.insert(
    "persons",
    versions(PERSONS, (number: number, properties) => ({
      ...common,
      id: idOf(number),
      properties: properties ?? "{}",
      is_deleted: properties === null ? 1 : 0,
    })),
  )
  engine.insert(
    "person_distinct_id_overrides",
    versions(OVERRIDES, (distinct_id: string, person) => ({
      distinct_id,
      person_id: idOf(person ?? 0),
      is_deleted: person === null ? 1 : 0,
    })),
  )
  const groups: readonly (readonly [string, ...(string | null)[]])[] = [
    ["acme", '{"size":10,"name":"Acme"}'],
    ["beta", '{"size":"3"}'],
    ["gone", '{"size":10}', null],
  ]
  engine.insert(
    "groups",
    versions(groups, (group_key: string, properties) => ({
      ...common,
      group_type_index: 0,
      group_key,
      properties: properties ?? "{}",
      is_deleted: properties === null ? 1 : 0,
    })),
  )
  // The same keys in another type of group and another project, which must not count.
  engine.insert("groups", [
    { ...common, project_id: 1, version: 1, group_type_index: 1, group_key: "beta", properties: '{"size":10}' },
  ])
  engine.insert("persons", [
    { ...common, project_id: 2, version: 9, id: idOf(3), properties: '{"email":"ann@x.test"}' },
  ])
  engine.insert("cohort_people", [
    { project_id: 1, cohort_id: 1, person_id: idOf(2), version: 1, is_static: 1 },
    { project_id: 1, cohort_id: 1, person_id: idOf(5), version: 1, is_static: 1 },
  ])
  engine.insert(
    "events",
    EVENTS.map(([distinct_id, person, group = ""], index) => ({
      project_id: 1,
      uuid: idOf(1000 + index),
      event: index % 3 === 0 ? "seen" : "bought",
      distinct_id,
      properties: '{"n":1}',
      timestamp: AT,
      created_at: AT,
      person_id: idOf(person),
      person_created_at: AT,
      person_properties: "{}",
      person_mode: "full",
      $group_0: group,
    })),
  )
})
afterAll(() => engine.close())

const IS_PRO = {
  properties: { type: "AND", values: [{ type: "person", key: "plan", value: "pro", operator: "exact" }] },
}
const cohorts = [
  { id: 1, name: "listed", isStatic: true, filters: null },
  { id: 2, name: "pros", isStatic: false, filters: IS_PRO },
]
const personTypes = new Map<string, PropertyType>([
  ["age", "Numeric"],
  ["vip", "Boolean"],
])
const scope: HogqlScope = {
  ...emptyScope,
  propertyDefinitions: { event: new Map(), person: personTypes, group: new Map() },
  groupTypes: new Map([["firm", 0]]),
  cohorts: new Map(cohorts.map(({ id, name }) => [name, id])),
  cohortsById: new Map(cohorts.map((cohort) => [cohort.id, cohort])),
}

/** Conditions, and whether they are asked before events are read. */
const FORMS: readonly (readonly [condition: string, isFirst: boolean])[] = [
  ["person.properties.email = 'ann@x.test'", true],
  ["'pro' = person.properties.plan", true],
  ["'bob@x.test' = person.properties.email", true],
  ["person.properties.email = 'many@x.test'", true],
  ["person.properties.email IN ('bob@x.test', 'cay@y.test', NULL)", false],
  ["person.properties.email != 'ann@x.test'", false],
  ["person.properties.email IN ('ann@x.test', 'cay@y.test')", true],
  ["person.properties.email NOT IN ('ann@x.test', '')", false],
  ["person.properties.email ILIKE '%X.TEST'", true],
  ["person.properties.email NOT LIKE '%x.test'", false],
  ["person.properties.email =~ '^(ann|bob)'", true],
  ["person.properties.email !~ '^ann'", false],
  ["match(person.properties.email, '@y')", true],
  ["person.properties.plan IS NULL", false],
  ["person.properties.plan IS NOT NULL", true],
  ["person.properties.plan = NULL", false],
  ["person.properties.email = ''", true],
  ["person.properties.age > 20", true],
  ["person.properties.age <= 20", true],
  ["person.properties.vip = true", true],
  ["person.properties.vip != true", false],
  ["NOT (person.properties.email != 'ann@x.test')", true],
  ["NOT (person.properties.plan = 'pro')", false],
  ["person.properties.plan = 'pro' AND person.properties.email LIKE 'a%'", true],
  ["(person.properties.plan = 'pro' OR person.properties.age = 0)", true],
  ["(person.properties.plan = 'pro' OR person.properties.email IS NULL)", false],
  ["(person.properties.plan = 'pro' OR event = 'seen')", false],
  ["lower(person.properties.email) = 'ann@x.test'", true],
  ["person.created_at > '2020-01-01'", true],
  [`person.id = '${idOf(2)}'`, true],
  ["if(person.properties.plan = 'pro', event = 'seen', 1)", false],
  ["coalesce(person.properties.plan, 'none') = 'none'", false],
  ["person.properties.email IN (SELECT properties.email FROM persons WHERE properties.plan = 'pro')", false],
  [`person_id = '${idOf(1)}'`, true],
  [`person_id IN ('${idOf(1)}', '${idOf(99)}', '${idOf(77)}')`, true],
  [`person_id != '${idOf(1)}'`, false],
  ["person_id IN (SELECT id FROM persons WHERE properties.plan = 'pro')", true],
  ["person_id IN (SELECT id FROM persons ORDER BY id LIMIT 2)", false],
  ["person_id NOT IN (SELECT id FROM persons WHERE properties.plan = 'pro')", false],
  ["person_id IN COHORT 1", true],
  ["person_id IN COHORT 'pros'", true],
  ["person_id NOT IN COHORT 2", false],
  ["group_0.properties.size = 10", true],
  ["firm.properties.name IS NOT NULL", true],
  ["firm.properties.name IS NULL", false],
  ["group_1.properties.size = '10'", true],
]

/** Keeps a condition where it is, and says the same. */
const asWritten = (condition: string): string => `((${condition}) OR materialize(0))`

async function uuidsOf(where: string, columns = "uuid, properties", some: Partial<HogqlScope> = {}): Promise<string[]> {
  const text = `SELECT ${columns} FROM events WHERE ${where}`
  const { rows } = engine.run(await compile({ text }, { ...scope, ...some }))
  return rows.map((row) => JSON.stringify(row)).sort()
}

/** How the SQL shows that a condition was moved. */
const MOVED = / AS [ko] WHERE |PREWHERE and\([^)]*\), (?:and\(or\(|if\()?(?:in|equals)\(r\./

describe("conditions on persons and groups that are asked first", () => {
  test.each(FORMS)("give the same events as where they stand: %s", async (condition, isFirst) => {
    const { sql } = await compile({ text: `SELECT uuid, properties FROM events WHERE ${condition}` }, scope)
    expect(MOVED.test(sql)).toBe(isFirst)
    expect(unguardedTables(sql)).toEqual([])
    expect(MOVED.test((await compile({ text: `SELECT 1 FROM events WHERE ${asWritten(condition)}` }, scope)).sql)).toBe(
      false,
    )
    expect(await uuidsOf(condition)).toEqual(await uuidsOf(asWritten(condition)))
  })

  test("are worth asking: each of the forms above is true of some event, and false of others", async () => {
    for (const [condition] of FORMS) {
      const found = await uuidsOf(condition)
      expect([condition, found.length > 0 || condition.includes("group_1"), found.length < EVENTS.length]).toEqual([
        condition,
        true,
        true,
      ])
    }
  })

  test("give the same in any combination, with columns that need what was joined, and inlined", async () => {
    const form = fc.constantFrom(...FORMS.map(([condition]) => condition))
    const condition = fc.oneof(
      form,
      form.map((one) => `NOT (${one})`),
      fc.tuple(form, form).map(([one, other]) => `(${one} OR ${other})`),
      fc.constant("event = 'seen'"),
    )
    const columns = fc.constantFrom(
      "uuid",
      "uuid, person_id, properties.n",
      "uuid, person.properties.email, person.properties.plan AS plan",
      "uuid, person.id, group_0.properties.size, distinct_id",
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(condition, { minLength: 1, maxLength: 3 }),
        columns,
        fc.boolean(),
        async (all, shown, inlinesSubqueries) => {
          const where = all.join(" AND ")
          expect(await uuidsOf(where, shown, { inlinesSubqueries })).toEqual(await uuidsOf(asWritten(where), shown))
        },
      ),
      { numRuns: 40, seed: 7 },
    )
  }, 240_000)

  test("leave out joins that nothing else needs, and read of persons those alone that are looked for", async () => {
    const sqlOf = async (text: string) => (await compile({ text }, scope)).sql
    const counted = await sqlOf("SELECT uniq(properties) FROM events WHERE person.properties.email = 'a'")
    expect(counted).not.toContain("JOIN")
    const short = await sqlOf("SELECT uniq(person_id) FROM events WHERE person.properties.plan = 'a'")
    expect(short.match(/FROM persons/g)).toHaveLength(1)
    expect(short.match(/FROM person_distinct_id_overrides/g)).toHaveLength(1)
    const shown = await sqlOf("SELECT person.properties.plan FROM events WHERE person.properties.email = 'a'")
    expect(shown).toContain(
      "FROM persons AS r FINAL PREWHERE and(equals(r.project_id, {project:Int64}), in(r.id, (SELECT k.id",
    )
  })

  test("stay where they stand with joins that make rows of their own, and in what is chosen at random", async () => {
    const sqlOf = async (text: string) => (await compile({ text }, scope)).sql
    const IS_ANN = "person.properties.email = 'ann@x.test'"
    expect(
      await sqlOf(`SELECT 1 FROM events AS e RIGHT JOIN persons AS p ON e.person_id = p.id WHERE e.${IS_ANN}`),
    ).not.toMatch(MOVED)
    expect(await sqlOf(`SELECT 1 FROM events WHERE ${IS_ANN} AND rand() > 0`)).toMatch(MOVED)
    expect(
      await sqlOf("SELECT properties FROM events WHERE person_id IN (SELECT id FROM persons WHERE rand() % 2 = 0)"),
    ).not.toMatch(MOVED)
  })
})
