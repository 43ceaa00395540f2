import { expect, test } from "@jest/globals"
import { Secret, TOTP } from "otpauth"
import type { Page } from "playwright-core"
import { type ConsolePages, findBarriers, joinByLink, OWNER } from "../../support/console-pages.js"
import { WaymarkApi } from "../../support/waymark-api.js"

const TABS = {
  project: "General",
  events: "Test accounts",
  members: "Invite somebody",
  keys: "Personal keys",
  exports: "Exports by schedule",
  account: "Browsers",
  "log&outside=true": "",
  usage: "Flag requests",
} as const
const toPath = (tab: string): string => `/project/@current/settings?tab=${tab}`

/** What holds for the project, who may do what, and what is one's own. */
export function testSettings({ api, open }: ConsolePages): void {
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
  const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor()
  const save = async (page: Page): Promise<void> => {
    await press(page, "Save")
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" })
  }
  const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text })

  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    for (const [tab, title] of Object.entries(TABS)) {
      const page = await open(toPath(tab), { theme, width: theme === "dark" ? 390 : 1280 })
      await (title === "" ? page.getByRole("cell").first().waitFor() : heading(page, title))
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(theme === "dark" ? 390 : 1280)
      await page.close()
    }
  })

  test("are saved one by one, a refusal stands at the field, and the whole console knows the new name", async () => {
    const page = await open(toPath("project"))
    const name = page.getByLabel("Name", { exact: true })
    await name.fill(" ")
    await press(page, "Save")
    await page.getByText(/may not be blank/).waitFor()
    expect(await name.getAttribute("aria-invalid")).toBe("true")
    await name.fill("Engine room")
    await save(page)
    await page.getByRole("button", { name: "Engine room" }).waitFor()
    await page.getByLabel("Discard addresses").check()
    await save(page)
    await page.getByLabel("First day of the week").selectOption("Monday")
    await save(page)
    await page.getByLabel("No events until").fill("2020-02-01")
    await save(page)
    await page.getByLabel("Days for which events are kept").fill("400")
    await save(page)
    await page.reload()
    expect(await page.getByLabel("Discard addresses").isChecked()).toBe(true)
    expect(await page.getByLabel("First day of the week").inputValue()).toBe("1")
    expect(await page.getByLabel("No events until").inputValue()).toBe("2020-02-01")
    expect(await page.getByLabel("Days for which events are kept").inputValue()).toBe("400")
    await page.close()
  })

  test("say what paths are written as, which events are of test accounts, and what is dropped", async () => {
    await api.capture({ event: "$pageview", distinct_id: "ada", properties: { $pathname: "/orders/17" } })
    await api.drained()
    const page = await open(toPath("events"))
    await press(page, "Add a rule")
    await page.getByLabel("Expression 1").fill("/orders/(")
    await press(page, "Save")
    await page
      .getByText(/is not a usable regular expression/)
      .first()
      .waitFor()
    await page.getByLabel("Expression 1").fill("/orders/\\d+")
    await page.getByLabel("Alias 1").fill("/orders/:id")
    await page.getByRole("cell", { name: "/orders/:id", exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await save(page)

    await press(page, "Add a filter")
    await page.getByRole("combobox", { name: "Property of the filter", exact: true }).click()
    await page.getByRole("option", { name: "plan" }).click()
    await page.getByRole("combobox", { name: "Value" }).fill("staff")
    await page.getByRole("combobox", { name: "Value" }).press("Enter")
    await save(page)
    await press(page, "Add a restriction")
    await page.getByRole("combobox", { name: "of these names" }).fill("noise")
    await page.getByRole("combobox", { name: "of these names" }).press("Enter")
    await page.getByLabel("What", { exact: true }).selectOption("Events")
    expect(await findBarriers(page)).toEqual([])
    await save(page)
    const { currentProject } = (
      await api.graphql<{ me: { currentProject: object } }>(`{ me { currentProject {
        pathCleaningFilters { regex alias } settings { captureRestrictions { type eventNames pipelines distinctIds }
        testAccountFilters { type key value } } } } }`)
    ).me
    expect(currentProject).toEqual({
      pathCleaningFilters: [{ regex: "/orders/\\d+", alias: "/orders/:id" }],
      settings: {
        captureRestrictions: [
          { type: "DROP_EVENT", eventNames: ["noise"], pipelines: ["ANALYTICS"], distinctIds: null },
        ],
        testAccountFilters: [{ type: "EVENT", key: "plan", value: "staff" }],
      },
    })

    const telephone = await open(toPath("events"), { theme: "dark", width: 390 })
    await telephone.getByLabel("Expression 1").waitFor()
    expect(await findBarriers(telephone)).toEqual([])
    expect(await telephone.evaluate("document.documentElement.scrollWidth")).toBe(390)
    await telephone.close()

    await press(page, "Remove restriction 1")
    await save(page)
    await page.reload()
    await page.getByRole("cell", { name: "/orders/:id", exact: true }).waitFor()
    await press(page, "Remove rule 1")
    await save(page)
    await page.close()
  })

  test("let an admin in by a link, show them less with a smaller role, and nothing without one", async () => {
    const owner = await open(toPath("members"))
    await owner.getByLabel("E-mail").fill("hedy@example.test")
    await owner.getByLabel("Role", { exact: true }).selectOption("Admin")
    await press(owner, "Invite")
    const link = await owner.getByLabel(/^Link for them/).inputValue()
    await owner.getByRole("region", { name: "Invitations" }).getByText("hedy@example.test").waitFor()

    const hedy = await open(link.slice(api.url.length), { isAnonymous: true })
    await joinByLink(hedy, { name: "Hedy Lamarr", password: "hopping between frequencies" })
    await hedy.goto(api.url + toPath("members"))
    await heading(hedy, "Invite somebody")
    expect(await rowOf(hedy, OWNER.email).getByRole("combobox").count()).toBe(0)

    await owner.reload()
    await owner.getByLabel("Role of hedy@example.test").selectOption("Viewer")
    await owner.getByText("Invitations").waitFor({ state: "detached" })
    await hedy.reload()
    await heading(hedy, "Members of")
    expect(await hedy.getByRole("heading", { name: "Invite somebody" }).count()).toBe(0)
    await hedy.getByRole("tab", { name: "Project" }).click()
    await hedy.getByText("Admins and owners of the organization change these.").waitFor()
    expect(await hedy.getByLabel("Name", { exact: true }).isDisabled()).toBe(true)

    await rowOf(owner, "hedy@example.test").getByRole("button", { name: "Remove" }).click()
    await owner.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await rowOf(owner, "hedy@example.test").waitFor({ state: "detached" })
    await hedy.reload()
    await heading(hedy, "There is no such project")
    await Promise.all([owner.close(), hedy.close()])
  })

  test("make a key with the rights that are chosen, show it once, and end it", async () => {
    const page = await open(toPath("keys"))
    const faultOf = async (key: string, field: string) => {
      const { body } = await new WaymarkApi(api.url, key).post<{ errors?: { extensions: { code: string } }[] }>(
        "/graphql",
        { query: `{ ${field} { totalCount } }` },
      )
      return body.errors?.[0]?.extensions.code ?? null
    }
    await press(page, "New personal key")
    await page.getByLabel("What it is for").fill("nightly export")
    await page.getByText("Chosen rights").click()
    await page.getByLabel("Cohorts", { exact: true }).selectOption("read")
    expect(await findBarriers(page)).toEqual([])
    await press(page, "Make the key")
    const first = await page.getByLabel("Key, shown this once").inputValue()
    expect([await faultOf(first, "cohorts"), await faultOf(first, "actions")]).toEqual([null, "FORBIDDEN"])
    await page.keyboard.press("Escape")
    await rowOf(page, "nightly export").getByText("cohort read").waitFor()
    await press(page, "New value of nightly export")
    const second = await page.getByLabel("New value, shown this once").inputValue()
    expect([await faultOf(first, "cohorts"), await faultOf(second, "cohorts")]).toEqual(["UNAUTHENTICATED", null])
    await press(page, "Revoke nightly export")
    await rowOf(page, "nightly export").waitFor({ state: "detached" })
    expect(await faultOf(second, "cohorts")).toBe("UNAUTHENTICATED")
    await press(page, "New secret key")
    expect(await page.getByLabel("Secret key, shown this once").inputValue()).toMatch(/^phs_/)
    await page.close()
  })

  test("sign another browser out, and take another password only with the present one", async () => {
    const other = await open("/sign-in", { isAnonymous: true })
    await other.getByLabel("E-mail", { exact: true }).fill(OWNER.email)
    await other.getByLabel("Password", { exact: true }).fill(OWNER.password)
    await press(other, "Sign in")
    await heading(other, "Events")
    const page = await open("/project/@current/events")
    await press(page, "Account")
    await page.getByRole("menuitem", { name: "Your account" }).click()
    await page.getByLabel("Present password").fill("not this one")
    await page.getByLabel("New password").fill(OWNER.password)
    await press(page, "Change the password")
    await page.getByText(/This is not your password/).waitFor()
    await page.getByRole("button", { name: "Sign out" }).first().click()
    await other.reload()
    await heading(other, "Sign in to Waymark")
    await Promise.all([page.close(), other.close()])
  })

  test("turn on a second factor, which signing in then asks for, and turn it off", async () => {
    const page = await open(toPath("account"))
    await page.getByRole("button", { name: "Turn it on" }).click()
    await page.getByLabel("Your password").fill(OWNER.password)
    await press(page, "Go on")
    await page.getByRole("img", { name: "QR code" }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const secret = Secret.fromBase32((await page.getByLabel("Secret").textContent()) ?? "")
    const showsAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp })
    await page.getByLabel("The code that it shows now").fill(showsAt(Date.now()))
    await page.getByRole("dialog").getByRole("button", { name: "Turn it on" }).click()
    const recoveryCodes = await page.getByText(/^(\w{5}-){3}\w{5}\n/).textContent()
    await press(page, "I have kept them")
    await page.getByText("Recovery codes left: 10").waitFor()

    const other = await open("/sign-in", { isAnonymous: true })
    await other.getByLabel("E-mail", { exact: true }).fill(OWNER.email)
    await other.getByLabel("Password", { exact: true }).fill(OWNER.password)
    await press(other, "Sign in")
    await other.getByLabel("Code").fill("000000")
    await press(other, "Sign in")
    await other.getByText("This code is wrong or was used before.").waitFor()
    expect(await findBarriers(other)).toEqual([])
    await other.getByLabel("Code").fill(showsAt(Date.now() + 30_000))
    await press(other, "Sign in")
    await other.getByRole("link", { name: "Settings" }).waitFor()

    await page.getByRole("button", { name: "Turn it off" }).click()
    await page.getByLabel(/or a recovery code/).fill(recoveryCodes?.split("\n")[0] ?? "")
    await page.getByRole("dialog").getByRole("button", { name: "Turn it off" }).click()
    await page.getByRole("button", { name: "Turn it on" }).waitFor()
    await Promise.all([page.close(), other.close()])
  })

  test("say who changed what, by kind of thing", async () => {
    const page = await open(toPath("log"))
    await rowOf(page, "project updated").first().waitFor()
    await page.getByText("Organization and account").click()
    await page.getByLabel("Kind").selectOption("Members")
    await rowOf(page, "organization member removed").first().waitFor()
    expect(new URL(page.url()).searchParams.get("kind")).toBe("ORGANIZATION_MEMBER")
    await page.getByRole("button", { name: "Open the row" }).first().click()
    await page
      .getByText(/^email:/)
      .getByText("hedy@example.test")
      .waitFor()
    await page.close()
  })

  test("say what arrives, and what is left of a quota", async () => {
    await api.changed(
      `mutation { updateProject(input: { settings: { featureFlagRequestLimit: 1000000 } }) {
        project { id } userErrors { message } } }`,
    )
    const page = await open(toPath("usage"))
    await page.getByText(/of the whole organization\. [\d,]+ are left/).waitFor()
    await heading(page, "Events of the last 30 days")
    await page.close()
  })
}
