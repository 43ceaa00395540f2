import { beforeAll, expect, test } from "@jest/globals"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"
import { PROJECT_KEY } from "../../support/waymark-process.js"

const PATH = "/project/@current/groups"
const TABS = ["Properties", "Events", "Persons", "Flags"] as const

/** The lists of groups by type, and the page of one. */
export function testGroups({ api, open }: ConsolePages): void {
  beforeAll(async () => {
    const describe = (type: string, key: string, set: object) =>
      api.capture({
        event: "$groupidentify",
        distinct_id: "hedy",
        properties: { $group_type: type, $group_key: key, $group_set: set },
      })
    await describe("company", "acme/1", { name: "<b>Acme</b>", plan: "team" })
    await describe("company", "globex", {})
    await describe("workspace", "attic", {})
    await api.capture({ event: "hopped", distinct_id: "hedy", properties: { $groups: { company: "acme/1" } } })
    await api.drained()
    await api.changed(
      `mutation ($input: CreateFeatureFlagInput!) {
        createFeatureFlag(input: $input) { featureFlag { id } userErrors { message } } }`,
      {
        input: {
          key: "for-companies",
          name: "",
          filters: { groupTypeIndex: 0, conditions: [{ properties: [], rolloutPercentage: 100 }] },
        },
      },
    )
  })

  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await page.getByRole("link", { name: "<b>Acme</b>" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.getByRole("link", { name: "<b>Acme</b>" }).click()
      for (const name of TABS) {
        await page.getByRole("tab", { name }).click()
        await page.getByRole("tabpanel", { name }).waitFor()
        await page.getByLabel("Loading").waitFor({ state: "detached" })
        expect(await findBarriers(page)).toEqual([])
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      }
      await page.close()
    }
  })

  test("are listed by type and found by name or key, which the address has", async () => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "globex" }).waitFor()
    await page.getByLabel("Search").fill("acme")
    await page.getByRole("link", { name: "globex" }).waitFor({ state: "detached" })
    await page.getByRole("link", { name: "<b>Acme</b>" }).waitFor()
    expect(new URL(page.url()).searchParams.get("search")).toBe("acme")
    await page.getByRole("radio", { name: "workspace" }).focus()
    await page.keyboard.press("Space")
    await page.getByRole("link", { name: "attic" }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`${PATH}/workspace`)
    await page.goto(`${api.url}${PATH}/planet`)
    await page.getByRole("heading", { name: "There is no such type" }).waitFor()
    await page.close()
  })

  test("have pages of fifty, which the address has", async () => {
    const batch = Array.from({ length: 51 }, (_, seat) => ({
      event: "$groupidentify",
      distinct_id: "hedy",
      properties: { $group_type: "seat", $group_key: `seat ${seat}`, $group_set: {} },
    }))
    await api.post("/batch", { api_key: PROJECT_KEY, batch })
    await api.drained()
    const page = await open(`${PATH}/seat`)
    await page.getByRole("row").nth(50).waitFor()
    await page.getByRole("button", { name: "Next page" }).press("Enter")
    await page.getByRole("row").nth(2).waitFor({ state: "detached" })
    await page.reload()
    await page.getByRole("link", { name: /^seat \d+$/ }).waitFor()
    await page.getByRole("button", { name: "First page" }).press("Enter")
    await page.getByRole("row").nth(50).waitFor()
    await page.close()
  })

  test("have a page by keyboard: properties, events, whom they lead to, and flags with the reason", async () => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "<b>Acme</b>" }).press("Enter")
    await page.getByRole("heading", { name: "<b>Acme</b>" }).waitFor()
    await page.getByRole("tab", { name: "Properties" }).press("ArrowRight")
    await page.getByRole("cell", { name: "hopped" }).waitFor()
    expect(new URL(page.url()).searchParams.get("tab")).toBe("events")
    await page.getByRole("tab", { name: "Events" }).press("End")
    await page.keyboard.press("Enter")
    const decided = page.getByRole("row").filter({ hasText: "for-companies" })
    await decided.getByRole("cell", { name: "on", exact: true }).waitFor()
    await decided.getByRole("cell", { name: "Matched condition set 1" }).waitFor()
    expect(await page.getByRole("link", { name: "for-everybody" }).count()).toBe(0)
    await page.getByRole("tab", { name: "Persons" }).click()
    await page.getByRole("link", { name: "hedy" }).press("Enter")
    await page.getByRole("tab", { name: "Groups" }).click()
    await page.getByRole("link", { name: "<b>Acme</b>" }).press("Enter")
    await page.getByRole("heading", { name: "<b>Acme</b>" }).waitFor()
    await page.close()
  })
}
