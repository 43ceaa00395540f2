import { beforeAll, expect, test } from "@jest/globals"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"

const PATH = "/project/@current/persons"
const TABS = ["Properties", "Events", "Recordings", "Groups", "Cohorts", "Flags"] as const

/** The list of persons, the page of one, and the deletion of one. */
export function testPersons({ api, open }: ConsolePages): void {
  beforeAll(async () => {
    await api.changed(
      `mutation ($input: CreateFeatureFlagInput!) {
        createFeatureFlag(input: $input) { featureFlag { id } userErrors { message } } }`,
      {
        input: {
          key: "for-everybody",
          name: "",
          filters: { conditions: [{ properties: [], rolloutPercentage: 100 }] },
        },
      },
    )
    const properties = { $set: { email: "grace@example.test", name: "<b>Grace</b>" } }
    for (const distinct_id of ["grace", "linus"]) {
      await api.capture({ event: "compiled", distinct_id, properties: distinct_id === "grace" ? properties : {} })
    }
    await api.drained()
  })

  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await page.getByRole("link", { name: "grace@example.test" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.getByRole("link", { name: "grace@example.test" }).click()
      for (const name of TABS) {
        await page.getByRole("tab", { name }).click()
        await page.getByRole("tabpanel", { name }).waitFor()
        await page.getByLabel("Loading").waitFor({ state: "detached" })
        expect(await findBarriers(page)).toEqual([])
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      }
      await page.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("button", { name: "Delete for good" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      await page.close()
    }
  })

  test.each(["grac", "GRACE@example.test"])("are found by %s, which the address has", async (text) => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "linus" }).waitFor()
    await page.getByLabel("Search").fill(text)
    await page.getByRole("link", { name: "linus" }).waitFor({ state: "detached" })
    await page.getByRole("link", { name: "grace@example.test" }).waitFor()
    expect(new URL(page.url()).searchParams.get("search")).toBe(text)
    await page.getByLabel("Search").fill("nobody is called this")
    await page.getByRole("heading", { name: "Nobody was found" }).waitFor()
    await page.close()
  })

  test("are found by their properties, which the address has", async () => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "linus" }).waitFor()
    await page.getByRole("button", { name: "Add filter" }).click()
    await page.getByLabel("Property", { exact: true }).first().fill("email")
    await page.getByLabel("Operator").selectOption("ICONTAINS")
    await page.getByLabel("Value").fill("GRACE")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByRole("link", { name: "linus" }).waitFor({ state: "detached" })
    await page.reload()
    await page.getByRole("link", { name: "grace@example.test" }).waitFor()
    await page.getByRole("button", { name: "Remove: email contains GRACE" }).press("Enter")
    await page.getByRole("link", { name: "linus" }).waitFor()
    await page.close()
  })

  test("are split into those that were merged, whose events go with them", async () => {
    await api.capture({ event: "merged", distinct_id: "hopper-before" })
    await api.capture({
      event: "$identify",
      distinct_id: "hopper",
      properties: { $anon_distinct_id: "hopper-before", $set: { rank: "admiral" } },
    })
    await api.drained()
    const page = await open(`${PATH}?search=hopper`)
    await page.getByRole("cell", { name: "and 1 more" }).waitFor()
    await page.getByRole("link", { name: "hopper" }).click()
    await page.getByRole("button", { name: "Split" }).click()
    await page.getByLabel("Distinct id that stays").selectOption("hopper")
    await page.getByText("The other id gets a new person without properties.").waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole("dialog").getByRole("button", { name: "Split" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("rowheader", { name: "rank" }).waitFor()
    await page.getByRole("button", { name: "Split" }).waitFor({ state: "detached" })
    await page.goto(`${api.url}${PATH}?search=hopper-before`)
    await page.getByRole("link", { name: "hopper-before" }).click()
    await page.getByRole("tab", { name: "Events" }).click()
    await page.getByRole("cell", { name: "merged" }).waitFor()
    await page.close()
  })

  test("have a page by keyboard: properties as text, events, and flags with the reason", async () => {
    const page = await open(`${PATH}?search=grace`)
    await page.getByRole("link", { name: "grace@example.test" }).press("Enter")
    await page.getByText("<b>Grace</b>", { exact: true }).waitFor()
    await page.getByRole("tab", { name: "Properties" }).press("ArrowRight")
    await page.getByRole("cell", { name: "compiled" }).waitFor()
    expect(new URL(page.url()).searchParams.get("tab")).toBe("events")
    await page.getByRole("tab", { name: "Events" }).press("End")
    await page.keyboard.press("Enter")
    const decided = page.getByRole("row").filter({ hasText: "for-everybody" })
    await decided.getByRole("cell", { name: "on", exact: true }).waitFor()
    await decided.getByRole("cell", { name: "Matched condition set 1" }).waitFor()
    await page.close()
  })

  test("are deleted for good, with their events if that is asked for", async () => {
    const page = await open(`${PATH}?search=linus`)
    await page.getByRole("link", { name: "linus" }).click()
    await page.getByRole("heading", { name: "linus" }).waitFor()
    const address = page.url()
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByLabel("All events of the person too").check()
    await page.getByRole("button", { name: "Delete for good" }).click()
    await page.getByRole("heading", { name: "Persons" }).waitFor()
    await page.getByRole("link", { name: "grace@example.test" }).waitFor()
    await page.getByRole("link", { name: "linus" }).waitFor({ state: "detached" })
    await page.goto(address)
    await page.getByRole("heading", { name: "There is no such person" }).waitFor()
    await page.close()
  })
}
