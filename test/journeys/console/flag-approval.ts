import { beforeAll, expect, test } from "@jest/globals"
import { type ConsolePages, findBarriers, joinByLink } from "../../support/console-pages.js"
import { WaymarkApi } from "../../support/waymark-api.js"

const PATH = "/project/@current/flags"

/** Flags for those who may not change them, or not alone. */
export function testFlagApproval({ api, open }: ConsolePages): void {
  let number = 0
  const setApproval = (featureFlagApproval: boolean) =>
    api.changed(`mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { userErrors { message } } }`, {
      input: { settings: { featureFlagApproval } },
    })
  beforeAll(async () => {
    const { createFeatureFlag } = await api.changed<{ createFeatureFlag: { number: number } }>(
      `mutation ($input: CreateFeatureFlagInput!) { createFeatureFlag(input: $input) {
        featureFlag { number } userErrors { message } } }`,
      { input: { key: "delta", name: "", active: false, filters: { conditions: [{ rolloutPercentage: 100 }] } } },
    )
    number = createFeatureFlag.number
  })

  test("are changed once a second person approves, where the project asks for one", async () => {
    const page = await open("/project/@current/settings")
    await page.getByRole("switch", { name: "Changes of flags need a second person" }).check()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" })

    await page.goto(`${api.url}${PATH}`)
    await page.getByRole("switch", { name: "delta is on" }).focus()
    await page.keyboard.press("Space")
    await page.getByText("a second person has to approve request").waitFor()
    const waiting = page.getByRole("region", { name: "Changes that wait for a second person: 1" })
    await waiting.getByRole("link", { name: "delta" }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await waiting.getByRole("link", { name: "delta" }).click()
    await page.getByText("Somebody else has to approve it.").waitFor()
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0)
    await page.getByRole("button", { name: "Withdraw" }).click()
    await page.getByText("Somebody else has to approve it.").waitFor({ state: "detached" })
    await page.getByText("Off for everybody").waitFor()

    // What somebody else asks for, by a key of theirs.
    const { inviteUser } = await api.changed<{ inviteUser: { personalApiKey: string } }>(
      `mutation { inviteUser(input: { email: "second@example.test", keyScopes: [ALL] }) {
        invited { personalApiKey } userErrors { message } } }`,
    )
    const colleague = new WaymarkApi(() => api.url, inviteUser.personalApiKey)
    const byRest = `/api/projects/@current/feature_flags/${number}/`
    const asked = await colleague.patch<{ code: string; extra: object }>(byRest, { active: true })
    expect([asked.status, asked.body.code, Object.keys(asked.body.extra)]).toEqual([
      409,
      "approval_required",
      ["change_request_id"],
    ])
    await page.reload()
    await page.getByText("active: false → true").waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel("Comment").fill("Tried on staging")
    await page.getByRole("button", { name: "Approve" }).click()
    await page.getByRole("switch", { name: "delta is on", checked: true }).waitFor()
    await page.getByRole("tab", { name: "History" }).click()
    await page.getByRole("cell", { name: "change approved" }).waitFor()
    await page.getByRole("cell", { name: "updated on approval" }).waitFor()

    // A deleted flag has no page: whether it returns is decided in the list.
    await setApproval(false)
    expect((await api.patch(byRest, { deleted: true })).status).toBe(200)
    await setApproval(true)
    expect((await colleague.patch(byRest, { deleted: false })).status).toBe(409)
    await page.goto(`${api.url}${PATH}`)
    const returning = page.getByRole("region", { name: "A change of the deleted flag delta" })
    await returning.getByText("deleted: true → false").waitFor()
    expect(await findBarriers(page)).toEqual([])
    await returning.getByRole("button", { name: "Approve" }).click()
    await page.getByRole("switch", { name: "delta is on" }).waitFor()
    await returning.waitFor({ state: "detached" })
    await setApproval(false)
    await page.close()
  })

  test("are read by viewers, who see no button that would be refused", async () => {
    const { inviteUser } = await api.changed<{ inviteUser: { invitationLink: string } }>(
      `mutation { inviteUser(input: { email: "viewer@example.test", role: VIEWER, byLink: true }) {
        invited { invitationLink } userErrors { message } } }`,
    )
    const { pathname, search } = new URL(inviteUser.invitationLink)
    const page = await open(pathname + search, { isAnonymous: true })
    await joinByLink(page, { name: "Vera Rubin", password: "rotation of galaxies" })
    await page.goto(`${api.url}${PATH}`)
    expect(await page.getByRole("switch", { name: "delta is on" }).isDisabled()).toBe(true)
    expect(await page.getByRole("button", { name: "New flag" }).count()).toBe(0)
    for (const [tab, button] of [
      ["rules", "Add a condition"],
      ["schedule", "Plan to switch it off"],
      ["early", "Offer it"],
    ]) {
      await page.goto(`${api.url}${PATH}/delta?tab=${tab}`)
      await page.getByText("Viewers read this. Members of the organization change it.").waitFor()
      expect(await page.getByRole("button", { name: button }).isDisabled()).toBe(true)
      expect(await page.getByRole("button", { name: "More" }).count()).toBe(0)
      expect(await findBarriers(page)).toEqual([])
    }
    await page.close()
  })
}
