import { describe, expect, test } from "@jest/globals"
import { compile, compileSelect, type HogqlQuery, type HogqlScope, nodes } from "../../src/hogql/index.js"
import { emptyScope } from "./support/scope.js"

const sqlOf = async (text: string, scope: HogqlScope = emptyScope, given: Omit<HogqlQuery, "text"> = {}) => {
  const { sql, parameters } = await compile({ text, ...given }, scope)
  return { sql, parameters }
}
const GUARD = "equals(r.project_id, {project:Int64})"
const EVENTS = (columns: string, ...early: string[]) =>
  `(SELECT ${columns} FROM events AS r PREWHERE ${early.length === 0 ? GUARD : `and(${[GUARD, ...early].join(", ")})`}) AS t0`

describe("SQL for the engine", () => {
  test.each([
    { type: { toString: 1 } },
    { type: "cohort", value: { valueOf: 1 } },
    { type: "group", group_type_index: {} },
  ])("refuses or reads a filter with an object where a word belongs: %j", async (wrong) => {
    const filters = { properties: [{ key: "a", value: "b", ...wrong }] }
    const failure = await sqlOf("select 1 from events where {filters}", emptyScope, { filters }).catch(
      (thrown) => thrown,
    )
    expect(failure instanceof TypeError).toBe(false)
  })

  test("takes NOT before a bracket, which the grammar reads as a call", async () => {
    expect((await sqlOf("select 1 where 1 = 1 and NOT (1 = 2)")).sql).toContain("not(equals(1, 2))")
  })

  test("reads exactly the columns asked for, from guarded events", async () => {
    expect(await sqlOf("select event, count() as c from events group by event order by c desc limit 5")).toEqual({
      sql: `SELECT t0.event AS a1, count() AS a0 FROM ${EVENTS("r.event AS event")} GROUP BY t0.event ORDER BY a0 DESC LIMIT 6`,
      parameters: { project: 1 },
    })
  })

  test("binds every text and compares bare what cannot be null", async () => {
    const columns = "r.event AS event, r.properties AS properties"
    const isPro = "ifNull(equals(JSONExtract(r.properties, {p1:String}, 'Nullable(String)'), {p2:String}), 0)"
    expect(await sqlOf("select 1 from events where event = 'it''s' and properties.plan = 'pro'")).toEqual({
      sql: `SELECT 1 AS a0 FROM ${EVENTS(columns, "equals(r.event, {p0:String})", isPro)} LIMIT 101`,
      parameters: { p0: "it's", p1: "plan", p2: "pro", project: 1 },
    })
  })

  test("joins overrides only when the person matters", async () => {
    expect((await sqlOf("select count() from events")).sql).not.toContain("person_distinct_id_overrides")
    expect((await sqlOf("select uniq(person_id) from events")).sql).toBe(
      "SELECT uniq(t0.person_id) AS a0 FROM (SELECT if(j_overrides.distinct_id = '', r.person_id, j_overrides.person_id) AS person_id FROM events AS r LEFT JOIN (SELECT r.person_id AS person_id, r.distinct_id AS distinct_id FROM person_distinct_id_overrides AS r FINAL PREWHERE equals(r.project_id, {project:Int64}) WHERE (NOT r.is_deleted)) AS j_overrides ON equals(r.distinct_id, j_overrides.distinct_id) PREWHERE equals(r.project_id, {project:Int64})) AS t0 LIMIT 101",
    )
  })

  test("shows and reads times in the project's zone", async () => {
    const scope = { ...emptyScope, timezone: "Asia/Tokyo" }
    expect((await sqlOf("select timestamp from events where timestamp > '2024-03-01'", scope)).sql).toBe(
      `SELECT toTimeZone(t0.timestamp, 'Asia/Tokyo') AS a0 FROM ${EVENTS("r.timestamp AS timestamp", "greater(r.timestamp, parseDateTime64BestEffort({p0:String}, 6, 'Asia/Tokyo'))")} LIMIT 101`,
    )
  })

  test("starts weeks on the project's day", async () => {
    const weekOf = (scope: HogqlScope) => sqlOf("select toStartOfWeek(timestamp) from events", scope)
    expect((await weekOf(emptyScope)).sql).toContain("toStartOfWeek(t0.timestamp, 0)")
    expect((await weekOf({ ...emptyScope, weekStartDay: "monday" })).sql).toContain("toStartOfWeek(t0.timestamp, 1)")
  })

  test("reads properties as their definitions say", async () => {
    const scope: HogqlScope = {
      ...emptyScope,
      propertyDefinitions: {
        event: new Map([
          ["amount", "Numeric"],
          ["paid", "Boolean"],
          ["due", "DateTime"],
        ]),
        person: new Map(),
        group: new Map(),
      },
    }
    const { sql } = await sqlOf(
      "select properties.amount, properties.paid, properties.due, properties.other from events",
      scope,
    )
    expect(sql).toContain("toFloat64OrNull(JSONExtract(t0.properties, {p0:String}, 'Nullable(String)')) AS a0")
    expect(sql).toContain(
      "AS a1, parseDateTime64BestEffortOrNull(JSONExtract(t0.properties, {p2:String}, 'Nullable(String)'), 6, 'UTC') AS a2",
    )
    expect(sql).toContain("JSONExtract(t0.properties, {p3:String}, 'Nullable(String)') AS a3")
  })

  test("never carries a name that the query made up", async () => {
    const text =
      "with `odd name` as (select event as `x y` from events) select `x y` as team, count() as `c;d` from `odd name` as `t)` group by team"
    expect((await sqlOf(text)).sql).not.toMatch(/odd|x y|team|c;d|t\)/)
  })
})

describe("ORDER BY", () => {
  test.each(["nulls first", "NULLS LAST"])("keeps %s in the SQL and in the normalised text", async (nulls) => {
    const text = `select number from numbers(5) order by number desc ${nulls} limit 3`
    const { sql, hogql } = await compile({ text }, emptyScope)
    expect(sql).toContain(` DESC ${nulls.toUpperCase()} LIMIT 4`)
    expect(hogql).toContain(` DESC ${nulls.toUpperCase()} LIMIT 3`)
  })
})

describe("row limits", () => {
  test.each([
    ["select number from numbers(5)", 100, 0, "LIMIT 101"],
    ["select number from numbers(5) limit 7 offset 3", 7, 3, "LIMIT 8 OFFSET 3"],
    ["select number from numbers(5) limit 100000", 50_000, 0, "LIMIT 50001"],
    ["select 1 union all select 2", 100, 0, "LIMIT 101"],
  ])("%s", async (text, limit, offset, ending) => {
    const compiled = await compile({ text }, emptyScope)
    expect(compiled).toMatchObject({ limit, offset, exact: false })
    expect(compiled.sql.endsWith(ending)).toBe(true)
  })

  test("say so when a written limit was lowered", async () => {
    expect((await compile({ text: "select 1 limit 60000" }, emptyScope)).warnings).toEqual([
      "LIMIT 60000 was lowered to 50000, the most rows a query gives.",
    ])
  })

  test("ask for exactly the rows of LIMIT … WITH TIES", async () => {
    expect(
      await compile({ text: "select number from numbers(9) order by number limit 2 with ties" }, emptyScope),
    ).toMatchObject({
      exact: true,
      sql: expect.stringMatching(/LIMIT 2 WITH TIES$/),
    })
  })
})

describe("what comes with the SQL", () => {
  test("column names, normalised text and the tables read", async () => {
    const compiled = await compile(
      {
        text: "select properties.$browser, 1+2, count(), person.properties.email as mail from events where event!='x'",
      },
      emptyScope,
    )
    expect(compiled.columns).toEqual(["$browser", "plus(1, 2)", "count()", "mail"])
    expect(compiled.hogql).toBe(
      "SELECT properties.$browser, plus(1, 2), count(), person.properties.email AS mail FROM events WHERE notEquals(event, 'x')",
    )
    expect(compiled.tables).toEqual(["events", "persons"])
  })

  test("the same for a query built from nodes", () => {
    const ast = nodes.select({
      columns: [nodes.field(["event"]), nodes.alias("c", nodes.call("count"))],
      from: [nodes.source(nodes.field(["events"]))],
      where: nodes.compare("==", nodes.field(["event"]), nodes.constant("a' or 1")),
      groupBy: [nodes.field(["event"])],
    })
    const { sql, parameters, columns } = compileSelect(ast, emptyScope)
    expect(sql).toContain("PREWHERE and(equals(r.project_id, {project:Int64}), equals(r.event, {p0:String}))")
    expect({ parameters, columns }).toEqual({ parameters: { p0: "a' or 1", project: 1 }, columns: ["event", "c"] })
  })
})

describe("suffixes of aggregates", () => {
  test("make others of the engine's own, and none of what only stands for an expression", async () => {
    expect((await sqlOf("select sumArrayOrNullIf([1], true) from events")).sql).toContain("sumArrayOrNullIf")
    for (const name of ["string_aggIf", "group_concatIf", "string_aggState"])
      await expect(sqlOf(`select ${name}(event, ',', true) from events`)).rejects.toMatchObject({
        kind: "query",
        message: expect.stringContaining(`Unsupported function call '${name}(...)'`),
      })
  })
})

describe("placeholders", () => {
  test("become bound values", async () => {
    const given = {
      values: { name: "x' or 1", list: ["a", "b"], nested: { deep: 5 } },
      variables: { id1: { code_name: "who", value: "me" } },
    }
    const text =
      "select 1 from events where event = {name} and distinct_id in {list} and 5 = {nested.deep} and event != {variables.who}"
    const { sql, parameters } = await sqlOf(text, emptyScope, given)
    expect(parameters).toEqual({ p0: "x' or 1", p1: "a", p2: "b", p3: "me", project: 1 })
    expect(sql).not.toContain("or 1")
  })

  test("{filters} filters the table it stands over, under its alias", async () => {
    const filters = {
      dateRange: { date_from: "-7d", date_to: "2024-03-10" },
      properties: [{ key: "plan", value: ["pro", "team"], operator: "exact", type: "person" }],
    }
    const { hogql } = await compile({ text: "select count() from events as e where {filters}", filters }, emptyScope)
    expect(hogql).toBe(
      "SELECT count() FROM events AS e WHERE and(greaterOrEquals(e.timestamp, toStartOfDay(minus(now(), toIntervalDay(7)))), less(e.timestamp, toDateTime('2024-03-10')), in(e.person.properties.plan, ['pro', 'team']))",
    )
  })

  test.each([
    ["is_set", "notEmpty(elements_chain_texts)"],
    ["is_not_set", "not(notEmpty(elements_chain_texts))"],
    ["exact", "arrayExists((element) -> equals(element, 'Buy'), elements_chain_texts)"],
    ["is_not", "not(arrayExists((element) -> equals(element, 'Buy'), elements_chain_texts))"],
    ["not_icontains", "not(arrayExists((element) -> ilike(element, '%Buy%'), elements_chain_texts))"],
  ])("{filters} of clicked elements may deny or miss a text: %s", async (operator, condition) => {
    const filters = { properties: [{ type: "element", key: "text", operator, value: "Buy" }] }
    const { hogql } = await compile({ text: "select 1 from events where {filters}", filters }, emptyScope)
    expect(hogql.replaceAll("events.", "")).toContain(condition)
  })

  test.each([
    ["select {missing}", {}, "Unresolved placeholder: {missing}"],
    ["select {__proto__}", {}, "Unresolved placeholder: {__proto__}"],
    [
      "select {variables.nam}",
      { variables: { name: "x" } },
      "Variable nam is missing from query. Perhaps you meant 'name'?",
    ],
    [
      "select 1 from numbers(1) where {filters}",
      { filters: { dateRange: { date_from: "-1d" } } },
      "Cannot use {filters} here",
    ],
    [
      "select 1 from events where {filters}",
      { filters: { dateRange: { date_from: "soon" } } },
      "Cannot read the date 'soon'.",
    ],
    [
      "select 1 from events where {filters}",
      { filters: { dateRange: { date_from: "2026-13-01" } } },
      "Cannot read the date '2026-13-01'.",
    ],
  ])("%s is refused without its value", async (text, given, sentence) => {
    await expect(compile({ text, ...given }, emptyScope)).rejects.toMatchObject({
      kind: "query",
      message: expect.stringContaining(sentence),
    })
  })
})

describe("a text whose SQL would be far longer than itself", () => {
  const within = (levels: number, form: (inner: string) => string): string =>
    Array.from({ length: levels }).reduce<string>((inner) => form(inner), "1")

  test.each([
    ["BETWEEN, which names its operand twice", (inner: string) => `(${inner} between 0 and 1)`],
    ["lists of known domains", (inner: string) => `lookupDomainType(${inner})`],
    ["rows in an order", (inner: string) => `(select length(groupArray(1 order by ${inner})))`],
    ["percentiles", (inner: string) => `(select percentile_disc(0.5) within group (order by ${inner}))`],
  ])("is refused instead of being written: %s", async (_what, form) => {
    expect((await compile({ text: `select ${within(3, form)}` }, emptyScope)).columns).toHaveLength(1)
    await expect(compile({ text: `select ${within(30, form)}` }, emptyScope)).rejects.toMatchObject({
      kind: "query",
      message: expect.stringContaining("too large once it is written out"),
    })
  })
})
