import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "@jest/globals"
import type { Page } from "playwright-core"
import { newVisitor, servePage } from "../../support/browser.js"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"
import { element, logged, recordPage, sendItems } from "../../support/recorded-pages.js"
import { waitFor } from "../../support/wait-for.js"
import { PROJECT_KEY } from "../../support/waymark-process.js"

const PATH = "/project/@current/recordings"
const SESSIONS = { calm: "0199a000-0000-7000-8000-00000000c001", hostile: "0199a000-0000-7000-8000-00000000c002" }
const DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

const recordedPage = (page: Page) => page.frameLocator("iframe[title='The recorded page']").frameLocator("iframe")

/** The list of recordings, and the player of one. */
export function testRecordings({ api, open }: ConsolePages): void {
  let stranger: Server
  /** Connections to the stranger's server, and what was asked for on them. */
  const calls: string[] = []
  beforeAll(async () => {
    stranger = createServer(({ method, url }, response) => {
      calls.push(`${method} ${url}`)
      response.end()
    })
    stranger.on("connection", () => calls.push("connection"))
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve))
    const startMs = Date.now() - 60_000
    const session = { $session_id: SESSIONS.calm }
    await api.capture({
      event: "checked out",
      distinct_id: "barbara",
      timestamp: new Date(startMs + 10_000).toISOString(),
      properties: session,
    })
    const page = recordPage(startMs, startMs + 40_000, [], [element("p", {}, "Welcome")])
    await sendItems(api, "barbara", SESSIONS.calm, [...page, logged(startMs + 20_000, "error", "<b>no</b> such cup")])
    const { port } = stranger.address() as AddressInfo
    const hostile = writeHostilePage(`http://127.0.0.1:${port}`)
    const written = recordPage(startMs, startMs + 5_000, hostile.head, hostile.body)
    await sendItems(api, "mallory", SESSIONS.hostile, [...written, ...hostile.toLater(startMs + 2)])
    await api.drained()
  })
  afterAll(() => {
    stranger.close()
    stranger.closeAllConnections()
  })

  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await page.getByRole("link", { name: "barbara" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      await page.getByRole("link", { name: "barbara" }).click()
      await page.getByRole("button", { name: "checked out" }).waitFor()
      await page.getByRole("button", { name: "Play", exact: true }).waitFor()
      expect(await findBarriers(page, ["iframe"])).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.close()
    }
  })

  test("are filtered in the address, and say which go on", async () => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "mallory" }).waitFor()
    expect(await page.getByRole("cell").getByText("Live", { exact: true }).count()).toBe(2)
    await page.getByLabel("With errors on the console").check()
    await page.getByRole("link", { name: "mallory" }).waitFor({ state: "detached" })
    await page.getByRole("link", { name: "barbara" }).waitFor()
    await page.getByLabel("Duration").selectOption("60")
    await page.getByRole("heading", { name: "No recordings" }).waitFor()
    expect(new URL(page.url()).search).toBe("?errors=true&longer=60")
    await page.goto(`${api.url}${PATH}?event=checked%20out`)
    await page.getByRole("link", { name: "barbara" }).waitFor()
    expect(await page.getByRole("link", { name: "mallory" }).count()).toBe(0)
    await page.close()
  })

  test("are watched by keyboard alone: played, paused, sought, and led to the error", async () => {
    const page = await open(`${PATH}/${SESSIONS.calm}?t=5`)
    const position = page.getByRole("slider", { name: "Position" })
    const place = () => position.getAttribute("aria-valuetext")
    await recordedPage(page).getByText("Welcome").waitFor()
    expect(await place()).toBe("0:05 of 0:40")
    await position.focus()
    await page.keyboard.press("ArrowRight")
    expect(await place()).toBe("0:06 of 0:40")
    await page.getByRole("button", { name: "Play", exact: true }).press("Enter")
    await page.getByRole("button", { name: "Pause" }).press("Enter")
    await page.getByRole("button", { name: "Play", exact: true }).waitFor()

    await page.getByRole("radio", { name: "Console" }).focus()
    await page.keyboard.press("Space")
    const entry = page.getByRole("button", { name: "<b>no</b> such cup" })
    await entry.press("Enter")
    expect(await place()).toBe("0:20 of 0:40")
    expect(await entry.getAttribute("aria-current")).toBe("true")
    expect(new URL(page.url()).searchParams.get("t")).toBe("20")
    await page.goto(api.url + PATH)
    await page.locator("a.seen", { hasText: "barbara" }).waitFor()
    await page.close()
  })

  test("made by posthog-js are watched, and lead to the error that a click came to", async () => {
    const script = join(createRequire(import.meta.url).resolve("posthog-js/package.json"), "../dist/array.js")
    const shop = await servePage(writeShop(api.url), script)
    const page = await open(PATH)
    const visitor = await newVisitor(page.context().browser()!)
    const visit = await visitor.newPage()
    await visit.goto(shop.url)
    await waitFor("recording to begin", () => visit.evaluate('posthog.sessionRecording?.status === "active"'))
    const sessionId = await visit.evaluate<string>("posthog.get_session_id()")
    await visit.getByRole("button", { name: "Buy" }).click()
    await waitFor("the click and the error to be recorded", async () => {
      const path = `/api/environments/@current/session_recordings/${sessionId}/`
      const { body } = await api.get<{ click_count?: number; console_error_count?: number }>(path)
      return body.click_count === 1 && body.console_error_count === 1
    })
    await visitor.close()
    await shop.close()

    await page.goto(`${api.url}${PATH}/${sessionId}`)
    await recordedPage(page).getByText("Twelve cups").waitFor()
    expect(await recordedPage(page).getByText("Sold out").count()).toBe(0)
    await page.getByRole("radio", { name: "Console" }).focus()
    await page.keyboard.press("Space")
    await page.getByRole("button", { name: "no answer from the bank" }).press("Enter")
    await recordedPage(page).getByText("Sold out").waitFor()
    await page.close()
  })

  test("of strangers run no script, load nothing, and lead nowhere", async () => {
    const page = await open(`${PATH}/${SESSIONS.hostile}`, { isHostile: true })
    const loaded: string[] = []
    page.on("response", (response) => loaded.push(new URL(response.url()).pathname))
    await recordedPage(page).getByText("Welcome").waitFor()
    // The one picture that may be shown tells that the others had their turn.
    await recordedPage(page).locator("#dot").waitFor()
    await page.getByRole("button", { name: "Play", exact: true }).click()
    await page.getByRole("button", { name: "Pause" }).waitFor()
    const pressed = await page.evaluate(`(() => {
      const inner = document.querySelector("iframe").contentDocument.querySelector("iframe").contentDocument
      const all = [...inner.querySelectorAll("a, button")]
      for (const one of all) one.click()
      return all.length
    })()`)
    expect(pressed).toBe(4)
    await page.getByRole("button", { name: "Play", exact: true }).waitFor()
    expect(await page.evaluate("[window.ran, document.querySelectorAll('iframe').length]")).toEqual([undefined, 1])
    expect(new URL(page.url()).pathname).toBe(`${PATH}/${SESSIONS.hostile}`)
    await recordedPage(page).getByText("Welcome").waitFor()
    expect(page.context().pages()).toHaveLength(1)
    expect(loaded.filter((path) => path.startsWith("/stolen"))).toEqual([])
    expect(calls).toEqual([])
    await fetch(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/control`)
    expect(calls).toEqual(["connection", "GET /control"])
    await page.close()
  })
}

/** A page on which a click changes what is read, and fails a moment later. */
const writeShop = (apiUrl: string): string => `<!doctype html><title>Shop</title>
<p>Twelve cups</p><button>Buy</button>
<script>
  document.querySelector("button").addEventListener("click", () => {
    document.querySelector("p").textContent = "Sold out"
    setTimeout(() => console.error("no answer from the bank"), 100)
  })
</script>
<script src="/sdk.js"></script>
<script>
  posthog.init("${PROJECT_KEY}", {
    api_host: "${apiUrl}",
    enable_recording_console_log: true,
    // The SDK gives up after 3 seconds, never to record; a busy machine may need longer.
    feature_flag_request_timeout_ms: 60_000,
  })
</script>`

/** A page that tries all that it must not do; `elsewhere` is the address of a server that must not be called. */
function writeHostilePage(elsewhere: string) {
  const run = "top.ran = true"
  const head = [
    element("base", { href: `${elsewhere}/`, target: "_top" }),
    element("meta", { "http-equiv": "refresh", content: `0; url=${elsewhere}/refresh` }),
    element("script", {}, run),
    element("script", { src: `${elsewhere}/script.js` }),
    element("link", { rel: "stylesheet", href: `${elsewhere}/style.css` }),
    element("link", { rel: "preconnect", href: elsewhere }),
    element("link", { rel: "dns-prefetch", href: elsewhere }),
    element("link", { rel: "prefetch", href: `${elsewhere}/prefetch` }),
    element("link", { rel: "preload", as: "image", href: `${elsewhere}/preload` }),
    element("link", { rel: "icon", href: `${elsewhere}/icon` }),
    element(
      "style",
      {},
      `@import url(${elsewhere}/import.css); p { font-family: stolen; background: url(${elsewhere}/ground) }`,
    ),
  ]
  const body = [
    element("p", { onclick: run }, "Welcome"),
    element("img", { src: `${elsewhere}/picture`, onerror: run }),
    element("img", { src: "/stolen/picture" }),
    element("img", { srcset: `${elsewhere}/set 1x` }),
    element("iframe", { src: `${elsewhere}/frame` }),
    element("iframe", { src: `javascript:${run}` }),
    element("iframe", { srcdoc: `<script>${run}</script><img src="${elsewhere}/inner">` }),
    element("object", { data: `${elsewhere}/object` }),
    element("embed", { src: `${elsewhere}/embed` }),
    element("video", { src: `${elsewhere}/video`, poster: `${elsewhere}/poster`, autoplay: true }),
    element("svg", { onload: run }, element("image", { href: `${elsewhere}/svg` })),
    element("a", { href: `javascript:${run}`, target: "_top" }, "one"),
    element("a", { href: `${elsewhere}/link`, target: "_top", ping: `${elsewhere}/ping` }, "two"),
    element("a", { href: `${elsewhere}/tab`, target: "_blank" }, "three"),
    element("form", { action: `${elsewhere}/form`, method: "post", target: "_top" }, element("button", {}, "four")),
    element("img", { src: DOT, id: "dot", width: "9", height: "9" }),
  ]
  const link = { type: 2, tagName: "link", attributes: { REL: "preconnect", href: elsewhere }, childNodes: [], id: 900 }
  const frame = { type: 2, tagName: "iframe", attributes: {}, childNodes: [], id: 901 }
  const adds = [link, frame].map((node) => ({ parentId: 2, nextId: null, node }))
  const attributes = [{ id: 901, attributes: { src: `${elsewhere}/later` } }]
  const changes = { texts: [], attributes, removes: [], adds }
  const font = { family: "stolen", fontSource: "url(/stolen/font)", buffer: false }
  const toLater = (timestamp: number) =>
    [
      { source: 0, ...changes },
      { source: 10, ...font },
    ].map((data) => ({ type: 3, timestamp, data }))
  return { head, body, toLater }
}
