import { createRequire } from "node:module"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Browser, Page } from "playwright-core"
import { hasChromium, newVisitor, type PageServer, servePage, startBrowser } from "../support/browser.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

declare const posthog: {
  get_session_id(): string
  sessionRecording?: { status: string }
}

const RECORDINGS = "/api/environments/@current/session_recordings/"

const pageHtml = (apiUrl: string): string => `<!doctype html><title>Kaffe</title>
<p>Smörgås ☕</p><button id="buy">Köp nu</button><input id="name">
<script src="/sdk.js"></script>
<script>posthog.init("${PROJECT_KEY}", { api_host: "${apiUrl}", disable_compression: false })</script>`

const folderOf = (name: string): string => createRequire(import.meta.url).resolve(`${name}/package.json`)

interface Recording {
  readonly click_count: number
  readonly keypress_count: number
  readonly [field: string]: unknown
}

const describeRecording = (): void => {
  const directory = temporaryDirectory()
  const server = new WaymarkProcess(directory.path)
  let api: WaymarkApi
  let browser: Browser

  beforeAll(async () => {
    const [url, started] = await Promise.all([server.ready(), startBrowser()])
    api = new WaymarkApi(url)
    browser = started
  })
  afterAll(async () => {
    await browser?.close()
    await server.stop()
    directory.remove()
  })

  describe.each([
    ["1.449", "posthog-js"],
    ["1.230", "posthog-js-1-230"],
  ])("%s", (_, packageName) => {
    let pages: PageServer
    let page: Page
    let sessionId: string

    beforeAll(async () => {
      pages = await servePage(pageHtml(api.url), join(folderOf(packageName), "../dist/array.full.js"))
      page = await (await newVisitor(browser)).newPage()
      await page.goto(pages.url)
    })
    afterAll(() => pages?.close())

    const recording = async (): Promise<Recording | null> => {
      const { status, body } = await api.get<Recording>(`${RECORDINGS}${sessionId}/`)
      return status === 200 ? body : null
    }

    test("records what a visitor does, every click and every letter counted", async () => {
      await waitFor("recording to begin", () => page.evaluate(() => posthog.sessionRecording?.status === "active"))
      sessionId = await page.evaluate(() => posthog.get_session_id())
      for (let time = 0; time < 4; time++) await page.click("#buy")
      await page.focus("#name")
      await page.keyboard.type("kaffe!")
      await page.evaluate(() => {
        for (const level of ["log", "warn", "error"] as const) console[level](`${level} ☕`)
      })
      const body = await waitFor("the recording", async () => {
        const found = await recording()
        return found !== null && found.keypress_count >= 6 && found.console_error_count === 1 ? found : null
      })
      expect(body).toMatchObject({
        click_count: 4,
        keypress_count: 6,
        console_log_count: 1,
        console_warn_count: 1,
        start_url: pages.url,
        snapshot_source: "web",
        ongoing: true,
      })
      expect(body.mouse_activity_count).toBeGreaterThanOrEqual(4)
    })

    test("can be played: the first page load comes first, with the whole page in it", async () => {
      const { body } = await api.get<{ sources: { blob_key: string }[] }>(`${RECORDINGS}${sessionId}/snapshots/`)
      const last = Math.min(body.sources.length, 20) - 1
      const lines = await api.get<string>(
        `${RECORDINGS}${sessionId}/snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=${last}`,
      )
      const items = lines.body
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as [string, { type: number; timestamp: number; data: unknown; cv?: string }])
      const times = items.map(([, { timestamp }]) => timestamp)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      const full = items.find(([, { type }]) => type === 2)?.[1]
      const text =
        full?.cv === undefined
          ? JSON.stringify(full?.data)
          : gunzipSync(Buffer.from(String(full.data), "latin1")).toString("utf8")
      expect(text).toContain("Smörgås ☕")
    })
  })
}

if (hasChromium()) describe("posthog-js recording in a browser", describeRecording)
else test.todo("posthog-js recording in a browser, where Chromium is installed")
