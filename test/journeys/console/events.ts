import { expect, test } from "@jest/globals"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"

const PATH = "/project/@current/events"

/** The screen of stored events. */
export function testEvents({ open }: ConsolePages): void {
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
    const page = await open(PATH)
    await page.getByRole("cell", { name: "paid" }).waitFor()
    await page.getByLabel("Event", { exact: true }).fill("signed up")
    await page.getByRole("cell", { name: "paid" }).waitFor({ state: "detached" })
    expect(new URL(page.url()).searchParams.get("event")).toBe("signed up")
    await page.getByRole("button", { name: "Open the row" }).click()
    await page.getByText("<img src=x onerror=alert(1)>").waitFor()
    await page.getByLabel("Event", { exact: true }).fill("nobody sent this")
    await page.getByRole("heading", { name: "No events" }).waitFor()
    await page.close()
  })
}
