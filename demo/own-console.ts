import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { type DemoServer, findOrStartServer } from "./server.js"

/** A port that nothing else is likely to have. */
const PORT = "18127"

/** A server with nothing in it, and a browser to look at its console. */
export interface OwnConsole {
  readonly server: DemoServer
  readonly browser: Browser
  /** Ends both and removes what the server stored. */
  stop(): Promise<void>
}

/** Starts a server in a directory of its own, and Debian's Chromium. */
export async function startOwnConsole(): Promise<OwnConsole> {
  const directory = mkdtempSync(join(tmpdir(), "waymark-console-"))
  Object.assign(process.env, { DATA_DIR: directory, PORT })
  const server = await findOrStartServer()
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
  const stop = async (): Promise<void> => {
    await browser.close()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { server, browser, stop }
}

/** Becomes the owner by the link of the first start, as whoever starts a server does; the first screen is shown then. */
export async function claimOwner(page: Page, { welcomeUrl }: DemoServer): Promise<void> {
  await page.goto(welcomeUrl ?? "")
  await page.getByLabel("E-mail", { exact: true }).fill("ada@example.test")
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace")
  await page.getByLabel("Password", { exact: true }).fill("an engine of brass")
  await page.getByRole("button", { name: "Create your account" }).click()
  await page.getByRole("navigation").first().waitFor()
}
