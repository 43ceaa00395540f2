import { describe, expect, test } from "@jest/globals"
import { HogqlError, nodes, parse } from "../../../src/hogql/index.js"
import { placeAt } from "../../../src/hogql/nodes/place.js"
import { replacePlaceholders } from "../../../src/hogql/nodes/replace-placeholders.js"
import { sameText } from "../../../src/hogql/nodes/same-text.js"

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

describe("placeholders", () => {
  const EVERYWHERE = `with {p} as a, b as (select {p}) select {p}, f({p})({p}) filter (where {p}), [{p}], ({p}, 1), {'k': {p}}, x[{p}], x[{p}:{p}],
    y -> {p}, {p}::int, case when {p} then {p} end, {p} between {p} and {p}, not {p}, sum(x) over (partition by {p} order by {p}), (select {p})
    from events as e sample {p} any left join numbers({p}) as n on {p} array join {p} as z prewhere {p} where {p} and {p} or {p}
    group by {p} having {p} qualify {p} window w as (order by {p}) order by {p} limit {p} by {p} limit {p} offset {p} union all select {p} from t`

  test("are replaced wherever they stand, and nothing else is", () => {
    const written = parse(EVERYWHERE.replaceAll("{p}", "777"))
    const filled = replacePlaceholders(parse(EVERYWHERE), {
      expression: () => nodes.constant(777),
      table: () => nodes.field(["events"]),
    })
    expect(sameText(filled)).toBe(sameText(written))
  })

  test("of tables are replaced as tables, and are given the SELECT around them", () => {
    const tables = replacePlaceholders(parse("select {a} from {t} union all select 1 from (select 2 from {t})"), {
      expression: (_, around) => nodes.constant(around?.from.length ?? 0),
      table: () => nodes.field(["events"]),
    })
    const expected = parse("select 1 from events union all select 1 from (select 2 from events)")
    expect(sameText(tables)).toBe(sameText(expected))
  })

  test("are the only parts of a query that are copied", () => {
    const query = parse("select a from t union all select {x}")
    const filled = replacePlaceholders(query, { expression: () => nodes.constant(1), table: () => nodes.field(["t"]) })
    expect(filled).not.toBe(query)
    expect(filled.kind === "selectSet" && query.kind === "selectSet" && filled.first === query.first).toBe(true)
  })
})

describe("nodes without a place", () => {
  test("are given one, down to those that have their own", () => {
    const own = nodes.field(["a"], { start: 3, end: 4 })
    const made = nodes.and([nodes.compare("==", own, nodes.constant(1)), nodes.not(own)])
    const at = { start: 10, end: 20 }
    expect(placeAt(made, at)).toEqual(
      nodes.and([nodes.compare("==", own, nodes.constant(1, at), at), nodes.not(own, at)], at),
    )
  })
})
