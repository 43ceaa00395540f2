import { readFileSync } from "node:fs"
import { afterAll, beforeAll } from "@jest/globals"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { startBrowser } from "./browser.js"
import { ownServer } from "./own-server.js"
import type { WaymarkApi } from "./waymark-api.js"

/** A browser on a busy machine takes its time; nothing waits for it longer than it needs. */
export const PATIENCE_MS = 30_000

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8")

/** Who is signed in where nothing else is said. */
export const OWNER = { email: "ada@example.test", name: "Ada Lovelace", password: "an engine of brass" }

/** How a page is looked at. */
export interface View {
  readonly width?: number
  readonly theme?: "light" | "dark"
  /** Whether nobody is signed in. */
  readonly isAnonymous?: boolean
  /** Whether it leads to another site: what is loaded there, and said of it, is no complaint. */
  readonly mayLeave?: boolean
  /** Whether it shows what tries to do harm: what the browser says of that is no complaint. */
  readonly isHostile?: boolean
}

/** The console of one server with a few events, for all tests of a suite. */
export interface ConsolePages {
  readonly api: WaymarkApi
  /** Where the server keeps its stores. */
  readonly dataDirectory: string
  /** Opens a path of the console in a tab of its own, as somebody who is signed in; waits for nothing on it. */
  open(path: string, view?: View): Promise<Page>
  /** What pages have complained of, or loaded from elsewhere, since the beginning. */
  readonly complaints: readonly string[]
}

/** Starts a server and a browser before the tests of a suite, and ends them after these. */
export function ownConsole(environment: Record<string, string>): ConsolePages {
  const { server, api } = ownServer(environment)
  const complaints: string[] = []
  let browser: Browser
  let cookies: Cookies = []
  beforeAll(async () => {
    const sent = [
      { event: "signed up", distinct_id: "ada", properties: { plan: "team", note: "<img src=x onerror=alert(1)>" } },
      { event: "paid", distinct_id: "ada", properties: { amount: 12 } },
    ]
    for (const event of sent) await api.capture(event)
    await api.drained()
    browser = await startBrowser()
    cookies = await claimFirstOwner(browser, /http\S+\/welcome\?token=\S+/.exec(server.stdout)?.[0] ?? "")
  })
  afterAll(() => browser.close())
  const open = async (path: string, view: View = {}) => {
    const { width = 1280, theme = "light", isAnonymous = false, isHostile = false, mayLeave = false } = view
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: theme })
    page.setDefaultTimeout(PATIENCE_MS)
    if (!isHostile && !mayLeave) {
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
      page.on("pageerror", (error) => complaints.push(error.message))
      page.on("request", (request) => request.url().startsWith(api.url) || complaints.push(request.url()))
    }
    if (!isAnonymous) await page.context().addCookies(cookies)
    await page.goto(api.url + path)
    return page
  }
  return { api, dataDirectory: server.dataDirectory, open, complaints }
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>

/** Opens the link that the start printed, as whoever starts a server does; the cookies that the browser has then. */
async function claimFirstOwner(browser: Browser, link: string): Promise<Cookies> {
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(link)
  await page.getByLabel("E-mail", { exact: true }).fill(OWNER.email)
  await page.getByLabel("Name", { exact: true }).fill(OWNER.name)
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password)
  await page.getByRole("button", { name: "Create your account" }).click()
  await page.getByRole("heading", { name: "Events" }).waitFor()
  const cookies = await page.context().cookies()
  await page.close()
  return cookies
}

/** Joins on the page to which an invitation leads, as somebody who is new here; the page is the first screen then. */
export async function joinByLink(
  page: Page,
  user: { readonly name: string; readonly password: string },
): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(user.name)
  await page.getByLabel("Password", { exact: true }).fill(user.password)
  await page.getByRole("button", { name: "Join", exact: true }).click()
  await page.getByRole("heading", { name: "Events" }).waitFor()
}

/** Chooses in a list that opens below a field. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).click()
  await page.getByRole("option", { name: option, exact: true }).click()
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/**
 * What axe-core holds against a page as it is just now, outside of `exclude`. Animations have to be over.
 */
export async function findBarriers(page: Page, exclude: readonly string[] = []): Promise<string[]> {
  await page.evaluate(AXE)
  const options = { include: [["html"]], exclude: exclude.map((selector) => [selector]) }
  const violations: readonly Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then((r) => r.violations)`,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}
