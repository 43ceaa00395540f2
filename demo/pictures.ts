import { join } from "node:path"
import type { Page } from "playwright-core"
import { fillServer } from "./fill.js"
import { claimOwner, startOwnConsole } from "./own-console.js"

/** Where the documents have their pictures. */
const FOLDER = "docs/pictures"
const PROJECT = "/project/@current"

/** Draws the pictures of the README: a server of its own, the demo's data, and what somebody sees who opens it. */
const { server, browser, stop } = await startOwnConsole()
try {
  await fillServer(server)
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" })
  page.setDefaultTimeout(60_000)
  await claimOwner(page, server)

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
  await stop()
}

async function keep(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle")
  await page.locator("[aria-busy=true], [aria-label=Loading]").first().waitFor({ state: "detached" })
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" })
}
