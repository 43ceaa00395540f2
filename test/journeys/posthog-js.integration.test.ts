import { createRequire } from "node:module"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { hasChromium, newVisitor, type PageServer, servePage, startBrowser } from "../support/browser.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, WaymarkProcess } from "../support/waymark-process.js"
import { wholeDecision } from "../support/whole-decision.js"

/** What the test calls of the SDK in the page. */
interface BrowserSdk {
  init(token: string, options: object): void
  identify(distinctId: string, properties: object): void
  get_distinct_id(): string
  getFeatureFlag(key: string): string | boolean | undefined
  getFeatureFlagPayload(key: string): unknown
  getEarlyAccessFeatures(callback: (features: readonly object[]) => void, isReloaded: boolean, stages?: string[]): void
  updateEarlyAccessFeatureEnrollment(key: string, isEnrolled: boolean): void
}
declare const posthog: BrowserSdk

const VARIANTS = Array.from({ length: 20 }, (_, index) => ({ key: `v${index}`, rollout_percentage: 5 }))
const FLAGS = [
  { key: "everybody", filters: { groups: [{}], payloads: { true: '{"color":"blå"}' } } },
  { key: "nobody", filters: { groups: [{ rollout_percentage: 0 }] } },
  {
    key: "team-plan",
    filters: {
      groups: [{ properties: [{ key: "plan", type: "person", operator: "exact", value: "team" }] }],
      multivariate: { variants: [{ key: "blue", rollout_percentage: 100 }] },
      payloads: { blue: '{"depth":3}' },
    },
  },
  {
    key: "new-editor",
    filters: {
      groups: [{ rollout_percentage: 0 }],
      early_access: { name: "New editor", description: "It is faster.", documentation_url: "https://docs.test/editor" },
    },
  },
  {
    key: "time-machine",
    filters: { groups: [{ rollout_percentage: 0 }], early_access: { name: "Time machine", stage: "concept" } },
  },
  { key: "kept", ensure_experience_continuity: true, filters: { groups: [{}], multivariate: { variants: VARIANTS } } },
]

const pageHtml = (apiUrl: string): string => `<!doctype html><title>Kaffe</title>
<button id="buy" class="primary big">Köp nu</button>
<script src="/sdk.js"></script>
<script>posthog.init("${PROJECT_KEY}", { api_host: "${apiUrl}" })</script>`

const folderOf = (name: string): string => createRequire(import.meta.url).resolve(`${name}/package.json`)

const generations: [string, string, string][] = [
  ["1.449", "posthog-js", "/flags/"],
  ["1.230", "posthog-js-1-230", "/decide/"],
]

const describeBrowser = (): void => {
  const directory = copyOfTemplate("server")
  const server = new WaymarkProcess(directory.path)
  let api: WaymarkApi
  let browser: Browser

  beforeAll(async () => {
    const [url, started] = await Promise.all([server.ready(), startBrowser()])
    api = new WaymarkApi(url)
    browser = started
    for (const flag of FLAGS) {
      const { status } = await api.post("/api/projects/@current/feature_flags/", { active: true, ...flag })
      expect(status).toBe(201)
    }
  })
  afterAll(async () => {
    await browser?.close()
    await server.stop()
    directory.remove()
  })

  describe.each(generations)("%s", (version, packageName, decidePath) => {
    const requested: string[] = []
    let pages: PageServer
    let visitor: BrowserContext
    let page: Page
    let anonymousId: string
    let userId: string
    let keptBefore: unknown

    const flagOf = (key: string) => page.evaluate((flag) => posthog.getFeatureFlag(flag), key)
    const payloadOf = (key: string) => page.evaluate((flag) => posthog.getFeatureFlagPayload(flag), key)
    const decide = async (distinctId: string) =>
      (await wholeDecision(api, { token: PROJECT_KEY, distinct_id: distinctId })).featureFlags
    const flagsArrived = (what: string) =>
      waitFor(what, async () => (await flagOf("everybody")) !== undefined && (await flagOf("kept")) !== undefined)

    beforeAll(async () => {
      const dist = join(folderOf(packageName), "../dist/array.full.js")
      pages = await servePage(pageHtml(api.url), dist)
      visitor = await newVisitor(browser)
      page = await visitor.newPage()
      page.on("request", (request) => requested.push(new URL(request.url()).pathname))
      await page.goto(pages.url)
    })
    afterAll(async () => {
      await visitor?.close()
      await pages?.close()
    })

    test(`loads flags with their payloads from ${decidePath}`, async () => {
      await flagsArrived("flags on load")
      expect(requested).toContain(decidePath)
      expect(await flagOf("everybody")).toBe(true)
      expect(await payloadOf("everybody")).toEqual({ color: "blå" })
      expect(await flagOf("nobody")).toBe(false)
      expect(await flagOf("team-plan")).toBe(false)
    })

    test("reloads flags at login, with the properties given there, and keeps what the anonymous visitor had", async () => {
      anonymousId = await page.evaluate(() => posthog.get_distinct_id())
      keptBefore = await flagOf("kept")
      // An id whose own hash says otherwise, so that only continuity can explain the value.
      const candidates = Array.from({ length: 10 }, (_, index) => `ada-${index}-${version}@mail.example`)
      userId = await waitFor("an id of another variant", async () => {
        for (const candidate of candidates) if ((await decide(candidate)).kept !== keptBefore) return candidate
        return null
      })
      await page.click("#buy")
      await page.evaluate((id) => posthog.identify(id, { plan: "team", name: "Ada ☕" }), userId)
      await waitFor("flags after login", async () => (await flagOf("team-plan")) === "blue")
      expect(await payloadOf("team-plan")).toEqual({ depth: 3 })
      expect(await flagOf("kept")).toBe(keptBefore)
    })

    test("gets the same values on the next page, and from a server that is asked with the login alone", async () => {
      await page.reload()
      await flagsArrived("flags after the reload")
      expect(await flagOf("kept")).toBe(keptBefore)
      await waitFor("the stored plan to count", async () => (await decide(userId))["team-plan"] === "blue")
      expect((await decide(userId)).kept).toBe(keptBefore)
    })

    test("lists features that users may switch on for themselves, and has them on for who did", async () => {
      const list = (stages?: string[]) =>
        page.evaluate(
          (wanted) => new Promise((resolve) => posthog.getEarlyAccessFeatures(resolve, true, wanted)),
          stages,
        )
      const editor = { flagKey: "new-editor", name: "New editor", description: "It is faster.", stage: "beta" }
      expect(await list()).toMatchObject([{ ...editor, documentationUrl: "https://docs.test/editor" }])
      expect(await list(["concept"])).toMatchObject([{ flagKey: "time-machine", stage: "concept" }])
      for (const isEnrolled of [true, false]) {
        for (const key of ["new-editor", "time-machine"])
          await page.evaluate(
            ([flag, isWanted]) => posthog.updateEarlyAccessFeatureEnrollment(String(flag), isWanted === true),
            [key, isEnrolled] as const,
          )
        await waitFor("the enrolment to count", async () => (await decide(userId))["new-editor"] === isEnrolled)
        // A concept is wanted by who enrols, and had by nobody.
        expect((await decide(userId))["time-machine"]).toBe(false)
      }
    })

    test("captures page views, clicks and the login, and leaves by beacon; all belong to one person", async () => {
      await page.close({ runBeforeUnload: true })
      const ids = `('${anonymousId}', '${userId}')`
      const left = () => api.hogql(`SELECT 1 FROM events WHERE event = '$pageleave' AND distinct_id = '${userId}'`)
      await waitFor("the departure to be stored", async () => (await left()).length > 0)
      const counts = await api.hogql<[string, number]>(
        `SELECT event, count() FROM events
         WHERE distinct_id IN ${ids} AND event IN ('$pageview', '$autocapture', '$identify', '$pageleave')
         GROUP BY event`,
      )
      expect(Object.fromEntries(counts)).toEqual({ $pageview: 2, $autocapture: 1, $identify: 1, $pageleave: 1 })
      const [click] = await api.hogql(
        `SELECT properties.$event_type, properties.$el_text, properties.$lib, elements_chain LIKE '%Köp nu%', distinct_id
         FROM events WHERE event = '$autocapture' AND distinct_id IN ${ids}`,
      )
      expect(click).toEqual(["click", "Köp nu", "web", expect.anything(), anonymousId])
      const [view] = await api.hogql(
        `SELECT DISTINCT properties.$current_url FROM events WHERE event = '$pageview' AND distinct_id IN ${ids}`,
      )
      expect(view).toEqual([pages.url])
      expect(
        await api.hogql(
          `SELECT count(DISTINCT person_id), any(person.properties.name) FROM events WHERE distinct_id IN ${ids}`,
        ),
      ).toEqual([[1, "Ada ☕"]])
    })
  })
}

if (hasChromium()) describe("posthog-js in a browser", describeBrowser)
else test.todo("posthog-js in a browser, where Chromium is installed")
