import { beforeAll, expect, test } from "@jest/globals"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"

const PATH = "/project/@current/flags"

/** The list of flags, the page of one, and why it is on or off for somebody. */
export function testFlags({ api, open }: ConsolePages): void {
  beforeAll(async () => {
    const properties = [{ person: { key: "plan", operator: "EXACT", value: "team" } }]
    const create = `mutation ($input: CreateFeatureFlagInput!) {
        createFeatureFlag(input: $input) { featureFlag { id } userErrors { message } } }`
    const filters = { conditions: [{ properties, rolloutPercentage: 100 }] }
    await api.changed(create, { input: { key: "new-checkout", name: "Shorter checkout", filters } })
  })

  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await page.getByRole("link", { name: "new-checkout" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      for (const tab of ["Who gets it", "Try it", "History"]) {
        await page.goto(`${api.url}${PATH}/new-checkout`)
        await page.getByRole("tab", { name: tab }).click()
        await page.getByRole("tabpanel", { name: tab }).waitFor()
        expect(await findBarriers(page)).toEqual([])
      }
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.close()
    }
  })

  test("say why one is off for a person, and are mended by keyboard alone", async () => {
    const page = await open(`${PATH}/new-checkout?tab=test`)
    await page.getByLabel("Distinct id").fill("grace")
    await page.keyboard.press("Tab")
    await page.keyboard.insertText('{"plan": "solo"}')
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.getByText("Does not fit.").waitFor()
    await page.getByText("plan is team — has solo").waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ tab: "test", person: "grace" })

    await page.getByRole("tab", { name: "Try it" }).press("ArrowLeft")
    const value = page.getByLabel("Condition 1, property 1, value")
    await value.focus()
    await page.keyboard.press("Control+A")
    await page.keyboard.insertText("team, solo")
    await page.getByRole("button", { name: "Save" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" })

    await page.getByRole("tab", { name: "Who gets it" }).press("ArrowRight")
    await page.getByText("Fits, and is in the share.").waitFor()
    await page.getByRole("tab", { name: "History" }).click()
    await page.getByRole("cell", { name: "updated" }).waitFor()
    await page.close()
  })

  test("are switched off in the list, and made by name", async () => {
    const page = await open(PATH)
    const change = page.getByRole("switch", { name: "new-checkout is on" })
    await change.focus()
    await page.keyboard.press("Space")
    await page.getByRole("switch", { name: "new-checkout is on", checked: false }).waitFor()
    await page.getByRole("button", { name: "New flag" }).click()
    await page.getByLabel("Key").fill("new-checkout")
    await page.getByRole("button", { name: "Make the flag" }).click()
    await page.getByRole("alert").waitFor()
    await page.getByLabel("Key").fill("beta")
    await page.getByRole("button", { name: "Make the flag" }).click()
    await page.waitForURL("**/flags/beta")
    await page.getByText("Off for everybody").waitFor()
    await page.close()
  })
}
