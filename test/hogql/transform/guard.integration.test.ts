import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { compile, HogqlError } from "../../../src/hogql/index.js"
import { printSql } from "../../../src/hogql/print/print-sql.js"
import { column, type SqlSelect, type SqlSource, sqlSelect } from "../../../src/hogql/sql/sql.js"
import { guard, isGuarded } from "../../../src/hogql/transform/guard.js"
import { unguardedTables } from "../support/guards.js"
import { emptyScope } from "../support/scope.js"

const { cases } = JSON.parse(readFileSync("test/hogql/fixtures/hogql.json", "utf8")) as { cases: { hogql: string }[] }
const { entries } = JSON.parse(readFileSync("test/hogql/fixtures/hostile.json", "utf8")) as {
  entries: { query?: unknown }[]
}
const TEXTS = [...cases.map((item) => item.hogql), ...entries.map((item) => item.query)].filter(
  (text) => typeof text === "string",
)

const expression = fc.constantFrom(
  "event",
  "timestamp",
  "person.properties.email",
  "properties.$browser",
  "session.$session_duration",
  "count()",
  "team_id",
  "group_0.properties.name",
  "pdi.person.id",
  "(select count() from persons)",
  "1",
  "x -> x",
  "uniq(person_id)",
  "*",
  "e.*",
  "columns(event, distinct_id)",
  "untuple((team_id, (select count() from persons)))",
  "exists (select 1 from events)",
  "team_id in (select team_id from events array join [1] as one)",
)
const table = fc.constantFrom(
  "events",
  "persons",
  "groups",
  "sessions",
  "session_replay_events",
  "cohort_people",
  "raw_person_distinct_ids",
  "log_entries",
  "person_distinct_ids",
  "numbers(5)",
  "numbers((select count() from events))",
  "generateSeries(1, (select count() from persons))",
  "events sample 1/2 offset 0.5",
  "(select * from persons sample 0.1)",
  "(values (1, (select count() from events)), (2, 3))",
  "(select * from events)",
  "(select 1 as team_id union all select team_id from events)",
  "(with recursive r(team_id) as (select team_id from events union all select e.team_id from events e final join r on 1 = 1) select * from r)",
  "(with recursive r as (select team_id from events union all select team_id from persons where team_id in (select team_id from r)) select columns('t') from r)",
)
const condition = fc.constantFrom(
  "1 = 1 or team_id = 2",
  "event in (select event from events)",
  "person_id in cohort 1",
  "team_id is null",
  "not (team_id = 1)",
  "person.properties.plan = 'x' or 1",
  "distinct_id = '\\') or project_id = 2 --'",
  "exists",
  "exists (select 1 from persons where team_id = 2)",
)
const generated = fc
  .record({
    columns: fc.array(expression, { minLength: 1, maxLength: 4 }),
    first: table,
    alias: fc.constantFrom("", " as e", " as r", " as t0", " as persons", " as project_id"),
    joins: fc.array(
      fc.record({ kind: fc.constantFrom("inner", "left", "right", "full outer", "any left"), table, on: condition }),
      { maxLength: 2 },
    ),
    where: condition,
    group: fc.constantFrom(
      "",
      "",
      " group by all",
      " group by 1",
      " group by person_id in (select person_id from cohort_people)",
    ),
    common: fc.constantFrom(
      "",
      "with events as (select * from events) ",
      "with 2 as project_id ",
      "with persons as (select 1 as id) ",
    ),
    set: fc.constantFrom("", " union all select 1 from events", " except select 1 from persons"),
  })
  .map(
    ({ columns, first, alias, joins, where, group, common, set }) =>
      `${common}select ${columns.join(", ")} from ${first}${alias}${joins
        .map((join, index) => ` ${join.kind} join ${join.table} as j${index} on ${join.on}`)
        .join("")} where ${where}${group}${set}`,
  )

const mutated = fc
  .tuple(
    fc.constantFrom(...TEXTS),
    fc.constantFrom(...TEXTS),
    fc.nat(),
    fc.nat(),
    fc.constantFrom("", "'", ")", "(", "`", " or ", "\u0000", "*", "."),
  )
  .map(
    ([left, right, cut, paste, between]) =>
      left.slice(0, cut % (left.length + 1)) + between + right.slice(paste % (right.length + 1)),
  )

const onlyPros = { properties: { type: "OR", values: [{ type: "person", key: "plan", value: "pro" }] } }
const scope = {
  ...emptyScope,
  cohortsById: new Map([[1, { id: 1, name: "pros", isStatic: false, filters: onlyPros }]]),
}

/** Tables are read in SELECTs of their own, and, as insights read them, in the SELECT that is about them. */
const seesOwnProjectOnly = async (text: string) => {
  for (const inlinesSubqueries of [false, true]) {
    try {
      const { sql } = await compile({ text }, { ...scope, inlinesSubqueries })
      expect(unguardedTables(sql)).toEqual([])
      expect(sql).not.toMatch(/system\.|information_schema|file\(|url\(/)
    } catch (fault) {
      expect(fault).toBeInstanceOf(HogqlError)
    }
  }
}

describe("the project guard", () => {
  test("is on every stored table of generated queries, or the query is refused as such", async () => {
    await fc.assert(fc.asyncProperty(generated, seesOwnProjectOnly), { seed: 20261121, numRuns: 300 })
  })

  test("is on every stored table of spliced and broken texts, or the text is refused as such", async () => {
    await fc.assert(fc.asyncProperty(mutated, seesOwnProjectOnly), { seed: 20261121, numRuns: 500 })
  })

  test("is asked for by the printer, which refuses a stored table without it", () => {
    const bare = sqlSelect({
      columns: [column("r", "event")],
      from: [{ table: { kind: "realTable", name: "events" }, alias: "r", join: null, on: null }],
    })
    expect(() => printSql(bare)).toThrow("without the project guard")
  })

  test("counts for its own table alone: a condition on another one's project is none", () => {
    const events: SqlSource = { table: { kind: "realTable", name: "events" }, alias: "r", join: null, on: null }
    const select = sqlSelect({ columns: [column("r", "event")], from: [events] })
    const guarded = guard(select) as SqlSelect
    expect(isGuarded(guarded)).toBe(true)
    expect(isGuarded({ ...guarded, from: [{ ...events, alias: "s" }] })).toBe(false)
    expect(isGuarded({ ...guarded, from: [events, { ...events, join: "INNER JOIN" }] })).toBe(false)
  })

  test("is missed by the reading of this test when it is taken out of the SQL", async () => {
    const { sql } = await compile({ text: "select person.properties.email from events" }, emptyScope)
    expect(unguardedTables(sql)).toEqual([])
    expect(unguardedTables(sql.replace("equals(r.project_id, {project:Int64})", "1"))).not.toEqual([])
  })
})
