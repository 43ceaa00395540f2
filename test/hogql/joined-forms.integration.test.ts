import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { compile } from "../../src/hogql/index.js"
import { TestEngine } from "./support/engine.js"
import { emptyScope } from "./support/scope.js"
import { shownRows } from "./support/shown-rows.js"

let engine: TestEngine
beforeAll(() => {
  engine = new TestEngine()
})
afterAll(() => engine.close())

const rowsOf = async (text: string) => shownRows(engine, await compile({ text }, emptyScope), "UTC")
const refusalOf = (text: string) =>
  compile({ text }, emptyScope).then(
    () => "read",
    ({ message, start }: { message: string; start: number }) => `${start}: ${message}`,
  )

const LEFT = "(values (1, 'l1'), (2, 'l2'), (0, 'l0')) as x(id, l)"
const RIGHT = "(values (2, 'r2'), (3, 'r3')) as y(id, r)"
const THIRD = "(values (3, 'z3'), (9, 'z9')) as z(id, t)"

describe("a column that three tables have in common", () => {
  test("is that of the right side of the last RIGHT JOIN, which alone has every row", async () => {
    const text = `select id, t from ${LEFT} join ${RIGHT} using (id) right join ${THIRD} using (id) order by id`
    expect(await rowsOf(text)).toEqual([
      [3, "z3"],
      [9, "z9"],
    ])
    const full = `select id, r, t from ${LEFT} full join ${RIGHT} using (id) right join ${THIRD} using (id) order by id`
    expect(await rowsOf(full)).toEqual([
      [3, "r3", "z3"],
      [9, "", "z9"],
    ])
  })

  test("is compared as it is after a RIGHT JOIN", async () => {
    const text = `select id, r, t from ${LEFT} right join ${RIGHT} using (id) left join ${THIRD} using (id) order by id`
    expect(await rowsOf(text)).toEqual([
      [2, "r2", ""],
      [3, "r3", "z3"],
    ])
  })
})

describe("a column that the sides of a FULL JOIN have in common", () => {
  test("is whichever of them has a row", async () => {
    expect(await rowsOf(`select id, l, r from ${LEFT} full join ${RIGHT} using (id) order by id`)).toEqual([
      [0, "l0", ""],
      [1, "l1", ""],
      [2, "l2", "r2"],
      [3, "", "r3"],
    ])
  })

  test("stands once among all columns", async () => {
    expect(await rowsOf(`select * from ${LEFT} full outer join ${RIGHT} using id order by id desc limit 2`)).toEqual([
      [3, "", "r3"],
      [2, "l2", "r2"],
    ])
  })

  test("may be grouped by, and joined again", async () => {
    expect(
      await rowsOf(`select id, count() from ${LEFT} full join ${RIGHT} using (id) group by id order by id`),
    ).toEqual([0, 1, 2, 3].map((id) => [id, 1]))
    expect(
      await rowsOf(
        `select id, r, t from ${LEFT} full join ${RIGHT} using (id) full join ${THIRD} using (id) order by id desc limit 2`,
      ),
    ).toEqual([
      [9, "", "z9"],
      [3, "r3", "z3"],
    ])
  })

  test("is still each side's own with the table's name", async () => {
    const text = `select x.id, y.id from ${LEFT} full join ${RIGHT} using (id) order by id desc limit 1`
    expect(await rowsOf(text)).toEqual([[0, 3]])
  })
})

describe("UNION BY NAME", () => {
  test("puts columns together by what they are called, and null where there is none", async () => {
    expect(
      await rowsOf("select a, b from (select 1 as a, 'x' as b union all by name select 'y' as b, 2 as a) order by a"),
    ).toEqual([
      [1, "x"],
      [2, "y"],
    ])
    expect(await rowsOf("select * from (select 1 as a union all by name select 'y' as b, 2 as a) order by a")).toEqual([
      [1, null],
      [2, "y"],
    ])
  })

  test("without ALL keeps each row once", async () => {
    const text =
      "select * from (select 1 as a union by name select 'y' as b, 2 as a union by name select 1 as a) order by a"
    expect(await rowsOf(text)).toEqual([
      [1, null],
      [2, "y"],
    ])
  })

  test.each([
    [
      "beside a UNION by place",
      "select 1 as a union all by name select 2 as a union all select 3",
      "put brackets around a part",
    ],
    ["of columns with one name", "select 1, 1 union all by name select 2 as a", "columns of different names"],
    ["of an INTERSECT", "select 1 as a intersect by name select 1 as a", "14: INTERSECT BY NAME is not supported"],
  ])("%s is refused", async (_what, text, refusal) => {
    expect(await refusalOf(text)).toContain(refusal)
  })
})

describe("what the engine has no way to run is refused with its place and what to write instead", () => {
  test.each([
    [
      "PIVOT",
      "select * from events pivot (count() for event in ('a', 'b'))",
      "21: PIVOT is not supported: write a column per value",
    ],
    [
      "UNPIVOT",
      "select * from events unpivot (v for n in (event, distinct_id))",
      "21: UNPIVOT is not supported: write ARRAY JOIN",
    ],
    [
      "POSITIONAL JOIN",
      "select 1 from events positional join persons",
      "21: POSITIONAL JOIN is not supported: number the rows",
    ],
    [
      "a frame of GROUPS",
      "select sum(1) over (order by timestamp groups 1 preceding) from events",
      "39: GROUPS is not supported: number the groups by dense_rank()",
    ],
    [
      "NATURAL JOIN",
      "select 1 from events natural join persons",
      "21: NATURAL JOIN is not supported: name the columns with USING",
    ],
    [
      "a column grouped by a recursive list",
      "with recursive r as (select 1 as n union all select n + 1 from r where n < 3) select event in (select toString(n) from r) as e, count() from events group by e",
      "work it out in a subquery, and group its rows",
    ],
  ])("%s", async (_what, text, refusal) => {
    expect(await refusalOf(text)).toContain(refusal)
  })

  test("and grouping by a recursive list in a subquery is possible", async () => {
    const list = "with recursive r as (select 1 as n union all select n + 1 from r where n < 3) select n from r"
    expect(
      await rowsOf(`select e, count() from (select number in (${list}) as e from numbers(6)) group by e order by e`),
    ).toEqual([
      [0, 3],
      [1, 3],
    ])
  })
})
