import { expect, test } from "@jest/globals"
import type { Page } from "playwright-core"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"

const PATH = "/project/@current/insights/new"

/** Chooses a name in a select by typing a part of it. */
async function choose(page: Page, label: string, typed: string, name: string): Promise<void> {
  const field = page.getByRole("combobox", { name: label, exact: true })
  await field.click()
  await field.fill(typed)
  await page.getByRole("option", { name }).first().click()
}

/** Questions beside their answers. */
export function testInsights({ open }: ConsolePages): void {
  test.each(["light", "dark"] as const)("has no barriers in the %s theme, and fits a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await page.getByRole("img", { name: "Line chart" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.close()
    }
  })

  test("asks anew with each change, keeps the question in the address, and leads to the persons behind a point", async () => {
    const page = await open(PATH)
    await choose(page, "Event A", "sign", "signed up")
    const answer = page.getByRole("region", { name: "Answer" })
    await answer.getByRole("listitem").filter({ hasText: "signed up: 1" }).waitFor()
    await page.getByRole("button", { name: "Filter this event" }).click()
    await choose(page, "Property of the filter", "pl", "plan")
    await page.getByRole("combobox", { name: "Value" }).click()
    await page.getByRole("option", { name: "team" }).click()
    await page.waitForURL((url) => url.search.includes("team"))
    await page.reload()
    await answer.getByRole("listitem").filter({ hasText: "signed up: 1" }).waitFor()
    await answer.getByRole("region", { name: "Values" }).getByRole("button", { name: "1", exact: true }).click()
    await page.getByRole("dialog").getByRole("cell", { name: "ada" }).first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.close()
  })

  test("shows a funnel with those who left, and says the question as HogQL and for the explorer", async () => {
    const page = await open(PATH)
    await page.getByText("Funnel", { exact: true }).click()
    await choose(page, "Event 1", "signed", "signed up")
    await choose(page, "Event 2", "paid", "paid")
    const answer = page.getByRole("region", { name: "Answer" })
    await answer.getByText("paid", { exact: true }).waitFor()
    expect(await answer.getByRole("button", { name: "1 (100 %)" }).count()).toBe(2)
    await page.getByRole("button", { name: "As a query" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText(/^SELECT/).waitFor()
    await dialog.getByRole("tab", { name: "GraphQL" }).click()
    await dialog.getByRole("link", { name: "Open in the explorer" }).click()
    await page.locator(".graphiql-query-editor").getByText("ResultParts").first().waitFor()
    await page.close()
  })

  test("is saved under a name, found in the list, changed, deleted and restored", async () => {
    const page = await open(
      `${PATH}?kind=funnel&series=${encodeURIComponent('[{"event":"signed up"},{"event":"paid"}]')}`,
    )
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("Who pays")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "Who pays" }).waitFor()
    expect(await page.getByRole("combobox", { name: "Event 2" }).inputValue()).toBe("paid")
    await page.getByLabel("Days from the first step").fill("3")
    await page.waitForURL((url) => url.search.includes("edited"))
    await page.getByRole("button", { name: "Save" }).click()
    await page.waitForURL((url) => url.search === "")
    await page.getByRole("button", { name: "Favourite" }).click()
    await page.getByRole("link", { name: "Insights" }).click()
    await page.getByText("Favourites", { exact: true }).click()
    await page.getByRole("link", { name: "Who pays" }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole("link", { name: "Who pays" }).click()
    expect(await page.getByLabel("Days from the first step").inputValue()).toBe("3")
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByRole("button", { name: "Restore" }).click()
    await page.getByText("This insight is deleted").waitFor({ state: "detached" })
    await page.close()
  })

  test.each(["Retention", "Paths", "Stickiness", "Lifecycle", "Web overview"])(
    "answers a question about %s without barriers",
    async (kind) => {
      const page = await open(PATH, { width: 390 })
      await page.getByText(kind, { exact: true }).click()
      await page.getByRole("region", { name: "Answer" }).and(page.locator("[aria-busy=false]")).waitFor()
      await page.locator(".picture > *").first().waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390)
      await page.close()
    },
  )
}
