import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { compile, parse } from "../../src/hogql/index.js"
import { printHogql } from "../../src/hogql/print/print-hogql.js"
import { TestEngine } from "./support/engine.js"
import { emptyScope } from "./support/scope.js"
import { shownRows } from "./support/shown-rows.js"

const ZONE = "Europe/Berlin"
/** Rows that the texts read: numbers, texts with a null, keys of which two are equal, and when. */
const ROWS = "(values (1, 'b', 3), (2, 'a', 1), (3, 'c', 2), (4, null, 2)) as t(n, s, k)"

let engine: TestEngine
beforeAll(() => {
  engine = new TestEngine()
  engine.insert(
    "events",
    [1, 2, 3].map((hour) => ({
      project_id: 1,
      uuid: `0190d001-0000-7000-8000-00000000000${hour}`,
      event: hour === 3 ? "b" : "a",
      distinct_id: `d${4 - hour}`,
      person_id: "0190d000-0000-7000-8000-0000000000a1",
      person_properties: "{}",
      properties: JSON.stringify({ price: hour * 10 }),
      timestamp: `2024-03-10T0${hour}:30:00Z`,
    })),
  )
})
afterAll(() => engine.close())

const scope = { ...emptyScope, timezone: ZONE }
const rowsOf = async (text: string) => shownRows(engine, await compile({ text }, scope), ZONE)
const rowOf = async (columns: string, rest = "") => (await rowsOf(`select ${columns} from ${ROWS} ${rest}`))[0]
const refusalOf = (text: string) =>
  compile({ text }, scope).then(
    () => "read",
    ({ message, start }: { message: string; start: number }) => `${start}: ${message}`,
  )

describe("a list of the rows' values", () => {
  test.each<[sentence: string, column: string, list: unknown]>([
    ["is in the order of keys", "groupArray(n order by k, n)", [2, 3, 4, 1]],
    ["is in their opposite order", "groupArray(n order by k desc, n desc)", [1, 4, 3, 2]],
    ["has the row of a null key last", "groupArray(n order by s)", [2, 1, 3, 4]],
    ["has it last in the opposite order too", "groupArray(n order by s desc)", [3, 1, 2, 4]],
    ["has it first where that is asked for", "groupArray(n order by s nulls first)", [4, 2, 1, 3]],
    ["has it first so in the opposite order", "groupArray(n order by s desc nulls first)", [4, 3, 1, 2]],
    ["leaves nulls out, as without an order", "array_agg(s order by n desc)", ["c", "a", "b"]],
    ["ends after as many as it may have", "groupArray(2)(n order by k desc, n desc)", [1, 4]],
    ["has each value once", "groupArray(distinct k order by k desc)", [3, 2, 1]],
    ["has those of a filter", "groupArray(n order by n desc) filter (where n > 2)", [4, 3]],
    ["has those of a condition", "groupArrayIf(n, n > 2 order by n desc)", [4, 3]],
    ["may be a text", "string_agg(s, '-' order by n desc)", "c-a-b"],
    ["may be a text of each value once", "string_agg(distinct toString(k), '-' order by toString(k))", "1-2-3"],
    ["may be JSON", "json_agg(n order by n desc)", "[4,3,2,1]"],
    ["may have its order behind it", "listagg(s, '; ') within group (order by n desc)", "c; a; b"],
  ])("%s", async (_sentence, column, list) => {
    expect(await rowOf(column)).toEqual([list])
  })

  test("is each group's own, of events as of anything else", async () => {
    expect(
      await rowsOf(
        "select event, groupArray(distinct_id order by timestamp) from events group by event order by event",
      ),
    ).toEqual([
      ["a", ["d3", "d2"]],
      ["b", ["d1"]],
    ])
  })
})

describe("the first and the last row", () => {
  test("are those of the least and the greatest key", async () => {
    const columns =
      "first_value(n order by s desc), last_value(n order by s desc), any(n order by n), anyLast(n order by k, n)"
    expect(await rowOf(columns)).toEqual([3, 4, 1, 1])
  })

  test.each([
    ["n order by s", [2, 4]],
    ["n order by s desc", [3, 4]],
    ["n order by s nulls first", [4, 3]],
    ["n order by s desc nulls first", [4, 2]],
    ["n order by k nulls first, s nulls first", [2, 1]],
    ["n order by s nulls last", [2, 4]],
  ])("count a row whose key is null where it stands: %s", async (ordered, ends) => {
    expect(await rowOf(`first_value(${ordered}), last_value(${ordered})`)).toEqual(ends)
  })

  test("are there when all keys are null", async () => {
    expect(await rowOf("first_value(n order by s), any(n order by s)", "where s is null")).toEqual([4, 4])
  })
})

describe("IGNORE NULLS", () => {
  const at = (place: string) => rowsOf(`select n, last_value(s${place} over (order by n) from ${ROWS} order by n`)

  test("says of first and last values what is so without it, inside of the brackets and behind them", async () => {
    const filled = ["b", "a", "c", "c"].map((text, index) => [index + 1, text])
    expect(await at(" ignore nulls)")).toEqual(filled)
    expect(await at(") ignore nulls")).toEqual(filled)
    expect(await at(")")).toEqual(filled)
    expect(await rowOf("last_value(s) ignore nulls")).toEqual(await rowOf("last_value(s)"))
  })

  test("is refused of anything else", async () => {
    expect(await refusalOf(`select lag(s) ignore nulls over (order by n) from ${ROWS}`)).toContain(
      "filter the rows of 'lag'",
    )
  })
})

describe("a percentile of ordered rows", () => {
  test.each<[sentence: string, column: string, value: unknown]>([
    ["lies between two of them", "percentile_cont(0.5) within group (order by n)", 2.5],
    ["is counted from the other end", "percentile_cont(0.25) within group (order by n desc)", 3.25],
    ["is one of them", "percentile_disc(0.5) within group (order by n)", 2],
    ["is one of them from the other end", "percentile_disc(0.75) within group (order by n desc)", 2],
    ["of nothing is the first", "percentile_disc(0) within group (order by n)", 1],
    ["may be one of the engine's", "quantileExact(0.9) within group (order by n)", 4],
  ])("%s", async (_sentence, column, value) => {
    expect(await rowOf(column)).toEqual([value])
  })

  test("is of properties as of numbers, and null without rows", async () => {
    expect(await rowsOf("select percentile_cont(0.5) within group (order by properties.price) from events")).toEqual([
      [20],
    ])
    expect(await rowOf("percentile_disc(0.5) within group (order by n)", "where n > 100")).toEqual([null])
  })
})

describe("an order inside of a call", () => {
  test.each<[sentence: string, column: string, refusal: string]>([
    ["that changes nothing", "sum(n order by n)", "22: The result of 'sum' does not depend on an order"],
    ["that no rows have", "abs(n order by n)", "22: The result of 'abs' does not depend on an order"],
    ["in two directions", "groupArray(n order by k desc, n)", "ORDER BY inside a call goes one way"],
    ["of single values by other keys", "groupArray(distinct n order by k)", "is ordered by its own values alone"],
    ["behind what takes none", "sum(n) within group (order by n)", "37: 'sum' does not take WITHIN GROUP"],
    ["of a percentile that has no level", "percentile_cont(n) within group (order by n)", "needs a number from 0 to 1"],
    [
      "that a percentile lacks",
      "percentile_cont(0.5)",
      "needs its rows: percentile_cont(0.5) WITHIN GROUP (ORDER BY …)",
    ],
    [
      "before OVER",
      "groupArray(n order by k) over ()",
      "ORDER BY before OVER is not supported: write it in the window",
    ],
  ])("%s is refused with its place and what to write instead", async (_sentence, column, refusal) => {
    expect(await refusalOf(`select ${column} from ${ROWS}`)).toContain(refusal)
  })

  test("is written again as it was", () => {
    const texts = [
      "SELECT groupArray(DISTINCT a ORDER BY a DESC NULLS FIRST) FILTER (WHERE b) FROM t",
      "SELECT listagg(a, ',') WITHIN GROUP (ORDER BY b ASC, c ASC) FROM t",
      "SELECT sum(a) OVER (ORDER BY b ASC RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW) FROM t",
      "SELECT 1 AS a UNION ALL BY NAME SELECT 2 AS b",
    ]
    for (const text of texts) expect(printHogql(parse(text))).toBe(text)
  })
})

describe("a window's frame of an INTERVAL", () => {
  const times = (...written: string[]) =>
    `(values ${written.map((time) => `(toDateTime('2024-01-${time}'))`).join(", ")}) as t(d)`

  test("holds the rows of so much time, both ends of it too", async () => {
    const rows = await rowsOf(
      `select count() over (order by d range between interval 1 day preceding and current row) as c, d
       from ${times("01 00:00:00", "01 12:00:00", "02 00:00:00", "03 00:00:01")} order by d`,
    )
    expect(rows.map(([count]) => count)).toEqual([1, 2, 3, 1])
  })

  test("reaches to both sides, and backwards where rows are", async () => {
    const rows = await rowsOf(
      `select count() over (order by d desc range between interval 1 hour preceding and interval 30 minute following) as c, d
       from ${times("01 00:00:00", "01 00:30:00", "01 01:00:00", "01 03:00:00")} order by d`,
    )
    expect(rows.map(([count]) => count)).toEqual([3, 3, 2, 1])
  })

  test("is exact to the microsecond", async () => {
    const rows = await rowsOf(
      `select count() over (order by d range between interval 1 second preceding and current row) as c, d
       from (select toDateTime64('2024-10-22 00:00:00.123457', 6) + toIntervalSecond(number) as d from numbers(4)) order by d`,
    )
    expect(rows.map(([count]) => count)).toEqual([1, 2, 2, 2])
  })

  test("of seven days holds seven days when one of them has 25 hours", async () => {
    const rows = await rowsOf(
      `select count() over (order by d range between interval 6 day preceding and current row) as c, d
       from (select toDateTime('2024-10-22 00:00:00') + toIntervalDay(number) as d from numbers(9)) order by d`,
    )
    expect(rows.map(([count]) => count)).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 7])
  })

  test("is of dates as of times, also in a named window", async () => {
    const rows = await rowsOf(
      `select sum(v) over w, sum(v) over (order by d range between interval 6 day preceding and current row) as c, d
       from (values (toDate('2024-01-01'), 1), (toDate('2024-01-07'), 10), (toDate('2024-01-08'), 100)) as t(d, v)
       window w as (order by d range interval 1 week preceding) order by d`,
    )
    expect(rows.map(([week, sixDays]) => [week, sixDays])).toEqual([
      [1, 1],
      [11, 11],
      [111, 110],
    ])
  })

  test.each([
    "toStartOfDay(timestamp)",
    "toDate(timestamp)",
    "dateTrunc('day', timestamp)",
    "toStartOfWeek(timestamp)",
  ])("is of groups of %s", async (day) => {
    const text = `select ${day} as d, sum(count()) over (order by d range between interval 6 day preceding and current row) from events group by d`
    expect((await rowsOf(text)).map(([, count]) => count)).toEqual([3])
  })

  test("holds rows without a time for those without a time alone", async () => {
    const rows = await rowsOf(
      `select count() over (order by d range between interval 1 day preceding and interval 1 day following) as c, number
       from (select number, toDateTime(if(number = 3, null, '2024-01-0' || toString(number + 1))) as d from numbers(5))
       order by number`,
    )
    expect(rows.map(([count]) => count)).toEqual([2, 3, 2, 1, 1])
  })

  test("is of each event's own partition", async () => {
    const rows = await rowsOf(
      "select count() over (partition by event order by timestamp range between interval 1 hour preceding and current row) as c, timestamp from events order by timestamp",
    )
    expect(rows.map(([count]) => count)).toEqual([1, 2, 1])
  })

  test.each<[sentence: string, over: string, refusal: string]>([
    ["over what is no time", "order by n range interval 1 day preceding", "needs an ORDER BY of one time"],
    ["of rows", "order by n rows interval 1 day preceding", "ROWS counts rows: an INTERVAL needs RANGE"],
    ["of months", "order by now() range interval 1 month preceding", "such as INTERVAL 30 DAY"],
    ["of lifetimes", "order by now() range interval 9999 week preceding", "at most 2147483647 seconds"],
    ["with numbers", "order by now() range between interval 1 day preceding and 5 following", "must be INTERVALs"],
  ])("%s is refused with what to write instead", async (_sentence, over, refusal) => {
    expect(await refusalOf(`select sum(n) over (${over}) from ${ROWS}`)).toContain(refusal)
  })
})
