import { readFileSync } from "node:fs"
import { expect, test } from "@jest/globals"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"
import { PROJECT_KEY } from "../../support/waymark-process.js"

const PATH = "/project/@current/events"

/** The screen of stored events. */
export function testEvents({ api, open }: ConsolePages): void {
  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await page.getByRole("button", { name: "Open the row" }).first().click()
      await page.getByRole("rowheader").first().waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.close()
    }
  })

  test("are filtered by name in the address, and show what was sent as text", async () => {
    await api.capture({ event: "noted", distinct_id: "ada", properties: { note: "<img src=x onerror=alert(1)>" } })
    await api.drained()
    const page = await open(`${PATH}?event=paid`)
    await page.getByRole("cell", { name: "paid" }).first().waitFor()
    await page.getByLabel("Event", { exact: true }).fill("noted")
    await page.getByRole("cell", { name: "paid" }).first().waitFor({ state: "detached" })
    expect(new URL(page.url()).searchParams.get("event")).toBe("noted")
    await page.getByRole("button", { name: "Open the row" }).click()
    await page.getByText("<img src=x onerror=alert(1)>").waitFor()
    await page.getByLabel("Event", { exact: true }).fill("nobody sent this")
    await page.getByRole("heading", { name: "No events" }).waitFor()
    await page.close()
  })

  test("have the columns, the conditions and the period of the address", async () => {
    const columns = JSON.stringify(["amount"])
    const where = JSON.stringify([{ key: "amount", operator: "GT", value: "11" }])
    const page = await open(`${PATH}?${new URLSearchParams({ columns, where, after: "-24h" })}`)
    await page.getByRole("cell", { name: "12", exact: true }).waitFor()
    expect(await page.getByLabel("Period").inputValue()).toBe("-24h")
    await page.getByRole("button", { name: "Remove: amount is more than 11" }).click()
    await page.getByRole("cell", { name: "not set" }).first().waitFor()
    expect(new URL(page.url()).searchParams.get("where")).toBeNull()
    await page.close()
  })

  test("are paged beyond the last event, also where many have the same time", async () => {
    const timestamp = new Date().toISOString()
    const batch = Array.from({ length: 60 }, (_, step) => ({
      event: "at once",
      timestamp,
      properties: { distinct_id: `visitor ${step}` },
    }))
    await api.post("/batch/", { api_key: PROJECT_KEY, batch })
    await api.drained()
    const page = await open(`${PATH}?event=at+once`)
    const visitors = async () => {
      const cells = page.getByRole("cell", { name: /^visitor/ })
      await cells.first().waitFor()
      return cells.allTextContents()
    }
    const first = await visitors()
    expect(first.length).toBe(50)
    await page.getByRole("link", { name: "Older" }).click()
    await page.getByRole("cell", { name: first[0] ?? "", exact: true }).waitFor({ state: "detached" })
    const second = await visitors()
    expect(new Set([...first, ...second]).size).toBe(60)
    expect(second.length).toBe(10)
    await page.getByRole("button", { name: "Newest" }).click()
    await page.getByRole("cell", { name: first[0] ?? "", exact: true }).waitFor()
    await page.close()
  })

  test("are exported as they are filtered", async () => {
    const page = await open(`${PATH}?event=noted`)
    await page.getByRole("cell", { name: "noted" }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page
        .getByRole("button", { name: "Export" })
        .click()
        .then(() => page.getByRole("menuitem", { name: "CSV" }).click()),
    ])
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\n")
    expect(lines[0]).toBe("uuid,event,distinct_id,timestamp,properties\r")
    expect(lines.length).toBe(2)
    expect(lines[1]).toContain(",noted,ada,")
    await page.close()
  })
}
