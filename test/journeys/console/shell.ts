import { expect, test } from "@jest/globals"
import type { ConsolePages } from "../../support/console-pages.js"

/** Navigation, palette, theme and faults. */
export function testShell({ open }: ConsolePages): void {
  test("every screen is reached by keyboard alone", async () => {
    const page = await open("/")
    await page.getByRole("heading", { name: "Events" }).waitFor()
    await page.keyboard.press("Control+K")
    await page.getByPlaceholder("Go to…").last().waitFor()
    await page.keyboard.type("GraphQL")
    await page.keyboard.press("Enter")
    await page.waitForURL("**/project/@current/graphql")
    expect(await page.getByRole("link", { name: "GraphQL" }).getAttribute("aria-current")).toBe("page")
    await page.close()
  })

  test("the theme is that of the system until it is chosen, and stays chosen", async () => {
    const page = await open("/project/@current/events", { theme: "dark" })
    const theme = () => page.evaluate("document.documentElement.dataset.mantineColorScheme")
    await page.getByRole("button", { name: "Use the light theme" }).click()
    await page.getByRole("button", { name: "Use the dark theme" }).waitFor()
    await page.reload()
    await page.getByRole("button", { name: "Use the dark theme" }).waitFor()
    expect(await theme()).toBe("light")
    await page.close()
  })

  test("on a telephone the navigation unfolds, and folds when a screen is chosen", async () => {
    const page = await open("/project/@current/graphql", { width: 390 })
    const link = page.getByRole("link", { name: "Events" })
    expect(await link.isVisible()).toBe(false)
    await page.getByRole("button", { name: "Navigation", exact: true }).click()
    await link.click()
    await page.getByRole("heading", { name: "Events" }).waitFor()
    await link.waitFor({ state: "hidden" })
    await page.close()
  })

  test("a project and a page that there is not say so and leave a way on", async () => {
    const page = await open("/project/999/events")
    await page.getByRole("heading", { name: "There is no such project" }).waitFor()
    await page.goto(page.url().replace("/project/999/events", "/project/@current/nothing"))
    await page.getByRole("heading", { name: "There is no such page" }).waitFor()
    await page.close()
  })
}
