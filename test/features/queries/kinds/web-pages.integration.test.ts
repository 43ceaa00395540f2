import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../src/kernel/json.js"
import { KindEngine, type KindQuery, type TestEvent, uuidOf } from "./kind-engine.js"

const engine = new KindEngine()
const DATES = { date_from: "2024-03-14", date_to: "2024-03-15" }

const view = (actor: string, url: string, at = "2024-03-15T09:00:00Z"): TestEvent => ({
  event: "$pageview",
  actor,
  at,
  properties: { $current_url: url, $browser: actor === "ann" ? "Firefox" : "Chrome" },
})
const click = (actor: string, url: string | null, at = "2024-03-15T09:00:00Z", type = "click"): TestEvent => ({
  event: "$autocapture",
  actor,
  at,
  properties: { $event_type: type, $external_click_url: url, $host: "shop.a.test", $browser: "Firefox" },
})

beforeAll(() => {
  engine.capture([
    view("ann", "https://a.test/Größe?q=1"),
    view("ann", "https://a.test/Größe?q=2"),
    view("bob", "https://a.test/b_c"),
    view("bob", "https://a.test/bxc"),
    view("bob", "https://a.test/old", "2024-03-01T09:00:00Z"),
    click("ann", "https://else.test/x?ref=1"),
    click("ann", "https://else.test/x?ref=2"),
    click("bob", "https://else.test/x?ref=2"),
    click("bob", "https://other.test/", "2024-03-13T09:00:00Z"),
    click("bob", "https://docs.a.test/own"),
    click("bob", "https://else.test/changed", undefined, "change"),
    click("bob", null),
  ])
  engine.capture([view("stranger", "https://a.test/theirs"), click("stranger", "https://theirs.test/")], 2)
})
afterAll(() => engine.close())

const ask = <Results = Json>(query: KindQuery) => engine.run<Results>({ properties: [], dateRange: DATES, ...query })

describe("clicks on links to other sites", () => {
  test("are counted by address, the most clicked first, with who clicked", async () => {
    const { results, columns, hasMore } = await ask({ kind: "WebExternalClicksTableQuery" })
    expect(columns).toEqual(["context.columns.url", "context.columns.visitors", "context.columns.clicks"])
    expect(results).toEqual([
      ["https://else.test/x?ref=2", [2, null], [2, null]],
      ["https://else.test/x?ref=1", [1, null], [1, null]],
    ])
    expect(hasMore).toBe(false)
  })

  test("are one address without query and fragment, beside the time before", async () => {
    const compared = { kind: "WebExternalClicksTableQuery", stripQueryParams: true, compareFilter: { compare: true } }
    expect((await ask(compared)).results).toEqual([
      ["https://else.test/x", [2, 0], [3, 0]],
      ["https://other.test/", [0, 1], [0, 1]],
    ])
    expect((await ask({ ...compared, limit: 1, offset: 1 })).results).toHaveLength(1)
  })

  test("are filtered, and ordered otherwise", async () => {
    const none = [{ type: "event", key: "$browser", value: "Safari" }]
    expect((await ask({ kind: "WebExternalClicksTableQuery", properties: none })).results).toEqual([])
    const by = async (...orderBy: string[]) =>
      (await ask<Json[][]>({ kind: "WebExternalClicksTableQuery", orderBy })).results.map(([url]) => url)
    expect(await by("Visitors", "ASC")).toEqual(["https://else.test/x?ref=1", "https://else.test/x?ref=2"])
    expect(await by("Clicks")).toEqual(["https://else.test/x?ref=2", "https://else.test/x?ref=1"])
    await expect(by("visitors", "ASC")).rejects.toMatchObject({ code: "parse_error" })
  })
})

describe("addresses of pages", () => {
  const search = async (more: object = {}) =>
    (await ask<{ url: string; count: number }[]>({ kind: "WebPageURLSearchQuery", ...more })).results.map(
      ({ url, count }) => [url, count],
    )

  test("are listed by views within the dates", async () => {
    expect(await search({ stripQueryParams: true })).toEqual([
      ["https://a.test/Größe", 2],
      ["https://a.test/b_c", 1],
      ["https://a.test/bxc", 1],
    ])
    expect((await search({ limit: 1 })).length).toBe(1)
  })

  test("are found by what they contain, in any case and letter by letter", async () => {
    expect(await search({ searchTerm: "GRÖßE?Q=1" })).toEqual([["https://a.test/Größe?q=1", 1]])
    expect(await search({ searchTerm: "B_C" })).toEqual([["https://a.test/b_c", 1]])
  })
})

test("those who came in some intervals of a stickiness are a kind of their own", async () => {
  const source = { kind: "StickinessQuery", dateRange: DATES, series: [{ kind: "EventsNode", event: "$pageview" }] }
  const { results } = await engine.run<Json[][]>({ kind: "StickinessActorsQuery", source, day: 1 })
  expect(results.map(([id]) => id).sort()).toEqual([uuidOf("ann"), uuidOf("bob")].sort())
  const trend = { ...source, kind: "TrendsQuery" }
  await expect(engine.run({ kind: "StickinessActorsQuery", source: trend, day: 1 })).rejects.toMatchObject({
    code: "parse_error",
  })
})
