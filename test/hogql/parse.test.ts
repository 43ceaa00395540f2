import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import { HogqlError, parse } from "../../src/hogql/index.js"
import { NodeTransformer } from "../../src/hogql/nodes/transformer.js"
import { buildQuery } from "../../src/hogql/parse/build-nodes.js"
import { readWithGrammar } from "../../src/hogql/parse/grammar.js"
import { ParsedPiece, TreeDepth } from "../../src/hogql/parse/parsed-piece.js"

const { cases } = JSON.parse(readFileSync("test/hogql/fixtures/hogql.json", "utf8")) as {
  cases: { hogql: string; expect: { status: number } }[]
}
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

/** The text read by the grammar in one go, which is the oracle for reading it in pieces. */
async function parseWhole(text: string) {
  const raw = await readWithGrammar(text)
  if (raw === null || raw.error) throw new Error(`the grammar refuses ${text}`)
  return buildQuery(
    new ParsedPiece({ text, offset: 0, role: "statement", children: new Map() }, raw, new Map(), new TreeDepth()),
  )
}

const withoutPlaces = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, item) => (key === "at" ? undefined : item)))
const refusal = (text: string) =>
  parse(text).then(
    () => null,
    (fault: unknown) => fault as HogqlError,
  )

describe("reading a text in pieces", () => {
  const texts = [...cases.filter((item) => item.expect.status === 200).map((item) => item.hogql), ...NESTED]
  test.each(texts)("gives the same tree as reading it whole: %s", async (text) => {
    expect(withoutPlaces(await parse(text))).toEqual(withoutPlaces(await parseWhole(text)))
  })

  test.each([
    `${"f(".repeat(60)}1${")".repeat(60)}`,
    `${"(".repeat(90)}1${")".repeat(90)}`,
    `${"(select ".repeat(40)}1${")".repeat(40)}`,
  ])("copes with nesting that the grammar alone would need years for", async (expression) => {
    expect((await parse(`select ${expression}`)).kind).toBe("select")
  })

  test("copes with a list of thousands", async () => {
    const ids = Array.from({ length: 4000 }, (_, index) => `'id${index}'`)
    const query = await parse(`select 1 from events where distinct_id in (${ids.join(", ")})`)
    expect(query).toMatchObject({ where: { right: { kind: "tuple", items: { length: 4000 } } } })
  })

  test("keeps places in the whole text, counted in UTF-16 units", async () => {
    const text = "select 'é😀', f(g(h(nope))) from events"
    const query = await parse(text)
    const found = JSON.stringify(query, (key, item) => (key === "items" ? undefined : item)).match(
      /"at":\{"start":(\d+),"end":(\d+)\},"chain":\["nope"\]/,
    )
    expect(text.slice(Number(found?.[1]), Number(found?.[2]))).toBe("nope")
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
    ["select f(g(h(1 2)))", "did not expect '2'", 15],
    [`select ${"(".repeat(101)}1${")".repeat(101)}`, "too deeply nested", 107],
    [`select ${"a+".repeat(300)} 1`, "too long", 506],
    [`select f'{${"f(".repeat(20)}1${")".repeat(20)}}'`, "too deeply nested", 17],
    [`select a${".b".repeat(40)}`, "at most 12 parts", 30],
    [`select ((((1)${"+1".repeat(140)})${"+1".repeat(140)})${"+1".repeat(140)})`, "too deeply nested", 0],
  ]
  test.each(refused.map((item) => [item[0].slice(0, 30), ...item] as const))(
    "%j… is refused with its place",
    async (_start, text, sentence, start) => {
      const fault = await refusal(text)
      expect(fault).toBeInstanceOf(HogqlError)
      expect(fault).toMatchObject({ kind: "syntax", message: expect.stringContaining(sentence) })
      if (start > 0) expect(fault?.start).toBe(start)
    },
  )
})

describe("the transformer", () => {
  test.each([
    ...NESTED,
    "select {x}, {'a': 1}, a[1:2], b.1, c::int, * from events e any left join x using (y) array join z as w window v as (order by a)",
  ])("copies every part of a tree: %s", async (text) => {
    const query = await parse(text)
    const copy = new NodeTransformer().query(query)
    expect(copy).toEqual(query)
    expect(copy).not.toBe(query)
  })
})
