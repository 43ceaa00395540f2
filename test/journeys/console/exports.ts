import { expect, test } from "@jest/globals"
import { type ConsolePages, findBarriers, joinByLink } from "../../support/console-pages.js"

const PATH = "/project/@current/settings?tab=exports"

/** Files that a project has made by schedule. */
export function testExports({ api, open }: ConsolePages): void {
  const press = (page: Awaited<ReturnType<typeof open>>, name: string) =>
    page.getByRole("button", { name, exact: true }).click()

  test("say that there is none, without barriers in either theme, and fit a telephone", async () => {
    for (const theme of ["light", "dark"] as const) {
      const page = await open(PATH, { theme, width: theme === "dark" ? 390 : 1280 })
      await page.getByText("No exports").waitFor()
      expect(await findBarriers(page)).toEqual([])
      await press(page, "New export")
      await page.getByLabel("Where to").selectOption("A bucket (S3)")
      await page.getByLabel("Secret of the key").waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(theme === "dark" ? 390 : 1280)
      await page.close()
    }
  })

  test("are made by keyboard once their place is right, run, paused, changed and deleted", async () => {
    const page = await open(PATH)
    await page.getByRole("button", { name: "New export" }).press("Enter")
    await page.getByLabel("Name").fill("Warehouse")
    await page.getByLabel("Files", { exact: true }).selectOption("JSON lines")
    const folder = page.getByLabel("Folder", { exact: true })
    await folder.fill("../elsewhere")
    await folder.press("Enter")
    await page.getByText(/prefix must be/).waitFor()
    expect(await folder.getAttribute("aria-invalid")).toBe("true")
    await folder.fill("warehouse")
    await folder.press("Enter")
    await page.getByRole("cell", { name: "Events, hourly, JSON lines" }).waitFor()
    await page.getByRole("cell", { name: "folder warehouse" }).waitFor()
    await page.getByRole("cell", { name: "none yet" }).waitFor()

    await api.capture({ event: "shipped", distinct_id: "ada" })
    await api.drained()
    await press(page, "Run now: Warehouse")
    await page.getByRole("button", { name: "Open the row" }).press("Enter")
    const runs = page.getByRole("region", { name: "Runs" })
    await runs.getByRole("cell", { name: "completed" }).waitFor()
    expect(await runs.getByRole("row").last().getByRole("cell").nth(4).textContent()).toBe("1")
    expect(await findBarriers(page)).toEqual([])

    await press(page, "Pause Warehouse")
    await page.getByRole("cell", { name: "paused" }).waitFor()
    await press(page, "Change Warehouse")
    await page.getByLabel("Where to").selectOption("A bucket (S3)")
    const address = page.getByLabel("Address")
    await address.fill("http://s3.shop.test")
    await page.getByLabel("Region").fill("eu-central-1")
    await page.getByLabel("Bucket").fill("a-bucket")
    await page.getByLabel("Id of the key").fill("AKIA")
    const secret = page.getByLabel("Secret of the key")
    expect(await secret.getAttribute("type")).toBe("password")
    await secret.fill("never-shown")
    await press(page, "Save")
    await page.getByText(/endpoint must be/).waitFor()
    expect(await address.getAttribute("aria-invalid")).toBe("true")
    await page.getByLabel("Where to").selectOption("A folder of the server")
    await page.getByLabel("Name").fill("Lake")
    await press(page, "Save")
    await press(page, "Delete Lake")
    await page.getByText("Files that are written stay where they are.").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByText("No exports").waitFor()
    await page.close()
  })

  test("are read by viewers", async () => {
    const { inviteUser } = await api.changed<{ inviteUser: { invitationLink: string } }>(
      `mutation { inviteUser(input: { email: "reader@example.test", role: VIEWER, byLink: true }) {
        invited { invitationLink } userErrors { message } } }`,
    )
    const { pathname, search } = new URL(inviteUser.invitationLink)
    const page = await open(pathname + search, { isAnonymous: true })
    await joinByLink(page, { name: "Vera Rubin", password: "rotation of galaxies" })
    await page.goto(api.url + PATH)
    await page.getByText("Viewers read this. Members of the organization change it.").waitFor()
    expect(await page.getByRole("button", { name: "New export" }).isDisabled()).toBe(true)
    await page.close()
  })
}
