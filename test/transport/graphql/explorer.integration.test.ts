import { existsSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type Browser, chromium, type Page } from "playwright-core"
import { GOOD_KEY } from "../support/sample-context.js"
import { sampleEvents } from "../support/sample-resolvers.js"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium"
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

describe("the explorer's files", () => {
  test("go to browsers, and programs at the same path get answers", async () => {
    const page = await fetch(`${gateway.url}/graphql`, { headers: { Accept: "text/html,*/*;q=0.8" } })
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'")
    const program = await fetch(`${gateway.url}/graphql?query=%7B__typename%7D`, {
      headers: { "Content-Type": "application/json" },
    })
    expect(await program.json()).toMatchObject({ data: { __typename: "Query" } })
  })

  test("need nothing from elsewhere, are all there and are kept by browsers until they change", async () => {
    const seen = new Set(["/graphql/explorer/main.js", "/graphql/explorer/style.css"])
    for (const path of seen) {
      const response = await fetch(gateway.url + path)
      expect([path, response.status]).toEqual([path, 200])
      const text = await response.text()
      expect(text).not.toMatch(/https?:\/\//)
      for (const [, name] of text.matchAll(/from "\.\/([\w.]+)"/g)) seen.add(`/graphql/explorer/${name}`)
      const etag = response.headers.get("etag") ?? ""
      expect((await fetch(gateway.url + path, { headers: { "If-None-Match": etag } })).status).toBe(304)
    }
    expect(seen.size).toBeGreaterThan(5)
  })

  test("that do not exist are not found", async () => {
    expect((await fetch(`${gateway.url}/graphql/explorer/nothing.js`)).status).toBe(404)
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
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
    page.on("pageerror", (error) => complaints.push(error.message))
    page.on("request", (request) => request.url().startsWith(gateway.url) || complaints.push(request.url()))
    await page.goto(`${gateway.url}/graphql`)
    await page.waitForSelector("body[data-ready]")
  })
  afterAll(() => browser.close())

  const operation = () => page.getByRole("textbox", { name: "Operation" })
  const output = () => page.locator("#output")

  test("runs an operation by keyboard and shows data and cost", async () => {
    await operation().fill("{ persons(first: 2) { totalCount nodes { id name } } }")
    await operation().press("Control+Enter")
    await page.getByText("Done (200)").waitFor()
    expect(await output().textContent()).toContain('"name": "Żółć 2"')
    expect(await page.locator("#cost").textContent()).toMatch(/cost [\d.]+ of 10000/)
  })

  test("shows what is wrong with an operation", async () => {
    await operation().fill("{ nothing }")
    await page.getByRole("button", { name: "Run" }).click()
    await page.getByText("1 error (400)").waitFor()
    expect(await output().textContent()).toContain("GRAPHQL_VALIDATION_FAILED")
  })

  test("follows a subscription live until it is stopped", async () => {
    await operation().fill('subscription { queryStatus(id: "watched") { complete } }')
    await operation().press("Control+Enter")
    const publishing = setInterval(() => sampleEvents.publish("watched", { complete: true }), 20)
    await page.getByText(/[2-9] events, listening/).waitFor()
    clearInterval(publishing)
    expect(await output().textContent()).toContain('"complete": true')
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByText(/Stopped after/).waitFor()
  })

  /** Has the server echo a value as if it were an answer; the text of the picture once the expected part is in it. */
  const drawn = async (answer: object, expected: string): Promise<string> => {
    await operation().fill("query Echo($a: JSON) { f(a: $a) }")
    await page.getByRole("textbox", { name: "Variables" }).fill(JSON.stringify({ a: answer }))
    await operation().press("Control+Enter")
    await page.locator("#picture").getByText(expected).first().waitFor({ state: "attached" })
    return (await page.locator("#picture").textContent()) ?? ""
  }
  const stylesOf = (selector: string) =>
    page.locator(`#picture ${selector}`).evaluateAll((all) => all.map((one) => one.getAttribute("style")))

  test("draws rows as a table whose numbers can be compared, and gives their JSON on request", async () => {
    const rows = [
      ["signed up", 4],
      ["<b>paid</b>", 1],
    ]
    const text = await drawn({ columns: ["event", "people"], results: rows }, "signed up")
    expect(text).toBe("eventpeoplesigned up4<b>paid</b>1")
    expect(await stylesOf("td.number")).toEqual(["--share: 100%;", "--share: 25%;"])
    await page.locator("#view-json").click()
    expect([await output().isVisible(), await page.locator("#picture").isVisible()]).toEqual([true, false])
    await page.getByRole("button", { name: "Picture" }).click()
    expect(await page.locator("#picture").isVisible()).toBe(true)
  })

  test("draws a trend as a line for each series, every point with its value", async () => {
    const days = ["2026-11-20", "2026-11-21"]
    const results = [
      { label: "paid", days, data: [2, 4], count: 6 },
      { label: "left", days, data: [0, 1], count: 1 },
    ]
    const text = await drawn({ results }, "paid: 6")
    expect(text).toContain("paid, 2026-11-21: 4")
    const lines = await page
      .locator("#picture polyline")
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

  test("shows how far a running query has come, and text alone where nothing can be drawn", async () => {
    await drawn({ state: "RUNNING", progress: { percentage: 40, rowsRead: 12000 } }, "12,000 rows read")
    expect(await page.getByRole("progressbar").getAttribute("max")).toBe("100")
    expect(await page.locator("#picture progress").evaluate((bar: { value?: number }) => bar.value)).toBe(40)
    await operation().fill("{ __typename }")
    await operation().press("Control+Enter")
    await page.locator("#output").getByText("__typename").waitFor()
    expect(await page.getByRole("button", { name: "Picture" }).isVisible()).toBe(false)
  })

  test("completes field names from the schema", async () => {
    await operation().fill("{ ")
    await operation().press("End")
    await operation().pressSequentially("firstP")
    await page.getByRole("option", { name: "firstPerson" }).waitFor()
    await operation().press("Enter")
    expect(await operation().inputValue()).toBe("{ firstPerson")
  })

  test("browses the schema, finds by description and writes an operation for a field", async () => {
    await page.getByRole("button", { name: "PersonConnection!" }).first().click()
    await page.getByRole("heading", { name: "PersonConnection" }).waitFor()
    await page.getByRole("searchbox").fill("fails as")
    await page.getByRole("button", { name: "Query.fails" }).click()
    await page.getByRole("button", { name: "Write an operation with fails" }).click()
    expect(await operation().inputValue()).toContain("query Fails($how: String!)")
    expect(await page.getByRole("textbox", { name: "Variables" }).inputValue()).toContain('"how"')
  })

  test("sends the key it is given and keeps it for the session only", async () => {
    await page.getByLabel("Personal API key").fill(GOOD_KEY)
    await page.getByLabel("Personal API key").press("Enter")
    await operation().fill('mutation { createPlaylist(input: { name: "x" }) { id } }')
    await operation().press("Control+Enter")
    await page.getByText("Done (200)").waitFor()
    expect(await page.evaluate("sessionStorage.getItem('waymark.key')")).toBe(GOOD_KEY)
    expect(await page.evaluate("localStorage.getItem('waymark.key')")).toBeNull()
  })

  test("fits a telephone, and brings the answer to whoever asked for it", async () => {
    await page.setViewportSize({ width: 400, height: 800 })
    await page.evaluate("scrollTo(0, 0)")
    await operation().fill("{ persons(first: 1) { totalCount } }")
    await page.getByRole("button", { name: "Run" }).click()
    await page.getByText("Done (200)").waitFor()
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400)
    expect((await page.getByText("Done (200)").boundingBox())?.y).toBeLessThan(400)
    await page.setViewportSize({ width: 1440, height: 860 })
  })

  test("loads nothing from elsewhere and complains of nothing", () => {
    // The browser itself reports the 400 of the operation that was wrong on purpose.
    expect(complaints.filter((text) => !text.includes("400 (Bad Request)"))).toEqual([])
  })
}
