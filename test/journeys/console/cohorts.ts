import { beforeAll, expect, test } from "@jest/globals"
import { type ConsolePages, choose, findBarriers } from "../../support/console-pages.js"

const PATH = "/project/@current/cohorts"

/** The list of cohorts, and the page of one. */
export function testCohorts({ api, open }: ConsolePages): void {
  beforeAll(async () => {
    await api.capture({ event: "linked", distinct_id: "margaret" })
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

  test.each(["light", "dark"] as const)(
    "are built without barriers in the %s theme, on a telephone too",
    async (theme) => {
      for (const width of [1280, 390]) {
        const page = await open(`${PATH}/new`, { theme, width })
        await page.getByRole("button", { name: "Add what they did" }).click()
        await page.getByRole("button", { name: "Add a cohort" }).click()
        await page.getByRole("button", { name: "Add a group" }).click()
        await page.getByText("Not counted: something is not chosen yet.").waitFor()
        expect(await findBarriers(page)).toEqual([])
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
        await page.close()
      }
    },
  )

  test("are built of properties, deeds and groups, with their size, and changed", async () => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "New cohort" }).click()
    await page.getByLabel("Name").first().fill("Compilers")
    await page.getByRole("button", { name: "Remove Condition 1" }).click()
    await page.getByRole("button", { name: "Add what they did" }).click()
    await page.getByRole("combobox", { name: "Condition 1, name" }).fill("linked")
    await page.getByText("1 person fits").waitFor()
    await choose(page, "Condition 1, did or did not", "Did not")
    await page.getByText(/^\d+ persons fit$|^1 person fits$/).waitFor()
    await choose(page, "Condition 1, did or did not", "Did")
    await choose(page, "Condition 1, what was done", "perform so often")
    await page.getByText("0 persons fit").waitFor()
    await page.getByLabel("Condition 1, how often", { exact: true }).fill("1")
    await page.getByText("1 person fits").waitFor()
    await page.getByRole("button", { name: "Add a group" }).click()
    const group = page.getByRole("group", { name: "Condition 2", exact: true })
    await group.getByRole("button", { name: "Add a cohort" }).click()
    await choose(page, "Condition 2.1, cohort", "Engineers")
    await group.getByText("Any of these").click()
    await page.getByRole("button", { name: "Make the cohort" }).press("Enter")
    await page.getByText("Members: 1, described by conditions").waitFor()

    await page.getByRole("link", { name: "Edit" }).press("Enter")
    await page.getByRole("combobox", { name: "Condition 1, name" }).fill("")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("alert").getByText("must be the name of an event").waitFor()
    await page.getByRole("combobox", { name: "Condition 1, name" }).fill("never done")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Members: 0, described by conditions").waitFor()
    await page.close()
  })

  test("that are lists are filled from a file, which says whom it did not find, and deleted with a way back", async () => {
    const page = await open(`${PATH}/new`)
    await page.getByLabel("Name").first().fill("Invited")
    await page.getByText("A list of persons").click()
    await page.getByRole("button", { name: "Make the cohort" }).click()
    const file = { name: "list.csv", mimeType: "text/csv" }
    const buffer = Buffer.from('name;distinct_id\n"Margaret; H.";margaret\nNobody;nobody-here\n')
    await page.getByLabel("CSV file").setInputFiles({ ...file, buffer })
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByText("The cohort has 1 members now.").waitFor()
    await page.getByText("nobody-here", { exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByText("This cohort is deleted").waitFor()
    await page.getByRole("button", { name: "Restore" }).click()
    await page.getByRole("button", { name: "Delete" }).waitFor()
    await page.close()
  })
}
