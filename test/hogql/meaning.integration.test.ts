import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { compile, type HogqlQuery, type HogqlScope } from "../../src/hogql/index.js"
import { TestEngine } from "./support/engine.js"
import { emptyScope } from "./support/scope.js"

const OLD = "0190d000-0000-7000-8000-0000000000a1"
const NEW = "0190d000-0000-7000-8000-0000000000a2"
const GONE = "0190d000-0000-7000-8000-0000000000a3"

const scope: HogqlScope = {
  ...emptyScope,
  timezone: "America/New_York",
  groupTypes: new Map([["company", 0]]),
  propertyDefinitions: {
    event: new Map([
      ["amount", "Numeric"],
      ["paid", "Boolean"],
      ["due", "DateTime"],
    ]),
    person: new Map([["age", "Numeric"]]),
    group: new Map([[0, new Map([["seats", "Numeric"]])]]),
  },
}

describe("what queries mean, on the real engine", () => {
  let engine: TestEngine
  beforeAll(() => {
    engine = new TestEngine()
    const event = (index: number, distinct_id: string, person_id: string, properties: unknown) => ({
      project_id: 1,
      uuid: `0190d001-0000-7000-8000-${String(index).padStart(12, "0")}`,
      event: "e",
      distinct_id,
      person_id,
      person_properties: '{"plan":"then"}',
      properties: JSON.stringify(properties),
      timestamp: `2024-03-10T0${index}:30:00Z`,
      $group_0: index === 1 ? "acme" : "",
    })
    engine.insert("events", [
      event(1, "anonymous", OLD, {
        amount: "12.5",
        paid: "true",
        due: "2024-03-01",
        s: 'say "hi" é',
        o: { k: [1, "two"] },
      }),
      event(2, "known", NEW, { amount: "many", paid: "maybe", due: "someday", s: "", n: 0, b: true, z: null }),
    ])
    // One insert each: the engine would merge versions that arrive together.
    for (const [version, person_id] of [GONE, NEW].entries()) {
      engine.insert("person_distinct_id_overrides", [{ project_id: 1, distinct_id: "anonymous", person_id, version }])
    }
    const person = (id: string, version: number, properties: unknown, is_deleted = false) => ({
      project_id: 1,
      id,
      version,
      is_deleted,
      created_at: "2024-01-01T00:00:00Z",
      properties: JSON.stringify(properties),
    })
    for (const row of [
      person(NEW, 1, { plan: "free", age: 1 }),
      person(NEW, 2, { plan: "pro", age: "30" }),
      person(GONE, 1, {}),
      person(GONE, 2, {}, true),
    ]) {
      engine.insert("persons", [row])
    }
    engine.insert("groups", [
      {
        project_id: 1,
        group_type_index: 0,
        group_key: "acme",
        version: 1,
        created_at: "2024-01-01T00:00:00Z",
        properties: '{"seats":5}',
      },
      {
        project_id: 1,
        group_type_index: 1,
        group_key: "acme",
        version: 1,
        created_at: "2024-01-01T00:00:00Z",
        properties: '{"seats":9}',
      },
    ])
  })
  afterAll(() => engine.close())

  const rows = async (text: string, given: Omit<HogqlQuery, "text"> = {}) => {
    const compiled = await compile({ text, ...given }, scope)
    return engine.run(compiled).rows.slice(0, compiled.limit)
  }

  test("an event belongs to the person its distinct id was last merged into", async () => {
    expect(await rows("select distinct toString(person_id) from events")).toEqual([[NEW]])
  })

  test("a person shows its newest properties, an event those of its time too", async () => {
    expect(
      await rows("select distinct person.properties.plan, person.properties.age, poe.properties.plan from events"),
    ).toEqual([["pro", 30, "then"]])
  })

  test("a deleted person is not in persons", async () => {
    expect(await rows("select count() from persons")).toEqual([[1]])
    expect(await rows("select count() from raw_persons")).toEqual([[4]])
  })

  test("a group is found by its type's name and only among its type", async () => {
    expect(await rows("select company.properties.seats, group_0.key from events order by timestamp")).toEqual([
      [5, "acme"],
      [null, null],
    ])
  })

  test("typed properties are null when the value does not fit", async () => {
    expect(
      await rows("select properties.amount, properties.paid, properties.due is null from events order by timestamp"),
    ).toEqual([
      [12.5, true, 0],
      [null, null, 1],
    ])
  })

  test("untyped properties are decoded text, whatever they were", async () => {
    expect(
      await rows(
        "select properties.s, properties.o, properties.o.k[2], properties.n, properties.b, properties.z from events order by timestamp",
      ),
    ).toEqual([
      ['say "hi" é', '{"k":[1,"two"]}', "two", null, null, null],
      ["", null, null, "0", "true", null],
    ])
  })

  test("untyped properties compare with numbers and booleans", async () => {
    expect(
      await rows("select count() from events where properties.n = 0 and properties.n < 1 and properties.b = true"),
    ).toEqual([[1]])
  })

  test("comparisons with a missing property are never null", async () => {
    expect(
      await rows(
        "select properties.x = 'a', properties.x != 'a', properties.x like 'a', properties.x not like 'a', properties.x > 1, properties.x in ('a'), properties.x not in ('a'), properties.x =~ 'a', properties.x !~ 'a' from events limit 1",
      ),
    ).toEqual([[0, 1, 0, 1, 0, 0, 1, 0, 1]])
  })

  test("times without a zone are read in the project's zone, whatever the clock change", async () => {
    expect(
      await rows(
        "select toString(timestamp), toHour(timestamp) from events where timestamp >= '2024-03-09 20:30:00' order by timestamp",
      ),
    ).toEqual([
      ["2024-03-09 20:30:00.000000", 20],
      ["2024-03-09 21:30:00.000000", 21],
    ])
    expect(await rows("select toDate(timestamp) as day, count() from events group by day")).toEqual([["2024-03-09", 2]])
  })

  test("times can be grouped and filtered after it", async () => {
    const text =
      "select timestamp as t, count() from events group by t having t > '2024-03-09 21:00:00' and timestamp > '2024-03-09'"
    expect(await rows(text)).toEqual([["2024-03-10T02:30:00.000000Z", 1]])
  })

  test("now() is the time that was passed in", async () => {
    expect(await rows("select toUnixTimestamp(now()), toString(today())")).toEqual([[scope.nowMs / 1000, "2024-03-15"]])
  })

  test("filters read persons, groups and untyped numbers", async () => {
    const properties = [
      { key: "plan", value: "PR", operator: "icontains", type: "person" },
      { key: "seats", value: "4", operator: "gt", type: "group", group_type_index: 0 },
      {
        type: "OR",
        values: [
          { key: "s", operator: "is_set" },
          { key: "nope", operator: "is_set" },
        ],
      },
    ]
    expect(await rows("select count() from events where {filters}", { filters: { properties } })).toEqual([[1]])
  })

  test.each([
    ["select toInt('x'), toFloat(''), toUUID('1'), toDate('x'), toDateTime('y')", [null, null, null, null, null]],
    ["select 1 + null ?? 2 + 3", [5]],
    ["select sortableSemver('1.10.0') > sortableSemver('1.9.9')", [1]],
    ["with 2 as x, (select x + 1 as y) as z select x, z.y from z", null],
    ["with a as (select 2 as x), b as (select x * 2 as y from a) select y from b", [4]],
    ["select max(number) as number from numbers(5) where number < 3", [2]],
    ["select case 1 when null then 'n' when 1 then 'one' end", ["one"]],
  ])("%s", async (text, expected) => {
    if (expected === null) await expect(rows(text)).rejects.toMatchObject({ kind: expect.any(String) })
    else expect(await rows(text)).toEqual([expected])
  })
})
