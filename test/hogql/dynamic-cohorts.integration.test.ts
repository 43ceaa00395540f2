import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type CohortDefinition, compile, type HogqlScope } from "../../src/hogql/index.js"
import { asProjectId } from "../../src/kernel/ids.js"
import { TestEngine } from "./support/engine.js"
import { unguardedTables } from "./support/guards.js"
import { emptyScope } from "./support/scope.js"

const idOf = (index: number) => `0190d000-0000-7000-8000-00000000000${index}`
const [ANN, BOB, CAY] = [1, 2, 3].map(idOf) as [string, string, string]

const person = (key: string, value: unknown, more: object = {}) => ({ type: "person", key, value, ...more })
const inCohort = (value: number, more: object = {}) => ({ type: "cohort", key: "id", value, ...more })
const performed = (more: object) => ({
  type: "behavioral",
  value: "performed_event",
  key: "$pageview",
  event_type: "events",
  time_value: 7,
  time_interval: "day",
  ...more,
})
const group = (type: "AND" | "OR", ...values: object[]) => ({ type, values })
const cohort = (id: number, name: string, properties: object | null, isStatic = false): CohortDefinition => ({
  id,
  name,
  isStatic,
  filters: properties === null ? null : { properties },
})

/** 1 is a list; 2 to 12 mean something; 20 and above cannot be used. */
const COHORTS = [
  cohort(1, "invited", null, true),
  cohort(2, "pros", group("AND", person("plan", "pro", { operator: "exact" }))),
  cohort(3, "invited pros", group("AND", inCohort(1), group("OR", inCohort(2), person("age", 90, { operator: "gt" })))),
  cohort(4, "no pros", group("AND", inCohort(2, { negation: true }))),
  cohort(5, "not of age 30", group("OR", person("age", [30], { negation: true, operator: "exact" }))),
  cohort(6, "neither", group("AND", inCohort(2, { operator: "not_in" }), inCohort(1, { operator: "not_in" }))),
  cohort(7, "everybody", group("AND")),
  cohort(8, "new", group("AND", person("joined", "-30d", { operator: "is_date_after" }))),
  cohort(9, "old", group("AND", person("joined", "1m", { operator: "is_date_before" }))),
  cohort(12, "ever", group("AND", person("joined", "200y", { operator: "is_date_after" }))),
  cohort(10, "fr…", group("AND", person("plan", ["FR", "x"], { operator: "starts_with" }))),
  cohort(11, "not …o", group("AND", person("plan", "O", { operator: "not_ends_with" }))),
]
const UNUSABLE = [
  cohort(20, "clickers", group("AND", performed({ time_value: 0 }))),
  cohort(21, "empty", null),
  cohort(22, "new operator", group("AND", person("v", "1.2.0", { operator: "semver_like" }))),
  cohort(23, "snake", group("AND", inCohort(24))),
  cohort(24, "tail", group("OR", inCohort(23, { negation: true }))),
  cohort(25, "orphan", group("AND", inCohort(99))),
  cohort(26, "actors", group("AND", performed({ key: 9, event_type: "actions" }))),
]
const scopeWith = (cohorts: readonly CohortDefinition[]): HogqlScope => ({
  ...emptyScope,
  propertyDefinitions: { ...emptyScope.propertyDefinitions, person: new Map([["age", "Numeric"]]) },
  cohorts: new Map(cohorts.map(({ id, name }) => [name, id])),
  cohortsById: new Map(cohorts.map((item) => [item.id, item])),
})
const scope = scopeWith([...COHORTS, ...UNUSABLE])

describe("dynamic cohorts in queries, on the real engine", () => {
  let engine: TestEngine
  beforeAll(() => {
    engine = new TestEngine()
    const row = (id: string, properties: object, project_id = 1, version = 1, is_deleted = false) => ({
      project_id,
      id,
      version,
      is_deleted,
      created_at: "2024-01-01T00:00:00Z",
      properties: JSON.stringify(properties),
    })
    // One insert each: the engine would merge versions that arrive together.
    engine.insert("persons", [row(ANN, { plan: "free" }), row(idOf(4), { plan: "pro" })])
    engine.insert("persons", [
      row(ANN, { plan: "pro", age: 30, joined: "2024-03-10" }, 1, 2),
      row(idOf(4), {}, 1, 2, true),
    ])
    engine.insert("persons", [
      row(BOB, { plan: "free", age: 91, joined: "2024-02-01T10:00:00Z" }),
      row(CAY, {}),
      row(idOf(5), { plan: "pro" }, 2),
    ])
    engine.insert(
      "cohort_people",
      [ANN, BOB].map((person_id) => ({ project_id: 1, cohort_id: 1, person_id, is_static: true, version: 1 })),
    )
  })
  afterAll(() => engine.close())

  const rowsOf = async (text: string, used = scope) => {
    const compiled = await compile({ text }, used)
    expect(unguardedTables(compiled.sql)).toEqual([])
    return engine.run(compiled).rows
  }
  const members = async (condition: string) =>
    (await rowsOf(`select id from persons where id ${condition} order by id`)).map(([id]) => id)

  test.each([
    ["in cohort 2", [ANN], "newest versions of persons that are there"],
    ["in cohort 'pros'", [ANN], "by name"],
    ["not in cohort 2", [BOB, CAY], "the others"],
    ["in cohort 3", [ANN, BOB], "a list and a group of conditions"],
    ["in cohort 4", [BOB, CAY], "a cohort turned round"],
    ["in cohort 5", [BOB, CAY], "a condition turned round holds for those without the property"],
    ["in cohort 6", [CAY], "outside of a list and of conditions"],
    ["in cohort 7", [ANN, BOB, CAY], "no condition at all"],
    ["in cohort 8", [ANN], "a date after a time counted back from now"],
    ["in cohort 9", [BOB], "a date before one"],
    ["in cohort 12", [ANN, BOB], "a date after one before 1970"],
    ["in cohort 10", [BOB], "how a text begins, case ignored"],
    ["in cohort 11", [BOB, CAY], "how a text does not end, or that there is none"],
    ["in cohort 2 and id in cohort 5", [], "two of them"],
  ])("id %s gives %j: %s", async (condition, expected) => {
    expect(await members(condition)).toEqual(expected)
  })

  test("{filters} of persons is the tree of a cohort that is not kept", async () => {
    const properties = group("OR", inCohort(1, { negation: true }), person("age", 90, { operator: "gt" }))
    const text = "select id from persons where {filters} order by id"
    expect(engine.run(await compile({ text, filters: { properties } }, scope)).rows).toEqual([[BOB], [CAY]])
    await expect(compile({ text, filters: { properties: group("AND", { type: "event" }) } }, scope)).rejects.toThrow(
      'Conditions of type "event" are not supported.',
    )
  })

  test("names of WITH do not stand in for the persons of a definition", async () => {
    expect(
      await rowsOf("with persons as (select toUUID('') as id) select count() from persons where id in cohort 7"),
    ).toEqual([[0]])
    expect(await rowsOf(`with persons as (select 1 as x) select toUUID('${ANN}') in cohort 2`)).toEqual([[1]])
  })

  test("cohort_people lists their members, with their persons", async () => {
    const usable = scopeWith(COHORTS)
    expect(
      await rowsOf("select cohort_id, person_id from cohort_people where cohort_id in (2, 3) order by 1, 2", usable),
    ).toEqual([
      [2, ANN],
      [3, ANN],
      [3, BOB],
    ])
    expect(await rowsOf("select cp.person.properties.plan from cohort_people cp where cohort_id = 2", usable)).toEqual([
      ["pro"],
    ])
    expect(await rowsOf("select * from cohort_people where cohort_id = 2", usable)).toEqual([[1, 2, ANN]])
    expect(await rowsOf("select count() from cohort_people", scopeWith([]))).toEqual([[0]])
    await expect(rowsOf("select 1 from cohort_people")).rejects.toThrow("cohort 'clickers' (ID 20)")
  })

  test("another project sees its own persons only", async () => {
    const other = { ...scopeWith([cohort(80, "pros", group("AND", person("plan", "pro")))]), projectId: asProjectId(2) }
    expect(await rowsOf("select id from persons where id in cohort 'pros'", other)).toEqual([[idOf(5)]])
    await expect(rowsOf("select id from persons where id in cohort 2", other)).rejects.toThrow(
      /^Could not find cohort with ID 2\.$/,
    )
  })

  test.each([
    [20, "Queries cannot use cohort 'clickers' (ID 20): time_value must be a whole number from 1 to 36500."],
    [21, "Queries cannot use cohort 'empty' (ID 21): It has no conditions."],
    [22, "Queries cannot use cohort 'new operator' (ID 22): Unknown property operator 'semver_like'."],
    [23, "Queries cannot use cohort 'snake' (ID 23): It leads back to itself."],
    [25, "Could not find cohort with ID 99, which cohort 'orphan' (ID 25) asks for."],
    [26, "Could not find action with ID 9, which cohort 'actors' (ID 26) asks for."],
    [404, "Could not find cohort with ID 404."],
  ])("cohort %d is refused, not empty", async (id, message) => {
    await expect(rowsOf(`select 1 from events where person_id in cohort ${id}`)).rejects.toThrow(message)
  })

  test("a chain of cohorts without an end in sight is refused", async () => {
    const chain = Array.from({ length: 30 }, (_, index) =>
      cohort(index + 1, `c${index}`, group("AND", inCohort(index + 2))),
    )
    await expect(rowsOf("select 1 from events where person_id in cohort 1", scopeWith(chain))).rejects.toThrow(
      "cohort 'c0' (ID 1): It asks for cohorts over 20 levels deep",
    )
  })

  test("filters of insights mean the same cohorts", async () => {
    const filters = { properties: [inCohort(2), inCohort(4, { operator: "not_in" })] }
    const { sql, hogql } = await compile({ text: "select count() from events where {filters}", filters }, scope)
    expect(unguardedTables(sql)).toEqual([])
    expect(hogql).toContain("events.person_id in cohort 2")
    expect(sql).toContain("FROM persons AS r")
    expect(sql).not.toContain("cohort_people")
  })
})
