import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type Browser, type BrowserContext, chromium } from "playwright-core"

const BINARY = "/usr/bin/chromium"
/** A visitor of flesh and blood as far as the SDK's filter of bots can tell. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-blink-features=AutomationControlled",
]

/**
 * Whether browser tests can run here; says plainly when they cannot.
 * @throws Error in CI, which installs Chromium: there its absence is a fault.
 */
export function hasChromium(): boolean {
  if (existsSync(BINARY)) return true
  if (process.env.CI === "true") throw new Error(`browser tests need ${BINARY}`)
  console.warn(`SKIPPED: browser tests, because there is no ${BINARY}`)
  return false
}

/** Starts Chromium without a window. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: BINARY, headless: true, args: ARGUMENTS })

/** A visitor with empty storage. */
export const newVisitor = (browser: Browser): Promise<BrowserContext> => browser.newContext({ userAgent: USER_AGENT })

/** The server of a page. */
export interface PageServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves one page, and one script at `/sdk.js`, from an origin of their own; nothing else is there. */
export async function servePage(html: string, scriptPath: string): Promise<PageServer> {
  const script = readFileSync(scriptPath)
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://page").pathname
    if (path === "/sdk.js") response.setHeader("Content-Type", "text/javascript").end(script)
    else if (path === "/") response.setHeader("Content-Type", "text/html; charset=utf-8").end(html)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
