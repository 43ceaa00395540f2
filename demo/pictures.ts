import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import { fillServer } from "./fill.js"
import { findOrStartServer } from "./server.js"

/** Where the documents have their pictures. */
const FOLDER = "docs/pictures"
/** A port that nothing else is likely to have. */
const PORT = "18127"
const PROJECT = "/project/@current"

/** Draws the pictures of the README: a server of its own, the demo's data, and what somebody sees who opens it. */
const directory = mkdtempSync(join(tmpdir(), "waymark-pictures-"))
Object.assign(process.env, { DATA_DIR: directory, PORT })
const server = await findOrStartServer()
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
try {
  await fillServer(server)
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" })
  page.setDefaultTimeout(60_000)
  await signIn(page, server.welcomeUrl ?? "")

  await page.goto(`${server.url}${PROJECT}/dashboards`)
  await page.getByRole("link", { name: "Growth" }).click()
  await page.getByText("Dormant").last().waitFor()
  await keep(page, "console-dashboard")

  await page.goto(`${server.url}${PROJECT}/insights?search=From%20page`)
  await page.getByRole("link", { name: "From page to purchase" }).click()
  await page.getByText("(100 %)").first().waitFor()
  await keep(page, "console-insight")

  await page.goto(`${server.url}${PROJECT}/flags/beta-reports`)
  await page.getByText("persons fit").first().waitFor()
  await keep(page, "console-flag")

  await page.goto(`${server.url}${PROJECT}/playlists`)
  await page.getByRole("link", { name: "Failed payments" }).click()
  await page.getByRole("table").getByRole("link").first().click()
  await page.getByRole("button", { name: "payment failed" }).click()
  await page.frameLocator("iframe[title='The recorded page']").frameLocator("iframe").locator("main").waitFor()
  await keep(page, "console-recording")
} finally {
  await browser.close()
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel("E-mail", { exact: true }).fill("ada@example.test")
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace")
  await page.getByLabel("Password", { exact: true }).fill("an engine of brass")
  await page.getByRole("button", { name: "Create your account" }).click()
  await page.getByRole("heading", { name: "Events" }).waitFor()
}

async function keep(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle")
  await page.locator("[aria-busy=true], [aria-label=Loading]").first().waitFor({ state: "detached" })
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" })
}
