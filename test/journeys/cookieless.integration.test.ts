import { createRequire } from "node:module"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Browser, BrowserContext } from "playwright-core"
import { hasChromium, type PageServer, servePage, startBrowser } from "../support/browser.js"
import { ownServer } from "../support/own-server.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, WaymarkProcess } from "../support/waymark-process.js"
import { wholeDecision } from "../support/whole-decision.js"

const EVERYBODY = "$posthog_cookieless"
/** One for all events, as ids hold for a day. */
const NOW = new Date()

interface Warning {
  readonly reason: string
  readonly event: string
  readonly occurrences: number
}

/** An event as posthog-js sends it with `cookieless_mode: "always"`. */
const visit = (event: string, more: Record<string, unknown> = {}, distinctId = EVERYBODY) => ({
  event,
  distinct_id: distinctId,
  timestamp: NOW.toISOString(),
  properties: {
    $cookieless_mode: true,
    $raw_user_agent: "Firefox",
    $host: "shop.example.com",
    $timezone: zoneAtNoon(),
    $process_person_profile: false,
    ...more,
  },
})
const login = (distinctId: string) =>
  visit("$identify", { $anon_distinct_id: EVERYBODY, $process_person_profile: true }, distinctId)

describe("visitors without cookies, over HTTP", () => {
  const { api } = ownServer()
  const send = async (...batch: object[]): Promise<void> => {
    expect((await api.post("/batch/", { api_key: PROJECT_KEY, batch })).status).toBe(200)
    await api.drained()
  }
  const decide = async (distinctId: string, browser = "Server/1"): Promise<unknown> => {
    const body = { token: PROJECT_KEY, distinct_id: distinctId, timezone: zoneAtNoon() }
    const headers = { "user-agent": browser, origin: "https://www.example.com" }
    const asBrowser = {
      post: <T>(path: string, asked: unknown) => api.request<T>("POST", path, asked, headers),
    }
    return (await wholeDecision(asBrowser, body)).featureFlags.color
  }
  const setMode = (mode: string | null): Promise<unknown> =>
    api.changed(
      `mutation ($settings: JSON!) {
        updateProject(input: { settings: { raw: $settings } }) { project { id: number } userErrors { message } } }`,
      {
        settings: { cookieless_mode: mode },
      },
    )

  test("are counted apart, keep their session over the login, and leave no address", async () => {
    await send(visit("one"), visit("one", { $raw_user_agent: "Safari" }), login("ada"), visit("one", {}, "ada"))
    expect(
      await api.hogql(
        `SELECT uniq(person_id), uniq(distinct_id), uniq($session_id), countIf(distinct_id = '${EVERYBODY}'),
                countIf(properties.$ip IS NOT NULL OR properties.$raw_user_agent IS NOT NULL)
         FROM events WHERE event = 'one'`,
      ),
    ).toEqual([[2, 3, 2, 0, 0]])
  })

  test("are decided for flags by the ids that their events have", async () => {
    const variants = Array.from({ length: 20 }, (_, index) => ({ key: `v${index}`, rollout_percentage: 5 }))
    const filters = { groups: [{}], multivariate: { variants } }
    await api.post("/api/projects/@current/feature_flags/", { key: "color", active: true, filters })
    const browsers = Array.from({ length: 8 }, (_, index) => `Browser/${index}`)
    await send(...browsers.map((browser) => visit("flagged", { $raw_user_agent: browser, browser })))
    const ids = await api.hogql<[string]>(
      "SELECT distinct_id FROM events WHERE event = 'flagged' ORDER BY properties.browser",
    )
    const visitors = await Promise.all(browsers.map((browser) => decide(EVERYBODY, browser)))
    expect(visitors).toEqual(await Promise.all(ids.map(([id]) => decide(id))))
    expect(new Set(visitors).size).toBeGreaterThan(1)
  })

  test("are not taken by a project that has them off, which is told", async () => {
    await expect(setMode("always")).rejects.toThrow("cookieless_mode must be one of")
    await setMode("off")
    await send(visit("off"))
    await setMode(null)
    await send(visit("off", { $host: null }))
    expect(await api.hogql("SELECT count() FROM events WHERE event = 'off'")).toEqual([[0]])
    const reasons = await waitFor("both warnings", async () => {
      const { ingestionWarnings } = await api.graphql<{ ingestionWarnings: { nodes: Warning[] } }>(
        "{ ingestionWarnings { nodes { reason event occurrences } } }",
      )
      const told = ingestionWarnings.nodes.filter(({ event }) => event === "off")
      return told.length === 2 && told.map(({ reason, occurrences }) => `${reason} ${occurrences}`).sort()
    })
    expect(reasons).toEqual(["COOKIELESS_MISSING_HOST 1", "COOKIELESS_MODE_OFF 1"])
  })
})

test("visitors without cookies keep their ids when the server dies between its stores, and over the restart", async () => {
  const directory = copyOfTemplate("server")
  const dying = new WaymarkProcess(directory.path, { WAYMARK_CRASH_AT: "after-event-insert" })
  const batch = [visit("before"), login("ada"), visit("after")]
  await new WaymarkApi(await dying.ready()).post("/batch/", { api_key: PROJECT_KEY, batch })
  expect((await dying.ended).signal).toBe("SIGKILL")

  const server = new WaymarkProcess(directory.path)
  try {
    const api = new WaymarkApi(await server.ready())
    await api.capture(visit("after"))
    await api.drained()
    const perEvent = "count(), uniq(distinct_id), uniq(person_id), uniq($session_id)"
    expect(await api.hogql(`SELECT event, ${perEvent} FROM events GROUP BY event ORDER BY event`)).toEqual([
      ["$identify", 1, 1, 1, 1],
      ["after", 2, 1, 1, 1],
      ["before", 1, 1, 1, 1],
    ])
    expect(await api.hogql("SELECT uniq(person_id), uniq($session_id) FROM events")).toEqual([[2, 1]])
  } finally {
    await server.stop()
    directory.remove()
  }
}, 300_000)

/** A zone in which it is noon or so, however late it is here: its day does not end before the test. */
function zoneAtNoon(): string {
  const hoursAhead = 12 - NOW.getUTCHours()
  return hoursAhead === 0 ? "UTC" : `Etc/GMT${hoursAhead > 0 ? "-" : "+"}${Math.abs(hoursAhead)}`
}

/** What the test calls of the SDK in the page. */
declare const posthog: { capture(event: string): void; identify(distinctId: string): void }

const describeBrowser = (): void => {
  const { api } = ownServer()
  const visitors: BrowserContext[] = []
  let browser: Browser
  let pages: PageServer

  beforeAll(async () => {
    const html = `<!doctype html><script src="/sdk.js"></script>
      <script>posthog.init("${PROJECT_KEY}", { api_host: "${api.url}", cookieless_mode: "always" })</script>`
    const folder = createRequire(import.meta.url).resolve("posthog-js/package.json")
    pages = await servePage(html, join(folder, "../dist/array.full.js"))
    browser = await startBrowser()
  })
  afterAll(async () => {
    for (const visitor of visitors) await visitor.close()
    await browser?.close()
    await pages?.close()
  })

  test("tells two browsers apart, and has one visitor's page views in one session until they log in", async () => {
    const timezoneId = zoneAtNoon()
    for (const userAgent of [
      "Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0",
      "Mozilla/5.0 (Macintosh) Firefox/140.0",
    ])
      visitors.push(await browser.newContext({ userAgent, timezoneId }))
    const [first, second] = await Promise.all(visitors.map((visitor) => visitor.newPage()))
    if (first === undefined || second === undefined) throw new Error("two pages were opened")
    const views = (count: number) =>
      waitFor(`${count} page views`, async () => {
        return (await api.hogql("SELECT 1 FROM events WHERE event = '$pageview'")).length === count
      })
    await first.goto(pages.url)
    await views(1)
    await first.reload()
    await second.goto(pages.url)
    await views(3)
    expect(
      await api.hogql(
        `SELECT properties.$browser, count(), uniq(distinct_id), uniq(person_id), uniq($session_id)
         FROM events WHERE event = '$pageview' GROUP BY 1 ORDER BY 1`,
      ),
    ).toEqual([
      ["Chrome", 2, 1, 1, 1],
      ["Firefox", 1, 1, 1, 1],
    ])
    expect(await api.hogql("SELECT uniq(person_id) FROM events WHERE event = '$pageview'")).toEqual([[2]])

    await first.evaluate(() => posthog.identify("ada"))
    await waitFor("the login", async () => (await api.hogql("SELECT 1 FROM events WHERE event = '$identify'")).length)
    expect(
      await api.hogql("SELECT uniq(person_id), uniq($session_id) FROM events WHERE properties.$browser = 'Chrome'"),
    ).toEqual([[1, 1]])
  })
}

if (hasChromium()) describe("posthog-js with cookieless_mode", describeBrowser)
else test.todo("posthog-js with cookieless_mode, where Chromium is installed")
