import { readFileSync } from "node:fs"
import { expect, test } from "@jest/globals"
import type { Page } from "playwright-core"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"

const PATH = "/project/@current/hogql"
/** Counts for minutes, so that it can be stopped. */
const LONG = "SELECT sum(cityHash64(number)) FROM numbers(100000000000)"

/** Puts a text in the place of what is written, as pasting would. */
async function write(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "HogQL" }).click()
  await page.keyboard.press("Control+A")
  await page.keyboard.insertText(text)
}

const written = async (page: Page): Promise<string> =>
  (await page.getByRole("textbox", { name: "HogQL" }).locator(".cm-line").allTextContents()).join("\n")

async function run(page: Page, text: string): Promise<void> {
  await write(page, text)
  await page.keyboard.press("Control+Enter")
}

/** Questions in HogQL. */
export function testHogql({ open }: ConsolePages): void {
  test.each(["light", "dark"] as const)("has no barriers in the %s theme, and fits a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await run(page, "SELECT event, count() AS times, nope FROM events GROUP BY event")
      await page.getByRole("alert").getByText("Unable to resolve field: nope").waitFor()
      await page.locator(".cm-lintRange-error").waitFor()
      expect(await findBarriers(page)).toEqual([])
      await run(page, "SELECT event, count() AS times FROM events GROUP BY event")
      await page.getByRole("cell", { name: "signed up" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      await page.getByText("Bars", { exact: true }).click()
      await page.getByRole("img", { name: "Chart: times" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.close()
    }
  })

  test("is written, completed, corrected and run by keyboard alone", async () => {
    const page = await open(PATH)
    const editor = page.getByRole("textbox", { name: "HogQL" })
    await page.getByRole("group", { name: "Tables" }).getByText("system.cohorts").waitFor()
    await editor.focus()
    await page.keyboard.type("SELECT eve")
    await page.getByRole("option").filter({ hasText: "eventstring" }).waitFor()
    await page.keyboard.press("Escape")
    await page.keyboard.type("nt, properties.pl")
    await page.getByRole("option").filter({ hasText: "plan" }).waitFor()
    await page.keyboard.press("Escape")
    await page.keyboard.type("an FROM evens WHERE event = 'signed up'")
    await page.getByText("Line 1: Unknown table").waitFor()
    expect(await page.locator(".cm-lintRange-error").textContent()).toBe("evens")
    await page.keyboard.press("Control+A")
    await page.keyboard.insertText("SELECT event, properties.plan FROM events WHERE event = 'signed up'")
    await page.keyboard.press("Control+Enter")
    await page.getByRole("cell", { name: "team" }).waitFor()
    // Tab leads on, through what is beside the editor.
    await page.keyboard.press("Tab")
    expect(await editor.evaluate((element) => element.matches(":focus-within"))).toBe(false)
    await page.close()
  })

  test("keeps what is written over a reload, and has what ran in the address", async () => {
    const page = await open(PATH)
    await run(page, "SELECT 41 + 1 AS answer")
    await page.getByRole("cell", { name: "42" }).waitFor()
    expect(new URL(page.url()).searchParams.get("query")).toBe("SELECT 41 + 1 AS answer")
    await write(page, "SELECT 'a draft'")
    await page.reload()
    await page.locator(".cm-line").getByText("a draft").waitFor()
    const other = await open(`${PATH}?query=SELECT+7`)
    await other.locator(".cm-line").getByText("7").waitFor()
    expect(await written(other)).toBe("SELECT 7")
    await other.close()
    await page.getByRole("button", { name: "History" }).click()
    await page.getByRole("dialog").getByText("SELECT 41 + 1 AS answer").click()
    await page.locator(".cm-line").getByText("answer").waitFor()
    expect(await written(page)).toBe("SELECT 41 + 1 AS answer")
    await page.close()
  })

  test("runs what is selected, with the values of its parameters", async () => {
    const page = await open(PATH)
    await write(page, "SELECT event FROM events WHERE event = {name}\n\nSELECT nothing at all")
    await page.getByLabel("name", { exact: true }).fill("paid")
    await page.getByRole("textbox", { name: "HogQL" }).click()
    await page.keyboard.press("Control+Home")
    await page.keyboard.press("Shift+End")
    await page.keyboard.press("Control+Enter")
    await page.getByRole("cell", { name: "paid" }).first().waitFor()
    await page.close()
  })

  test("says how far a long query is, and stops it", async () => {
    const page = await open(PATH)
    await run(page, LONG)
    await page.getByText(/rows read/).waitFor()
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByText("Cancelled.").waitFor()
    await page.getByRole("button", { name: "Run" }).waitFor()
    await page.close()
  })

  test("shows 10,000 rows of which only those that are seen are in the page", async () => {
    const page = await open(PATH)
    await run(page, "SELECT number, concat('row ', toString(number)) AS name FROM numbers(10000) LIMIT 10000")
    await page.getByText("10,000 rows in").waitFor()
    const rows = page.getByRole("region", { name: "Rows" })
    await rows.focus()
    await page.keyboard.press("End")
    await page.getByRole("cell", { name: "row 9999" }).waitFor()
    expect(await rows.getByRole("row").count()).toBeLessThan(100)
    await page.getByRole("button", { name: "Open row 10000" }).click()
    await page.getByRole("dialog").getByText("row 9999").waitFor()
    await page.close()
  })

  test("gives the rows as files, and is saved as an insight that leads back", async () => {
    const page = await open(PATH)
    await run(page, "SELECT event, 1 AS one FROM events WHERE event = 'paid' LIMIT 1")
    await page.getByRole("cell", { name: "paid" }).waitFor()
    const save = async (kind: string): Promise<Buffer> => {
      await page.getByRole("button", { name: "Export" }).click()
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: kind }).click(),
      ])
      return readFileSync(await download.path())
    }
    expect((await save("CSV")).toString()).toBe("event,one\r\npaid,1\r\n")
    expect(JSON.parse((await save("JSON lines")).toString())).toEqual({ event: "paid", one: 1 })
    expect((await save("Parquet")).subarray(0, 4).toString()).toBe("PAR1")
    await page.getByRole("button", { name: "Save as insight" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("One payment")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "One payment" }).waitFor()
    await page.getByRole("link", { name: "Go on in HogQL" }).click()
    await page.locator(".cm-line").getByText("'paid'").waitFor()
    await page.close()
  })
}
