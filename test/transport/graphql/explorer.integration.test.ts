import { existsSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals"
import { type Browser, chromium, type Locator, type Page } from "playwright-core"
import { GOOD_KEY } from "../support/sample-context.js"
import { sampleEvents } from "../support/sample-resolvers.js"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium"
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]

/** A browser on a busy machine takes its time; nothing here waits for it longer than it needs. */
const PATIENCE_MS = 150_000
jest.setTimeout(2 * PATIENCE_MS)

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const askForPage = () => fetch(`${gateway.url}/graphql`, { headers: { Accept: "text/html,*/*;q=0.8" } })

describe("the explorer's files", () => {
  test("go to browsers, and programs at the same path get answers", async () => {
    const page = await askForPage()
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'; style-src")
    const program = await fetch(`${gateway.url}/graphql?query=%7B__typename%7D`, {
      headers: { "Content-Type": "application/json" },
    })
    expect(await program.json()).toMatchObject({ data: { __typename: "Query" } })
  })

  test("hold no inline script, come from this server and are kept by browsers under names that change", async () => {
    const html = await (await askForPage()).text()
    expect(html).not.toMatch(/<script(?![^>]* src=)/)
    const paths = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path)
    expect(paths.length).toBeGreaterThanOrEqual(2)
    for (const path of paths) {
      const response = await fetch(gateway.url + path)
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(response.headers.get("content-security-policy")).toContain("default-src 'self'")
      await response.arrayBuffer()
    }
  })

  test("that do not exist are not found", async () => {
    expect((await fetch(`${gateway.url}/graphql/explorer/assets/nothing.js`)).status).toBe(404)
    expect((await fetch(`${gateway.url}/graphql/explorer/assets/..%2f..%2fmain.js`)).status).toBe(404)
  })
})

/** Plain statement in place of a silent pass: without a browser there is one test, and it says so. */
if (!existsSync(CHROMIUM)) test("the explorer is not tried in a browser here: there is none", () => undefined)
else describe("the explorer in a browser", () => tryInBrowser())

function tryInBrowser(): void {
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
    page = await browser.newPage({ viewport: { width: 1440, height: 860 } })
    page.setDefaultTimeout(PATIENCE_MS)
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
    page.on("pageerror", (error) => complaints.push(error.message))
    page.on("request", (request) => request.url().startsWith(gateway.url) || complaints.push(request.url()))
    await page.goto(`${gateway.url}/graphql`)
    await page.locator(".graphiql-query-editor .CodeMirror").waitFor()
  })
  afterAll(() => browser.close())

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

  test("runs an operation by keyboard and shows its data", async () => {
    await run("{ persons(first: 2) { totalCount nodes { id name } } }")
    await answer().getByText("Żółć 2").waitFor()
  })

  test("shows what is wrong with an operation", async () => {
    await run("{ nothing }")
    await answer().getByText("GRAPHQL_VALIDATION_FAILED").waitFor()
  })

  test("completes field names from the schema", async () => {
    await write(operation(), "{ ")
    await page.keyboard.type("firstP")
    await page.locator(".CodeMirror-hints").getByText("firstPerson").waitFor()
    await page.keyboard.press("Escape")
  })

  test("follows a subscription live until it is stopped", async () => {
    await run('subscription { queryStatus(id: "watched") { complete } }')
    const publishing = setInterval(() => sampleEvents.publish("watched", { complete: true }), 20)
    await answer()
      .getByText('"complete"')
      .waitFor()
      .finally(() => clearInterval(publishing))
    await page.getByRole("button", { name: "Stop query" }).click()
    await page.getByRole("button", { name: "Execute query" }).waitFor()
  })

  const picture = () => page.getByRole("region", { name: "Result, as a picture" })
  /** Has the server echo a value as if it were an answer; the text of the picture once the expected part is in it. */
  const drawn = async (value: object, expected: string): Promise<string> => {
    await write(variables(), JSON.stringify({ a: value }))
    await run("query Echo($a: JSON) { f(a: $a) }")
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
    expect(await drawn({ results: [step("seen", 8), step("bought", 2)] }, "bought")).toBe("seen8 (100 %)bought2 (25 %)")
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
      "Chromeseen4 (100 %)bought1 (25 %)",
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
    await run("{ __typename }")
    await picture().getByText("Nothing to draw").waitFor()
  })

  test("offers examples whose fields the schema has, and none other", async () => {
    await page.getByRole("button", { name: "Show Examples" }).click()
    const examples = page.getByRole("region", { name: "Examples" }).getByRole("button")
    expect(await examples.allTextContents()).toEqual(["List personsA page of people with their properties."])
    await examples.first().click()
    await operation().getByText("persons").first().waitFor()
  })

  test("sends the key it is given and keeps it for the session only", async () => {
    await page.getByLabel("Personal API key").fill(GOOD_KEY)
    await page.getByLabel("Personal API key").press("Enter")
    await run('mutation { createPlaylist(input: { name: "x" }) { id } }')
    await answer().getByText('"createPlaylist"').waitFor()
    expect(await page.evaluate("sessionStorage.getItem('waymark.key')")).toBe(GOOD_KEY)
    expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain(GOOD_KEY)
  })

  test("fits a telephone", async () => {
    await page.setViewportSize({ width: 400, height: 800 })
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400)
    await page.setViewportSize({ width: 1440, height: 860 })
  })

  test("loads nothing from elsewhere and complains of nothing", () => {
    // The browser itself reports the 400 of operations that are wrong: one on purpose, and `me` is not of this schema.
    expect(complaints.filter((text) => !text.includes("400 (Bad Request)"))).toEqual([])
  })
}
