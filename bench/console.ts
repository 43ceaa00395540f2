import { loadavg } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import type { BrowserContext, Page } from "playwright-core"
import { createApi } from "../demo/api.js"
import { type Chart, createDashboard, DASHBOARDS } from "../demo/dashboards.js"
import { fillServer } from "../demo/fill.js"
import { claimOwner, startOwnConsole } from "../demo/own-console.js"
import { clickUntilTiles, clickUntilTitle, watchFrames } from "./support/page-clock.js"
import { printTable } from "./support/table.js"

/**
 * How long people wait for the console in Chromium, with the demo's data on a server of its own, beside what a page without
 * script takes there. `bench/console.ts [--visitors 60]`; 6200 visitors a day send a million events in their month.
 */
const { values: options } = parseArgs({ options: { visitors: { type: "string", default: "60" } } })
const PROJECT = "/project/@current"
const LOADS = 5
const TILES = 20
const LIVE = { perSecond: 500, seconds: 15, batch: 50 }
const TYPED = "the name of an event that nobody sends"

const { server, browser, stop } = await startOwnConsole()
const rows: string[][] = []
const note = (what: string, values: readonly number[], wanted: string): void => {
  const [median, longest] = [values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0, Math.max(...values)]
  rows.push([what, median.toFixed(0), longest.toFixed(0), wanted])
}

/** Milliseconds until the page at `path` shows `selector`, in a browser that has never been there. */
async function loadCold(owner: BrowserContext, path: string, selector: string): Promise<number> {
  const context = await browser.newContext({ storageState: await owner.storageState() })
  const page = await context.newPage()
  const startedAt = performance.now()
  await page.goto(server.url + path, { waitUntil: "commit" })
  await page.locator(selector).first().waitFor()
  const ms = performance.now() - startedAt
  await context.close()
  return ms
}

async function measureLoads(owner: BrowserContext): Promise<void> {
  const [bare, first]: [number[], number[]] = [[], []]
  for (let load = 0; load < LOADS; load++) {
    bare.push(await loadCold(owner, "/_livez", "body"))
    first.push(await loadCold(owner, `${PROJECT}/dashboards`, "main tbody a"))
  }
  note("a page without script", bare, "")
  note("first load of the dashboards, cold, until their links are there", first, "1500")
}

async function measureRoutes(page: Page): Promise<void> {
  await page.goto(`${server.url}${PROJECT}/dashboards`)
  await page.locator("main h1").waitFor()
  const titles = (await page.locator("nav a").allTextContents()).filter((title) => title !== "Dashboards")
  for (const [visit, wanted] of [
    ["first", ""],
    ["next", "150"],
  ] as const) {
    const times: number[] = []
    for (const title of [...titles, "Dashboards"]) times.push(await clickUntilTitle(page, title))
    note(`${times.length} changes of the screen, ${visit} visit`, times, wanted)
  }
}

async function measureTyping(page: Page): Promise<void> {
  await page.goto(`${server.url}${PROJECT}/events`)
  const field = page.getByRole("textbox", { name: "Event" }).first()
  await field.click()
  const { longestKeyMs } = await watchFrames(page, () => field.pressSequentially(TYPED, { delay: 40 }))
  note(`${TYPED.length} letters typed into the filter of the events`, [longestKeyMs], "50")
}

/** The demo's charts over three ranges of days: as many different questions as there are tiles. */
function listCharts(): Chart[] {
  const dated = DASHBOARDS.flatMap(({ charts }) => charts).filter(([, query]) => !("hogql" in query))
  return [30, 14, 7]
    .flatMap((days) =>
      dated.map(([name, query]): Chart => {
        const [[kind, question] = ["", {}]] = Object.entries(query)
        return [`${name}, ${days} days`, { [kind]: { ...question, dates: { from: `-${days}d` } } }]
      }),
    )
    .slice(0, TILES)
}

async function measureTiles(page: Page): Promise<void> {
  await createDashboard(createApi(server), { name: "All of it", text: "Everything", charts: listCharts() })
  for (const [visit, wanted] of [
    ["first", ""],
    ["next", "2000"],
  ] as const) {
    await page.goto(`${server.url}${PROJECT}/dashboards`)
    await page.getByRole("link", { name: "All of it" }).waitFor()
    note(`dashboard of ${TILES} tiles, ${visit} visit`, [await clickUntilTiles(page, "All of it", TILES)], wanted)
  }
}

async function sendLive(): Promise<void> {
  const batches = (LIVE.perSecond * LIVE.seconds) / LIVE.batch
  const startedAt = performance.now()
  for (let batch = 0; batch < batches; batch++) {
    const events = Array.from({ length: LIVE.batch }, (_, index) => ({
      event: "a step",
      distinct_id: `walker ${(batch * LIVE.batch + index) % 97}`,
      properties: { step: index },
    }))
    const response = await fetch(`${server.url}/batch/`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ api_key: server.projectKey, batch: events }),
    })
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    await pause(Math.max(0, ((batch + 1) * LIVE.batch * 1000) / LIVE.perSecond - (performance.now() - startedAt)))
  }
}

async function measureLive(page: Page): Promise<void> {
  await page.goto(`${server.url}${PROJECT}/live`)
  await page.getByText("live", { exact: true }).waitFor()
  const { longestFrameMs, longFrames } = await watchFrames(page, sendLive)
  note(`the longest frame at ${LIVE.perSecond} live events/s for ${LIVE.seconds} s`, [longestFrameMs], "50")
  rows.push(["frames over 50 ms in that time", String(longFrames), "", "0"])
}

async function measurePlayer(page: Page): Promise<void> {
  await page.goto(`${server.url}${PROJECT}/recordings`)
  const links = page.getByRole("table").getByRole("link")
  await links.first().waitFor()
  const times: number[] = []
  for (let recording = 0; recording < LOADS; recording++) {
    const startedAt = performance.now()
    await links.nth(recording).click()
    await page.frameLocator("iframe[title='The recorded page']").frameLocator("iframe").locator("main").waitFor()
    times.push(performance.now() - startedAt)
    await page.goBack()
    await links.first().waitFor()
  }
  note("a recording, from the list until its page is drawn", times, "1000")
}

try {
  await fillServer(server, Number(options.visitors))
  const owner = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await owner.newPage()
  await claimOwner(page, server)
  await measureLoads(owner)
  await measureRoutes(page)
  await measureTyping(page)
  await measureTiles(page)
  await measureLive(page)
  await measurePlayer(page)
  process.stdout.write(`\n${options.visitors} visitors a day, load ${loadavg()[0]?.toFixed(1)}\n\n`)
  printTable(["milliseconds in Chromium", "median", "longest", "wanted"], rows)
} finally {
  await stop()
}
