import { beforeAll, expect, test } from "@jest/globals"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"

const PATH = "/project/@current/cohorts"

/** The list of cohorts, and the page of one. */
export function testCohorts({ api, open }: ConsolePages): void {
  beforeAll(async () => {
    await api.capture({ event: "compiled", distinct_id: "margaret" })
    await api.drained()
    const make = (input: object) =>
      api.changed<{ createCohort: { number: number } }>(
        `mutation ($input: CreateCohortInput!) {
          createCohort(input: $input) { cohort { number } userErrors { message } } }`,
        { input },
      )
    const { createCohort } = await make({ name: "Engineers", isStatic: true, distinctIds: ["margaret"] })
    await make({ name: "Nobody yet", isStatic: true })
    const properties = [{ cohort: { id: createCohort.number } }]
    await api.changed(
      `mutation ($input: CreateFeatureFlagInput!) {
        createFeatureFlag(input: $input) { featureFlag { id } userErrors { message } } }`,
      { input: { key: "for-engineers", name: "", filters: { conditions: [{ properties, rolloutPercentage: 100 }] } } },
    )
  })

  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await page.getByRole("link", { name: "Engineers" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.getByRole("link", { name: "Engineers" }).click()
      await page.getByRole("link", { name: "margaret" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.close()
    }
  })

  test("are found by name, say whom they hold and what asks for them, and lead to both", async () => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "Nobody yet" }).waitFor()
    await page.getByLabel("Search").fill("engin")
    await page.getByRole("link", { name: "Nobody yet" }).waitFor({ state: "detached" })
    expect(new URL(page.url()).searchParams.get("search")).toBe("engin")
    await page.getByRole("link", { name: "Engineers" }).press("Enter")
    await page.getByText("Members: 1, listed").waitFor()
    await page.getByRole("link", { name: "for-engineers" }).waitFor()
    await page.getByRole("link", { name: "margaret" }).press("Enter")
    await page.getByRole("tab", { name: "Cohorts" }).click()
    await page.getByRole("link", { name: "Engineers" }).waitFor()
    await page.close()
  })
}
