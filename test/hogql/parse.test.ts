import { describe, expect, test } from "@jest/globals"
import { HogqlError, parse } from "../../src/hogql/index.js"
import { NodeTransformer } from "../../src/hogql/nodes/transformer.js"

const NESTED = [
  "select round(avg(toFloat(properties.amount)), 2) as a, f((x, y) -> x + g(h(y)), [1, (2 + (3 * 4))]) from events",
  "select * from (select a, (select max(b) from (select 1 as b)) as m from events where x in (select f(g(1)))) as t",
  "with a as (select f(g(1)) as x), b as (select * from a where (x > (1 + 2))) select * from a join b on ((a.x) = (b.x))",
  "select quantile(0.5)(toFloat(ifNull(x, 1))) over (partition by toDate(f(y)) order by g((z))), f(g(1)).2, h(f(1))[1] from events",
  "(select f(g(h(1)))) union all (select (1 + (2)) from numbers(3)) intersect select ((1))",
  "select case when f(g(1)) then (2 + (3)) else concat('é😀', upper(lower('ß'))) end, sum(f(g(a))) filter (where (b and (c))) from events",
  "select not (f(g(1))) = 2, and(f(g(1)), (2)), not (1 = (2)) and (3 or (4)) from events where not (a in (1, (2))) and (f(g(1)))",
  `select distinct ${"a as b, f(g(1)), 1 + 2, ".repeat(12)} e.*, c from events group by ${"a, ".repeat(30)} b limit 5`,
  "with a as (select x, y, z from events where a = 1 and b = 2 group by x, y), b as (with c as (select 1) select q from a where (x = 1)) select 1 from b",
  "(select a, b, c from events where a = 1 and b = 2 order by a limit 5) union all (select 1, 2, 3 from events where c = 5 and d = 6)",
  "select a in(f(g(1)),2)and(b or(c=(1)))or not(d) from events where x in((1),(2))and[1,(2)][1]=1",
  "select count() from events where (a = 1 or (b = 2 and (c = 3))) and not (d in (1, (2))) limit 1 by (f(g(x)))",
]

/** The error that a text is refused with, null for none. */
function refusal(text: string): unknown {
  try {
    parse(text)
    return null
  } catch (fault) {
    return fault
  }
}

describe("reading a text", () => {
  test.each([
    `${"f(".repeat(100)}1${")".repeat(100)}`,
    `${"(".repeat(100)}1${")".repeat(100)}`,
    `${"(select ".repeat(100)}1${")".repeat(100)}`,
    `${"cast(".repeat(60)}1${" as int)".repeat(60)}`,
    `a${".b".repeat(400)}`,
    `${"a and ".repeat(5000)}b`,
  ])("copes with nesting and lengths that the published parser cannot read", (expression) => {
    expect(parse(`select ${expression}`).kind).toBe("select")
  })

  test("copes with a list of thousands", () => {
    const ids = Array.from({ length: 4000 }, (_, index) => `'id${index}'`)
    const query = parse(`select 1 from events where distinct_id in (${ids.join(", ")})`)
    expect(query).toMatchObject({ where: { right: { kind: "tuple", items: { length: 4000 } } } })
  })

  test("keeps places in the whole text, counted in UTF-16 units", () => {
    const text = "select 'é😀', f(g(h(nope))) from events"
    const found = JSON.stringify(parse(text)).match(/"at":\{"start":(\d+),"end":(\d+)\},"chain":\["nope"\]/)
    expect(text.slice(Number(found?.[1]), Number(found?.[2]))).toBe("nope")
  })

  test("keeps where nulls are to stand", () => {
    expect(parse("select a from t order by a desc nulls first, b nulls last, c")).toMatchObject({
      orderBy: [{ nulls: "first", descending: true }, { nulls: "last", descending: false }, { nulls: null }],
    })
  })

  test("gives ORDER BY and LIMIT behind brackets to the whole set", () => {
    expect(parse("(select 1 as a) union all (select 2) order by a limit 1 offset 2")).toMatchObject({
      kind: "select",
      columns: [{ chain: ["*"] }],
      from: [{ table: { kind: "selectSet" } }],
      orderBy: [{ expression: { chain: ["a"] } }],
      limit: { value: 1 },
      offset: { value: 2 },
    })
  })
})

describe("texts that are no query", () => {
  const refused: [string, string, number][] = [
    ["", "Empty query", 0],
    ["-- nothing", "Empty query", 0],
    ["select 1 from", "ends too early", 13],
    ["select (1", "This ( is never closed.", 7],
    ["select 1)", "This ) closes nothing.", 8],
    ["select [1)", "does not close the [", 9],
    ["select 'abc", "This ' is never closed.", 7],
    ["select 1; select 2", "did not expect 'select'", 10],
    ["explain select 1", "did not expect 'explain'", 0],
    ["select f(g(h(1 2)))", "did not expect '2' here, but a comma or )", 15],
    ["select case when a then b", "expected WHEN, ELSE or END", 25],
    ["select interval 1 from events", "but a unit such as DAY", 18],
    ["select cast(a as )", "but a type", 17],
    [`select ${"(".repeat(101)}1${")".repeat(101)}`, "too deeply nested", 107],
    [`select ${"a+".repeat(500)} 1`, "too deeply nested", 0],
    [`select ${"not ".repeat(500)} 1`, "too deeply nested", 0],
    [`select f'{${"f(".repeat(100)}1${")".repeat(100)}}'`, "too deeply nested", 0],
    [`select '${"a".repeat(100_000)}'`, "longer than 100000 characters", 0],
    [`select ${"a,".repeat(10_001)} a`, "more than 20000 words and signs", 0],
  ]
  test.each(refused.map((item) => [item[0].slice(0, 30), ...item] as const))(
    "%j… is refused with its place",
    (_start, text, sentence, start) => {
      const fault = refusal(text)
      expect(fault).toBeInstanceOf(HogqlError)
      expect(fault).toMatchObject({ kind: "syntax", message: expect.stringContaining(sentence) })
      if (start > 0) expect(fault).toMatchObject({ start })
    },
  )
})

describe("the transformer", () => {
  test.each([
    ...NESTED,
    "select {x}, {'a': 1}, a[1:2], b.1, c::int, * from events e any left join x using (y) array join z as w window v as (order by a)",
  ])("copies every part of a tree: %s", (text) => {
    const query = parse(text)
    const copy = new NodeTransformer().query(query)
    expect(copy).toEqual(query)
    expect(copy).not.toBe(query)
  })
})
