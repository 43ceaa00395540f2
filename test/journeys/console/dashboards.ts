import { expect, test } from "@jest/globals"
import type { Page } from "playwright-core"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"

const PATH = "/project/@current/dashboards"

/** Insights and texts beside each other. */
export function testDashboards({ api, open }: ConsolePages): void {
  const save = async (page: Page, name: string): Promise<void> => {
    await page.getByRole("dialog").getByLabel("Name").fill(name)
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name, level: 1 }).waitFor()
  }
  const tile = (page: Page, name: string) =>
    page.locator(".place").filter({ has: page.getByRole("heading", { name, level: 2 }) })
  /** Columns and rows of a tile. */
  const placeOf = (page: Page, name: string) => tile(page, name).getAttribute("style")

  test("are made, filled with insights and texts, arranged by keyboard, and live", async () => {
    const page = await open("/project/@current/insights/new?view=number")
    await page.getByRole("button", { name: "Save" }).click()
    await save(page, "Everything")
    await page.goto(`${api.url}${PATH}`)
    await page.getByRole("button", { name: "New dashboard" }).first().click()
    await save(page, "Overview")
    await page.getByRole("combobox", { name: "Add an insight" }).click()
    await page.getByRole("option", { name: "Everything" }).click()
    await tile(page, "Everything").getByText("2", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Add a text" }).click()
    await page
      .getByLabel("Text")
      .fill(
        "# Read <b>this</b> first\n\n[here](https://docs.test/a), [not](javascript:alert(1)) ![cup](https://x.test/)",
      )
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByRole("heading", { name: "Read <b>this</b> first" }).waitFor()
    expect(await page.locator(".markdown a").evaluateAll((links) => links.map((one) => one.outerHTML))).toEqual([
      '<a href="https://docs.test/a" class="link" target="_blank" rel="noopener noreferrer nofollow">here</a>',
    ])
    expect(await page.locator(".markdown img").count()).toBe(0)

    await page.getByRole("button", { name: "Change the layout" }).click()
    await page.getByRole("button", { name: "Move the tile" }).first().press("ArrowRight")
    await page.getByRole("button", { name: "Resize the tile" }).first().press("ArrowDown")
    await page.getByRole("button", { name: "Keep the layout" }).click()
    await page.getByRole("button", { name: "Change the layout" }).waitFor()
    await page.reload()
    await tile(page, "Everything").waitFor()
    expect(await placeOf(page, "Everything")).toBe("grid-area: 1 / 2 / span 5 / span 6;")

    await tile(page, "Everything").getByText("2", { exact: true }).waitFor()
    await api.capture({ event: "signed up", distinct_id: "bob" })
    await tile(page, "Everything").getByText("3", { exact: true }).waitFor()
    await page.close()
  })

  test("have no barriers in either theme, and fit a telephone", async () => {
    for (const theme of ["light", "dark"] as const) {
      for (const width of [1280, 390]) {
        const page = await open(PATH, { theme, width })
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
        await page.getByRole("link", { name: "Overview" }).click()
        await tile(page, "Everything").getByText("3", { exact: true }).waitFor()
        expect(await findBarriers(page)).toEqual([])
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
        await page.close()
      }
    }
  })

  test("are arranged by dragging, and fill the whole screen", async () => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "Overview" }).click()
    await page.getByRole("button", { name: "Change the layout" }).click()
    const handle = tile(page, "Everything").getByRole("button", { name: /^Move the tile/ })
    const [box, width] = await Promise.all([
      handle.boundingBox(),
      page.locator(".tiles").evaluate(({ clientWidth }) => clientWidth),
    ])
    const { x = 0, y = 0 } = box ?? {}
    await page.mouse.move(x + 5, y + 5)
    await page.mouse.down()
    await page.mouse.move(x + 5 + (width / 12) * 4, y + 5, { steps: 8 })
    await page.mouse.up()
    await page.getByRole("button", { name: "Keep the layout" }).click()
    await page.getByRole("button", { name: "Change the layout" }).waitFor()
    await page.reload()
    await tile(page, "Everything").waitFor()
    expect(await placeOf(page, "Everything")).toBe("grid-area: 1 / 6 / span 5 / span 6;")
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Whole screen" }).click()
    await page.waitForFunction("document.fullscreenElement !== null")
    expect(await page.evaluate("document.fullscreenElement.textContent")).toContain("Everything")
    await page.close()
  })

  test("have one range of dates and one set of filters over all tiles", async () => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "Overview" }).click()
    await page.getByRole("button", { name: "Filter", exact: true }).click()
    await page.getByRole("button", { name: "Filter all tiles" }).click()
    await page.getByRole("combobox", { name: "Property of the filter", exact: true }).click()
    await page.getByRole("option", { name: "plan" }).click()
    await page.getByRole("combobox", { name: "Value" }).click()
    await page.getByRole("option", { name: "team" }).click()
    await page.getByRole("button", { name: "Apply" }).click()
    await tile(page, "Everything").getByText("1", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Filters (1)" }).waitFor()
    await page.close()
  })

  test("are shared by a link that needs no sign-in, until it is revoked", async () => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "Overview" }).click()
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Share" }).click()
    await page.getByLabel("For whom").fill("the board")
    await page.getByRole("button", { name: "Make a link" }).click()
    await page.getByRole("cell", { name: "the board" }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const link = new URL(await page.getByLabel("Link, shown this once").inputValue())

    const stranger = await open(link.pathname, { isAnonymous: true, width: 390 })
    await stranger.getByRole("heading", { name: "Overview" }).waitFor()
    await tile(stranger, "Everything").getByText("All events").waitFor()
    expect(await findBarriers(stranger)).toEqual([])
    expect(await stranger.evaluate("document.documentElement.scrollWidth")).toBe(390)
    await page.getByRole("button", { name: "Revoke" }).click()
    await page.getByRole("cell", { name: "the board" }).waitFor({ state: "detached" })
    await stranger.reload()
    await stranger.getByRole("heading", { name: "This link leads nowhere" }).waitFor()
    await stranger.close()
    await page.close()
  })

  test("take an insight from its own page, and are deleted and restored", async () => {
    const page = await open("/project/@current/insights?search=Everything")
    await page.getByRole("link", { name: "Everything" }).click()
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Add to a dashboard" }).click()
    await page.getByRole("combobox", { name: "Dashboard" }).click()
    await page.getByRole("option", { name: "Overview" }).click()
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByRole("link", { name: "open the dashboard" }).click()
    await tile(page, "Everything").nth(1).waitFor()
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByRole("button", { name: "Restore" }).click()
    await page.getByText("This dashboard is deleted").waitFor({ state: "detached" })
    await page.close()
  })
}
