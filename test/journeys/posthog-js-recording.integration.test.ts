import { createRequire } from "node:module"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Browser, Page } from "playwright-core"
import { hasChromium, newVisitor, type PageServer, servePage, startBrowser } from "../support/browser.js"
import { inflateItem, type RecordedItem, replay, shownOf } from "../support/rrweb-player.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, WaymarkProcess } from "../support/waymark-process.js"

declare const posthog: {
  get_session_id(): string
  sessionRecording?: { status: string }
}

const RECORDINGS = "/api/environments/@current/session_recordings/"

const pageHtml = (apiUrl: string, script = "/sdk.js"): string => `<!doctype html><title>Kaffe</title>
<style>
  body { height: 3000px }
  #menu { height: 90px; width: 200px; overflow: auto }
  #menu li { height: 30px }
  #menu .chosen { background: rgb(255, 220, 0) }
</style>
<p>Smörgås ☕</p><button id="buy">Köp nu</button><input id="name">
<textarea id="note"></textarea><input type="checkbox" id="agree">
<ul id="menu">${Array.from({ length: 20 }, (_, index) => `<li>Kopp ${index}</li>`).join("")}</ul>
<script>
  const menu = document.getElementById("menu")
  document.getElementById("agree").addEventListener("click", () => {
    menu.firstElementChild.remove()
    menu.children[3].className = "chosen"
    menu.children[4].textContent = "Größe <b>2</b>"
    const added = menu.appendChild(document.createElement("li"))
    added.innerHTML = "<em>ny</em> kopp"
  })
</script>
<script src="${script}"></script>
<script>
  posthog.init("${PROJECT_KEY}", {
    api_host: "${apiUrl}",
    disable_compression: false,
    // The SDK gives up after 3 seconds, never to record; a busy machine may need longer.
    feature_flag_request_timeout_ms: 60_000,
  })
</script>`

/** Of an incremental item of rrweb. */
const SCROLL = 3

/** What the recorder writes in place of typed text. */
const hidden = (text: string): string => "*".repeat(text.length)

const folderOf = (name: string): string => createRequire(import.meta.url).resolve(`${name}/package.json`)

interface Recording {
  readonly click_count: number
  readonly keypress_count: number
  readonly [field: string]: unknown
}

const describeRecording = (): void => {
  const directory = copyOfTemplate("server")
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

  test("a page with the script of the HTML snippet, from this server, is recorded with the recorder from here", async () => {
    const script = `${api.url}/static/array.js`
    const pages = await servePage(pageHtml(api.url, script), join(folderOf("posthog-js"), "../dist/array.js"))
    const page = await (await newVisitor(browser)).newPage()
    await page.goto(pages.url)
    await waitFor("recording to begin", () => page.evaluate(() => posthog.sessionRecording?.status === "active"))
    const sessionId = await page.evaluate(() => posthog.get_session_id())
    await page.click("#buy")
    await waitFor("the click to be recorded", async () => {
      const { status, body } = await api.get<Recording>(`${RECORDINGS}${sessionId}/`)
      return status === 200 && body.click_count === 1
    })
    await pages.close()
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

    /** All items of the recording so far, as the API answers them. */
    const recordedItems = async (): Promise<RecordedItem[]> => {
      const snapshots = `${RECORDINGS}${sessionId}/snapshots/`
      const { sources } = (await api.get<{ sources: { blob_key: string }[] }>(snapshots)).body
      const items: RecordedItem[] = []
      for (let first = 0; first < sources.length; first += 20) {
        const last = Math.min(first + 19, sources.length - 1)
        const range = `?source=blob_v2&start_blob_key=${first}&end_blob_key=${last}`
        const lines = (await api.get<string>(snapshots + range)).body.trim().split("\n")
        items.push(...lines.map((line) => (JSON.parse(line) as [string, RecordedItem])[1]))
      }
      return items
    }

    test("can be played: the first page load comes first, with the whole page in it", async () => {
      const items = await recordedItems()
      const times = items.map(({ timestamp }) => timestamp)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      const full = items.find(({ type }) => type === 2) as RecordedItem
      expect(JSON.stringify(inflateItem(full).data)).toContain("Smörgås ☕")
    })

    test("plays in rrweb's own player to the page that the visitor saw in the end, what was typed hidden", async () => {
      await page.click("#agree")
      await page.fill("#note", "två koppar")
      await page.evaluate('document.getElementById("menu").scrollTop = 120; window.scrollTo(0, 400)')
      const seen = await waitFor("the page to be scrolled", async () => {
        const shown = await shownOf(page)
        return shown.scroll[1] === 400 && shown.elements.some((element) => element.endsWith("|120")) && shown
      })
      const items = await waitFor("all that was done to be stored", async () => {
        const stored = (await recordedItems()).map(inflateItem)
        const scrolls = stored.map(({ data }) => data as { source?: number; y?: number })
        const isScrolled = (end: number) => scrolls.some(({ source, y }) => source === SCROLL && y === end)
        const text = JSON.stringify(stored)
        const parts = ["<b>2</b>", '"ny"', `"${hidden("två koppar")}"`, '"isChecked":true']
        return isScrolled(120) && isScrolled(400) && parts.every((part) => text.includes(part)) && stored
      })
      const replayed = await replay(await (await newVisitor(browser)).newPage(), items)
      const typed = ["kaffe!", "två koppar"].map((text) => `|${text}|`)
      const expected = seen.elements.map((element) =>
        typed.reduce((masked, text) => masked.replace(text, `|${hidden(text.slice(1, -1))}|`), element),
      )
      expect(expected).not.toEqual(seen.elements)
      expect(replayed).toEqual({ ...seen, elements: expected })
    })
  })
}

if (hasChromium()) describe("posthog-js recording in a browser", describeRecording)
else test.todo("posthog-js recording in a browser, where Chromium is installed")
