import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../../src/kernel/json.js"
import { KindEngine, type TestEvent } from "./kind-engine.js"

const engine = new KindEngine()
const page = (actor: string, minute: number, path: string): TestEvent => ({
  event: "$pageview",
  actor,
  at: `2024-03-04T08:${String(minute).padStart(2, "0")}:00Z`,
  properties: { $current_url: path, title: `title of ${path}` },
})

beforeAll(() =>
  engine.capture([
    ...["/", "/", "/about/", "/about", "/about/", "/blog/1", "/blog/2"].map((path, at) => page("a", at, path)),
    ...["/", "/shop/blog/3", "/about/"].map((path, at) => page("b", at * 2, path)),
    { event: "signed up", actor: "b", at: "2024-03-04T08:05:00Z", properties: { title: "welcome" } },
    { event: "$identify", actor: "b", at: "2024-03-04T08:06:00Z", properties: { title: "hidden" } },
    ...["/x", "/1", "/2", "/3", "/4", "/5", "/6", "/y"].map((path, at) => page("c", at, path)),
  ]),
)
afterAll(() => engine.close())

const edges = async (pathsFilter: Record<string, Json>, properties: Json = []) => {
  const { results } = await engine.run<{ source: string; target: string; average_conversion_time: number }[]>({
    kind: "PathsQuery",
    dateRange: { date_from: "2024-03-04", date_to: "2024-03-04" },
    pathsFilter,
    properties,
  })
  return results.map((edge) => `${edge.source} > ${edge.target} ${edge.average_conversion_time / 60_000}`).sort()
}
const only = (actor: string) => [{ type: "hogql", key: `distinct_id = '${actor}'` }]
const PAGES = { includeEventTypes: ["$pageview"], stepLimit: 10 }

describe("paths", () => {
  test("count a step that is repeated once, at its last time", async () => {
    expect(await edges(PAGES, only("a"))).toEqual([
      "1_/ > 2_/about 3",
      "2_/about > 3_/blog/1 1",
      "3_/blog/1 > 4_/blog/2 1",
    ])
  })

  test("group steps that hold a pattern anywhere", async () => {
    const pathGroupings = ["/blog/*"]
    expect(await edges({ ...PAGES, pathGroupings }, only("a"))).toEqual(["1_/ > 2_/about 3", "2_/about > 3_/blog/* 2"])
    expect(await edges({ ...PAGES, pathGroupings }, only("b"))).toEqual(["1_/ > 2_/blog/* 2", "2_/blog/* > 3_/about 2"])
  })

  test("take what is special in a pattern for itself", async () => {
    expect(await edges({ ...PAGES, pathGroupings: ["_lo%", "/b.*"] }, only("b"))).toEqual([
      "1_/ > 2_/shop/blog/3 2",
      "2_/shop/blog/3 > 3_/about 2",
    ])
  })

  test.each([
    [["/shop/blog/3"], ["1_/ > 2_/about 4"]],
    [["/blog/*"], ["1_/ > 2_/about 4"]],
    [["/blog"], ["1_/ > 2_/shop/blog/3 2", "2_/shop/blog/3 > 3_/about 2"]],
    [["/", "*about"], []],
  ])("leave out steps by their whole name, or by a pattern anywhere: %j", async (excludeEvents, wanted) => {
    expect(await edges({ ...PAGES, excludeEvents }, only("b"))).toEqual(wanted)
  })

  test("leave out steps by the pattern that they are grouped under", async () => {
    const pathsFilter = { ...PAGES, pathGroupings: ["/blog/*"], excludeEvents: ["/blog/*"] }
    expect(await edges(pathsFilter, only("b"))).toEqual(["1_/ > 2_/about 4"])
  })

  test.each(["/about/", "/about"])("end at %s, with a slash or without", async (endPoint) => {
    expect(await edges({ ...PAGES, endPoint }, only("b"))).toEqual([
      "1_/ > 2_/shop/blog/3 2",
      "2_/shop/blog/3 > 3_/about 2",
    ])
  })

  test.each(["/about/", "/about"])("begin at %s, with a slash or without", async (startPoint) => {
    expect(await edges({ ...PAGES, startPoint }, only("a"))).toEqual([
      "1_/about > 2_/blog/1 1",
      "2_/blog/1 > 3_/blog/2 1",
    ])
  })

  test("keep both ends of a long way between two points", async () => {
    const pathsFilter = { ...PAGES, stepLimit: 4, startPoint: "/x", endPoint: "/y" }
    expect(await edges(pathsFilter, only("c"))).toEqual([
      "1_/x > 2_/1 1",
      "2_/1 > 3_... 1",
      "3_... > 4_/6 4",
      "4_/6 > 5_/y 1",
    ])
  })

  test("clean steps by one rule after the other before they are grouped", async () => {
    const localPathCleaningFilters = [
      { regex: "\\d", alias: "<n>" },
      { regex: "/blog/<n>", alias: "/post" },
    ]
    expect(await edges({ ...PAGES, localPathCleaningFilters }, only("b"))).toEqual([
      "1_/ > 2_/shop/post 2",
      "2_/shop/post > 3_/about 2",
    ])
  })

  test("name events by an expression when no types are named, pages by their address still", async () => {
    const shown = await edges({ pathsHogQLExpression: "properties.title", stepLimit: 10 }, only("b"))
    expect(shown.slice(-2)).toEqual(["3_/about > 4_welcome 1", "4_welcome > 5_hidden 1"])
  })

  test("hold only events of the types that are named beside an expression", async () => {
    const types = { includeEventTypes: ["custom_event", "hogql"], pathsHogQLExpression: "properties.title" }
    expect(await edges(types, only("b"))).toEqual([])
    const both = { ...types, includeEventTypes: ["custom_event", "$pageview", "hogql"] }
    expect((await edges(both, only("b"))).at(-1)).toBe("3_/about > 4_welcome 1")
  })
})
