import { afterAll, beforeAll, expect, test } from "@jest/globals"
import type { Locator, Page } from "playwright-core"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"

const PATH = "/project/@current/graphql"

/** GraphiQL with its examples and pictures. */
export function testExplorer({ api, open }: ConsolePages): void {
  let page: Page
  beforeAll(async () => {
    page = await open(PATH)
    // An operation of this name is answered with its variables, so that any answer can be drawn.
    await page.route("**/graphql", (route) => {
      const { query, variables } = route.request().postDataJSON()
      return query.startsWith("query Echo") ? route.fulfill({ json: { data: variables } }) : route.continue()
    })
    await page.locator(".graphiql-query-editor .CodeMirror").waitFor()
  })
  afterAll(() => page.close())

  /** Puts a text into one of GraphiQL's editors, as pasting would, and runs the operation by keyboard. */
  const write = async (editor: Locator, text: string): Promise<void> => {
    await editor.locator(".CodeMirror").click()
    await page.keyboard.press("Control+A")
    await page.keyboard.insertText(text)
  }
  const operation = () => page.locator(".graphiql-query-editor")
  const variables = () => page.locator(".graphiql-editor-tool .graphiql-editor:not(.hidden)")
  const answer = () => page.locator(".graphiql-response")
  const run = async (text: string): Promise<void> => {
    await write(operation(), text)
    await page.keyboard.press("Control+Enter")
  }

  test("runs an operation by keyboard with the rights of who is signed in", async () => {
    await run("{ me { scopes } }")
    await answer().getByText('"ALL"').waitFor()
  })

  test("shows what is wrong with an operation", async () => {
    await run("{ nothing }")
    await answer().getByText("GRAPHQL_VALIDATION_FAILED").waitFor()
  })

  test("completes field names from the schema", async () => {
    await write(operation(), "{ ")
    await page.keyboard.type("ingestionW")
    await page.locator(".CodeMirror-hints").getByText("ingestionWarnings").waitFor()
    await page.keyboard.press("Escape")
  })

  test("follows a subscription live until it is stopped", async () => {
    await run("subscription { flagsChanged { revision } }")
    await answer().getByText('"revision"').waitFor()
    await page.getByRole("button", { name: "Stop query" }).click()
    await page.getByRole("button", { name: "Execute query" }).waitFor()
  })

  const picture = () => page.getByRole("region", { name: "Result, as a picture" })
  /** Draws a value as if it were an answer; the text of the picture once the expected part is in it. */
  const drawn = async (value: object, expected: string): Promise<string> => {
    await write(variables(), JSON.stringify({ a: value }))
    await run("query Echo { __typename }")
    await picture().getByText(expected).first().waitFor({ state: "attached" })
    return (await picture().locator("figure, .progress").textContent()) ?? ""
  }
  const stylesOf = (selector: string) =>
    picture()
      .locator(selector)
      .evaluateAll((all) => all.map((one) => one.getAttribute("style")))

  test("draws rows as a table whose numbers can be compared, and shows markup as text", async () => {
    await page.getByRole("button", { name: "Show Picture of the result" }).click()
    await page.getByRole("button", { name: "Variables", exact: true }).click()
    const rows = [
      ["signed up", 4],
      ["<b>paid</b>", 1],
    ]
    const text = await drawn({ columns: ["event", "people"], results: rows }, "signed up")
    expect(text).toBe("eventpeoplesigned up4<b>paid</b>1")
    expect(await stylesOf("td.number")).toEqual(["--share: 100%;", "--share: 25%;"])
  })

  test("draws a trend as a line for each series, every point with its value", async () => {
    const days = ["2026-11-20", "2026-11-21"]
    const results = [
      { label: "paid", days, data: [2, 4], count: 6 },
      { label: "left", days, data: [0, 1], count: 1 },
    ]
    const text = await drawn({ results }, "paid: 6")
    expect(text).toContain("paid, 2026-11-21: 4")
    const lines = await picture()
      .locator("polyline")
      .evaluateAll((all) => all.map((one) => one.getAttribute("points")))
    // 4 is the top of the picture, 0 its ground.
    expect(lines).toEqual(["56,132 624,12", "56,252 624,192"])
  })

  test("draws a funnel as bars and retention as a table that darkens", async () => {
    const step = (name: string, count: number) => ({ name, count, average_conversion_time: null })
    expect(await drawn({ results: [step("seen", 8), step("bought", 2)] }, "bought")).toBe(
      "seen8 (100 %)6 leftbought2 (25 %)",
    )
    expect(await stylesOf(".step")).toEqual(["--share: 100%;", "--share: 25%;"])
    const values = [
      { label: "Day 0", count: 4 },
      { label: "Day 1", count: 1 },
    ]
    const retention = await drawn({ results: [{ label: "Day 0", date: "2026-11-20T00:00:00Z", values }] }, "2026-11-20")
    expect(retention).toBe("PeopleDay 0Day 12026-11-204100 %25 %")
  })

  test("draws typed results by the lists that were selected of them", async () => {
    const points = [
      { day: "2026-11-20", value: 1 },
      { day: "2026-11-21", value: 2 },
    ]
    const trend = await drawn({ series: [{ label: "paid", total: 3, points }] }, "paid: 3")
    expect(trend).toContain("paid, 2026-11-21: 2")
    const steps = [
      { name: "seen", count: 4 },
      { name: "bought", count: 1 },
    ]
    expect(await drawn({ groups: [{ breakdown: ["Chrome"], steps }] }, "bought")).toBe(
      "Chromeseen4 (100 %)3 leftbought1 (25 %)",
    )
    const values = [{ label: "Day 0", count: 2 }]
    expect(await drawn({ matrix: [{ date: "2026-11-22", values }] }, "2026-11-22")).toBe("PeopleDay 02026-11-222100 %")
    expect(await drawn({ columns: [{ name: "plan" }], rows: [["team"]] }, "team")).toBe("planteam")
  })

  test("shows how far a running query has come, and says where nothing can be drawn", async () => {
    await drawn({ state: "RUNNING", progress: { percentage: 40, rowsRead: 12000 } }, "12,000 rows read")
    expect(
      await picture()
        .locator("progress")
        .evaluate((bar: { value?: number }) => bar.value),
    ).toBe(40)
    await run("query Nothing { __typename }")
    await picture().getByText("Nothing to draw").waitFor()
  })

  test("offers examples, and fills in the one that is chosen", async () => {
    await page.getByRole("button", { name: "Show Examples" }).click()
    const examples = page.getByRole("region", { name: "Examples" }).getByRole("button")
    expect(await examples.count()).toBeGreaterThan(5)
    await examples.filter({ hasText: "List persons" }).click()
    await operation().getByText("persons").first().waitFor()
  })

  test("takes an operation from the address, also from the one that it had before", async () => {
    const other = await open(`/graphql?${new URLSearchParams({ query: "{ me { email } }" })}`)
    await other.locator(".graphiql-query-editor").getByText("email").waitFor()
    expect(new URL(other.url()).pathname).toBe(PATH)
    // What GraphiQL itself is blamed for is its own affair.
    expect(await findBarriers(other, [".graphiql-container"])).toEqual([])
    await other.close()
  })

  test("fits a telephone", async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390)
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(page.url()).toContain(api.url)
  })
}
