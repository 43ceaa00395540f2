import { describe, expect, test } from "@jest/globals"
import { compile } from "../../../src/hogql/index.js"
import { unguardedTables } from "../support/guards.js"
import { emptyScope } from "../support/scope.js"

const scope = { ...emptyScope, inlinesSubqueries: true }
const sqlOf = async (text: string): Promise<string> => (await compile({ text }, scope)).sql
const GUARD = "equals(r.project_id, {project:Int64})"

describe("a SELECT whose subqueries are inlined", () => {
  test("reads the stored table itself, its guard in front of its own condition", async () => {
    expect(await sqlOf("SELECT event, count() FROM events WHERE intDiv(1, 1) = 1 OR 1 GROUP BY event")).toBe(
      `SELECT r.event AS a0, count() AS a1 FROM events AS r PREWHERE ${GUARD} WHERE or(equals(intDiv(1, 1), 1), 1) ` +
        "GROUP BY r.event LIMIT 101",
    )
  })

  test("asks beside the guard what cannot fail because of a row, and after it what may", async () => {
    expect(
      await sqlOf(
        "SELECT count() FROM events WHERE event IN ('a', 'b') AND timestamp > '2024-01-01' AND intDiv(1, length(event)) = 1",
      ),
    ).toBe(
      `SELECT count() AS a0 FROM events AS r PREWHERE and(${GUARD}, in(r.event, tuple({p0:String}, {p1:String})), greater(r.timestamp, parseDateTime64BestEffort({p2:String}, 6, 'UTC'))) WHERE equals(intDiv(1, length(r.event)), 1) LIMIT 101`,
    )
    expect(await sqlOf("SELECT count() FROM events WHERE event = 'a' OR intDiv(1, length(event)) = 1")).toContain(
      `PREWHERE ${GUARD} WHERE or(`,
    )
    expect(await sqlOf("SELECT count() FROM events ARRAY JOIN [1, 2] AS n WHERE event = 'a'")).toContain(
      `PREWHERE ${GUARD} WHERE equals(`,
    )
  })

  test("has the guard alone when it has no condition", async () => {
    expect(await sqlOf("SELECT count() FROM events")).toBe(
      `SELECT count() AS a0 FROM events AS r PREWHERE ${GUARD} LIMIT 101`,
    )
  })

  test("joins what its columns need, that guarded as well", async () => {
    const sql = await sqlOf("SELECT person_id FROM events")
    expect(sql).toContain("FROM events AS r LEFT JOIN (SELECT")
    expect(sql.match(/equals\(r\.project_id, \{project:Int64\}\)/g)).toHaveLength(2)
    expect(unguardedTables(sql)).toEqual([])
  })

  test("reads apart what it joins itself, and what is merged to rows first", async () => {
    expect(await sqlOf("SELECT e.event FROM events AS e JOIN events AS f ON e.uuid = f.uuid")).toContain(
      "FROM (SELECT r.uuid AS uuid, r.event AS event FROM events AS r PREWHERE",
    )
    expect(await sqlOf("SELECT id FROM persons")).toContain("FROM (SELECT r.id AS id FROM persons AS r FINAL PREWHERE")
  })

  test("keeps a sample's own condition", async () => {
    expect(await sqlOf("SELECT count() FROM events SAMPLE 1/2 WHERE event = 'a'")).toMatch(
      /PREWHERE and\(equals\(r\.project_id, \{project:Int64\}\), equals\(r\.event, .*\)\) WHERE \(.*distinct_id/,
    )
  })
})

describe("a SELECT that reads tables apart", () => {
  const apartOf = async (text: string): Promise<string> => (await compile({ text }, emptyScope)).sql

  test("asks beside the guard of the table it starts from what compares a column with a constant", async () => {
    const sql = await apartOf(
      "SELECT e.event FROM events AS e JOIN persons AS p ON e.person_id = p.id WHERE e.event = 'a' AND e.timestamp > now() - INTERVAL 7 DAY AND e.uuid != '0190d000-0000-7000-8000-00000000000a' AND p.id = e.person_id AND intDiv(1, length(e.event)) = 1",
    )
    const time = "minus(fromUnixTimestamp64Milli(toInt64(1710504000000), 'UTC'), toIntervalDay(7))"
    expect(sql).toContain(
      `PREWHERE and(${GUARD}, equals(r.event, {p0:String}), greater(r.timestamp, ${time}), notEquals(r.uuid, toUUID({p1:String})))) AS t0`,
    )
    expect(sql).toContain("WHERE and(equals(t1.id, t0.person_id), equals(intDiv(1, length(t0.event)), 1)) LIMIT")
    expect(unguardedTables(sql)).toEqual([])
  })

  test.each([
    "SELECT e.event FROM numbers(1) AS n RIGHT JOIN events AS e ON n.number = 5 WHERE e.event = 'a'",
    "SELECT e.event FROM events AS e FULL JOIN persons AS p ON e.person_id = p.id WHERE e.event = 'a'",
    "SELECT e.event FROM events AS e ANY INNER JOIN persons AS p ON e.person_id = p.id WHERE e.event = 'a'",
    "SELECT event FROM (SELECT event FROM events LIMIT 5) WHERE event = 'a'",
    "SELECT event FROM events WHERE event = 'a' OR timestamp > rand()",
  ])("keeps a condition where it is when rows depend on each other, or it is not of constants: %s", async (text) => {
    expect(await apartOf(text)).not.toContain(`and(${GUARD}`)
  })
})
