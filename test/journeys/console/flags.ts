import { beforeAll, expect, test } from "@jest/globals"
import { type ConsolePages, choose, findBarriers } from "../../support/console-pages.js"
import { waitFor } from "../../support/wait-for.js"
import { PROJECT_KEY } from "../../support/waymark-process.js"

const PATH = "/project/@current/flags"

/** The list of flags, the page of one, and why it is on or off for somebody. */
export function testFlags({ api, open }: ConsolePages): void {
  beforeAll(async () => {
    const properties = [{ person: { key: "plan", operator: "EXACT", value: "team" } }]
    const create = `mutation ($input: CreateFeatureFlagInput!) {
        createFeatureFlag(input: $input) { featureFlag { id } userErrors { message } } }`
    const filters = { conditions: [{ properties, rolloutPercentage: 100 }] }
    await api.changed(create, { input: { key: "new-checkout", name: "Shorter checkout", filters } })
    const nobody = { conditions: [{ rolloutPercentage: 0 }] }
    await api.changed(create, { input: { key: "beta-search", name: "", filters: nobody } })
    await api.changed(
      `mutation ($input: CreateCohortInput!) { createCohort(input: $input) { cohort { id } userErrors { message } } }`,
      { input: { name: "Testers", isStatic: true, distinctIds: ["ada"] } },
    )
  })

  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await page.getByRole("link", { name: "new-checkout" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      for (const tab of ["Who gets it", "Try it", "Calls", "In code", "Schedule", "Early access", "History"]) {
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

    const beforeTheMend = new Date().toISOString()
    await page.getByRole("tab", { name: "Try it" }).press("ArrowLeft")
    const value = page.getByRole("combobox", { name: "Condition 1, property 1, value" })
    await value.focus()
    await page.keyboard.insertText("solo")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Save" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" })

    await page.getByRole("tab", { name: "Who gets it" }).press("ArrowRight")
    await page.getByText("Fits, and is in the share.").waitFor()

    await page.getByLabel("As of").fill("2020-01-01T08:00")
    await page.getByRole("button", { name: "Try" }).click()
    await page.getByText("There was no such flag then.").waitFor()
    await page.goto(`${page.url().replace(/&at=[^&]*/, "")}&at=${beforeTheMend}`)
    await page.getByText("As of").first().waitFor()
    await page.getByText("plan is team — has solo").waitFor()
    await page.getByText("no event of this id says what they were").waitFor()
    await page.close()
  })

  test("are as they were before a change of the history, once what would be different was shown", async () => {
    const page = await open(`${PATH}/new-checkout?tab=history`)
    await page.getByRole("cell", { name: "updated" }).waitFor()
    await page.getByRole("button", { name: "Open the row" }).first().click()
    await page.getByRole("button", { name: "Restore what was before…" }).click()
    const dialog = page.getByRole("dialog", { name: "Restore what was before" })
    await dialog.getByRole("group", { name: "filters" }).getByText('− "solo"').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole("button", { name: "Restore" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByRole("tab", { name: "Who gets it" }).click()
    await page.getByText("team", { exact: true }).waitFor()
    await page.getByText("solo", { exact: true }).waitFor({ state: "detached" })
    await page.close()
  })

  test("show how often they were called, by what was answered", async () => {
    const properties = { $feature_flag: "new-checkout" }
    for (const [distinctId, response] of [
      ["ada", true],
      ["bob", true],
      ["cy", false],
    ] as const)
      await api.capture({
        event: "$feature_flag_called",
        distinct_id: distinctId,
        properties: { ...properties, $feature_flag_response: response },
      })
    await api.drained()
    // Of days that nobody has asked about before: an answer is kept for a while.
    const page = await open(`${PATH}/new-checkout?tab=usage&from=-7d`)
    await page.getByText("true: 2").waitFor()
    await page.getByText("false: 1").waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.goto(`${api.url}${PATH}/new-checkout?tab=usage&from=2020-01-01&to=2020-01-02`)
    await page.getByText("No calls in this time").waitFor()
    await page.close()
  })

  test("are copied to another project, where they are off", async () => {
    await api.changed(
      `mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { id } userErrors { message } } }`,
      { input: { name: "Staging" } },
    )
    const page = await open(`${PATH}/new-checkout`)
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Copy to a project" }).click()
    await choose(page, "Project", "Staging")
    await page.getByRole("button", { name: "Copy", exact: true }).click()
    await page.getByText("The flag is copied.").waitFor()
    await page.close()
  })

  test("get variants, conditions on cohorts and on other flags, say how many these are about, and outlive a reload", async () => {
    const page = await open(`${PATH}/beta-search`)
    const save = page.getByRole("button", { name: "Save" })
    const undo = page.getByRole("button", { name: "Undo" })
    await page.getByRole("button", { name: "Add a filter" }).click()
    await choose(page, "Condition 1, property 1, about", "Cohort")
    await save.click()
    await page.getByRole("alert").getByText("Condition 1: choose what it is about").waitFor()
    await choose(page, "Condition 1, property 1, cohort", "Testers")
    await page.getByText(/^1 of \d+ persons fit$/).waitFor()
    await page.getByRole("button", { name: "Add a filter" }).click()
    await choose(page, "Condition 1, property 2, about", "Flag")
    await choose(page, "Condition 1, property 2, flag", "new-checkout")
    await choose(page, "Condition 1, property 2, value", "is off")
    await page.getByText(/^1 of \d+ persons fit, before other flags$/).waitFor()
    await page.reload()
    await page.getByText(/^1 of \d+ persons fit, before other flags$/).waitFor()

    await page.getByRole("button", { name: "Give it variants" }).click()
    await page.getByLabel("Variant 1, share").fill("30")
    await page.getByLabel("Variant 2, payload").fill("{blue")
    await page.getByText("No JSON.").waitFor()
    await page.getByLabel("Variant 2, payload").fill('{"colour": "blue"}')
    await save.click()
    await page.getByRole("alert").getByText("make 80 % together").waitFor()
    await page.getByRole("button", { name: "Share equally" }).click()
    await choose(page, "What they get", "always test")
    await page.getByLabel("Variant 2, key").fill("blue")
    await save.click()
    await undo.waitFor({ state: "detached" })
    const { featureFlag } = await api.graphql<{ featureFlag: { filters: object } }>(
      `{ featureFlag(by: { key: "beta-search" }) { filters { variants { key rolloutPercentage }
        payloads { value payload } conditions { variant properties { type value } } } } }`,
    )
    expect(featureFlag.filters).toEqual({
      variants: [
        { key: "control", rolloutPercentage: 50 },
        { key: "blue", rolloutPercentage: 50 },
      ],
      payloads: [{ value: "blue", payload: '{"colour": "blue"}' }],
      conditions: [
        {
          variant: "blue",
          properties: [
            { type: "COHORT", value: expect.any(Number) },
            { type: "FLAG", value: false },
          ],
        },
      ],
    })
    await page.reload()
    await page.locator('input[value="Testers"]').waitFor()
    await page.close()
  })

  test("are switched off in the list, and made by name", async () => {
    const page = await open(PATH)
    await page.getByRole("switch", { name: "new-checkout is on" }).focus()
    await page.keyboard.press("Space")
    await page.getByText(/depend on this one .beta-search/).waitFor()
    await page.getByRole("switch", { name: "beta-search is on" }).focus()
    await page.keyboard.press("Space")
    await page.getByRole("switch", { name: "beta-search is on", checked: false }).waitFor()
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

  test("get another key, and are brought back after they were deleted", async () => {
    const page = await open(`${PATH}/beta?tab=history`)
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Rename" }).click()
    const dialog = page.getByRole("dialog", { name: "Rename beta" })
    await dialog.getByLabel("Key").fill("new-checkout")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByRole("alert").waitFor()
    await dialog.getByLabel("Key").fill("gamma")
    await dialog.getByText("Code that asks for beta gets no flag").waitFor()
    await dialog.getByLabel("Description").fill("Third try")
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.waitForURL("**/flags/gamma?tab=history")
    await page.getByText("Third try", { exact: true }).waitFor()

    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByText("This flag is deleted").waitFor()
    expect(await findBarriers(page)).toEqual([])
    const { featureFlags } = await api.graphql<{ featureFlags: { nodes: object[] } }>(
      `{ featureFlags(search: "gamma") { nodes { key } } }`,
    )
    expect(featureFlags.nodes).toEqual([])
    await page.getByRole("button", { name: "Restore" }).click()
    await page.getByText("Third try", { exact: true }).waitFor()
    await page.close()
  })

  test("change by plan: switched at a time, or with what is written of who gets them", async () => {
    const page = await open(`${PATH}/gamma?tab=schedule`)
    await page.getByText("Nothing is planned").waitFor()
    await page.getByRole("button", { name: "Plan to switch it on" }).click()
    const dialog = page.getByRole("dialog", { name: "Plan to switch gamma on" })
    await dialog.getByLabel("When").fill("2020-01-01T08:00")
    await choose(page, "Again", "every week")
    await dialog.getByRole("button", { name: "Plan it" }).click()
    await dialog.getByRole("alert").getByText("in the future").waitFor()
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await dialog.getByLabel("When").fill(`${tomorrow}T08:00`)
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole("button", { name: "Plan it" }).click()
    await page.getByRole("cell", { name: "switch on" }).waitFor()
    await page.getByRole("cell", { name: "every week" }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const { featureFlag } = await api.graphql<{ featureFlag: { scheduledChanges: { nodes: object[] } } }>(
      `{ featureFlag(by: { key: "gamma" }) { scheduledChanges { nodes { dueAt } } } }`,
    )
    expect(featureFlag.scheduledChanges.nodes).toEqual([{ dueAt: `${tomorrow}T08:00:00.000Z` }])

    await page.getByRole("tab", { name: "Who gets it" }).click()
    await page.getByLabel("Share of those who fit").fill("25")
    await page.getByRole("button", { name: "Plan…" }).click()
    await page.getByRole("button", { name: "Plan it" }).click()
    await page.getByRole("cell", { name: "filters" }).waitFor()
    await page.getByRole("button", { name: "Open the row" }).first().click()
    await page.getByText(/^\+.*"rollout_percentage": 25/).waitFor()
    await page
      .getByRole("button", { name: /Remove plan/ })
      .first()
      .click()
    await page.getByText(/^\+.*"rollout_percentage": 25/).waitFor({ state: "detached" })
    await page.getByRole("tab", { name: "Who gets it" }).click()
    expect(await page.getByLabel("Share of those who fit").inputValue()).not.toBe("25")
    await page.close()
  })

  test("are offered to users, who switch them on for themselves", async () => {
    const page = await open(`${PATH}/gamma?tab=early`)
    await page.getByRole("switch", { name: "gamma is on" }).focus()
    await page.keyboard.press("Space")
    await page.getByText("On", { exact: true }).waitFor()
    await page.getByLabel("Name").fill("Gamma rays")
    await page.getByLabel("Documentation").fill("javascript:alert(1)")
    await page.getByRole("button", { name: "Offer it" }).click()
    await page.getByRole("alert").getByText("begins with http").waitFor()
    await page.getByLabel("Documentation").fill("https://docs.shop.test/gamma")
    await page.getByRole("button", { name: "Offer it" }).click()
    await page.getByText(/^0 of \d+ persons have enrolled$/).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const listed = (stage: string) =>
      api.get<{ earlyAccessFeatures: object[] }>(`/api/early_access_features/?token=${PROJECT_KEY}&stage=${stage}`)
    const documentationUrl = "https://docs.shop.test/gamma"
    expect((await listed("beta")).body.earlyAccessFeatures).toEqual([
      { name: "Gamma rays", description: "", stage: "beta", documentationUrl, payload: {}, flagKey: "gamma" },
    ])
    await page.getByLabel("Stage").selectOption("CONCEPT")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Save" }).waitFor()
    await waitFor("the concept", async () => (await listed("concept")).body.earlyAccessFeatures.length === 1)
    expect((await listed("beta")).body.earlyAccessFeatures).toEqual([])
    await page.getByRole("button", { name: "Offer it no more" }).click()
    await page.getByRole("button", { name: "Offer it", exact: true }).waitFor()
    await page.close()
  })
}
