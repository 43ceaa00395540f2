import type { Page } from "playwright-core"
import type { WaymarkApi } from "../support/waymark-api.js"
import { type Made, TODAY_MS } from "./data.js"

/** A screen whose picture is kept. */
export interface Screen {
  /** Its path, within the project unless it begins with a slash. */
  readonly path: (made: Made) => string
  /** What has to be seen before its picture is made, as selectors of Playwright. */
  readonly shows: readonly string[]
  /** Does what a person does there before the picture is made. */
  readonly act?: (page: Page, api: WaymarkApi) => Promise<void>
  /** Whether nobody is signed in. */
  readonly isAnonymous?: boolean
  /** Whether what is around the screen belongs to the picture: elsewhere a new place in the navigation must not count. */
  readonly isWhole?: boolean
}

const at =
  (path: string): Screen["path"] =>
  () =>
    path
const question = (search: Record<string, unknown>): Screen["path"] => {
  const texts = Object.entries(search).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ])
  return at(`insights/new?${new URLSearchParams(Object.fromEntries(texts))}`)
}

const listTabs = (path: string, tabs: readonly string[]): Readonly<Record<string, Screen>> =>
  Object.fromEntries(
    tabs.map((tab) => [`${path}-${tab}`, { path: at(`${path}?tab=${tab}`), shows: ["role=tabpanel"] }]),
  )
const link = (name: string): string => `role=link[name="${name}"]`
const PERSON = link("grace@example.test")
const FUNNEL = "text=(100 %)"

/** Every screen by the name of its pictures. Recordings come first: they count as live for five minutes. */
export const SCREENS: Readonly<Record<string, Screen>> = {
  recordings: { path: at("recordings"), shows: [PERSON] },
  playlists: { path: at("playlists"), shows: [link("Failed payments")] },
  playlist: { path: ({ playlist }) => `playlists/${playlist}`, shows: [PERSON] },
  recording: {
    path: ({ session }) => `recordings/${session}?t=31`,
    shows: ["text=payment is slow"],
    act: seeRecordedPage,
  },
  "sign-in": { path: at("/sign-in"), shows: ["form"], isAnonymous: true },
  welcome: { path: at("/welcome?token=x"), shows: ["form"], isAnonymous: true },
  invitation: { path: at("/invitation?token=x"), shows: ["form"], isAnonymous: true },
  "reset-password": { path: at("/reset-password?token=x"), shows: ["form"], isAnonymous: true },
  shared: { path: ({ share }) => `/shared/${share}`, shows: [FUNNEL, ".tile svg"], isAnonymous: true },
  shell: { path: at("cohorts"), shows: [link("Testers"), "nav"], isWhole: true },
  start: { path: at("start"), shows: ["text=Waiting for an event", "text=posthog.init"] },
  live: { path: at("live"), shows: ["text=purchase"], act: receiveEvents },
  events: { path: at("events?event=purchase"), shows: ["role=cell[name=purchase]"] },
  insights: { path: at("insights"), shows: [link("Visitors")] },
  insight: { path: ({ funnel }) => `insights/${funnel}`, shows: [FUNNEL] },
  trends: { path: question({ series: [{ event: "$pageview" }] }), shows: ["role=img[name='Line chart']"] },
  retention: {
    path: question({ kind: "retention", series: [{ event: "signed up" }, { event: "$pageview" }] }),
    shows: ["text=Day 1"],
  },
  paths: { path: question({ kind: "paths" }), shows: ["td >> text=https://shop.test"] },
  lifecycle: {
    path: question({ kind: "lifecycle", series: [{ event: "$pageview" }] }),
    shows: ["role=img[name='Line chart']"],
  },
  web: { path: question({ kind: "web" }), shows: ["text=Bounce rate"] },
  hogql: { path: at("hogql"), shows: ["role=img[name='Chart: times']"], act: askInHogql },
  dashboards: { path: at("dashboards"), shows: [link("Shop")] },
  dashboard: { path: ({ dashboard }) => `dashboards/${dashboard}`, shows: [FUNNEL, ".tile svg"] },
  flags: { path: at("flags"), shows: [link("for-testers")] },
  flag: { path: at("flags/new-checkout"), shows: ["text=of 6 persons fit"] },
  "flag-test": { path: at("flags/new-checkout?tab=test&person=grace"), shows: ["text=stands at"] },
  "flag-usage": { path: at("flags/new-checkout?tab=usage"), shows: ["role=tabpanel"] },
  "flag-code": { path: at("flags/new-checkout?tab=code"), shows: ["text=onFeatureFlags"] },
  "flag-schedule": { path: at("flags/new-checkout?tab=schedule"), shows: ["text=Nothing is planned"] },
  "flag-early": { path: at("flags/new-checkout?tab=early"), shows: ["form"] },
  "flag-history": { path: at("flags/new-checkout?tab=history"), shows: ["role=cell[name=created]"] },
  persons: { path: at("persons"), shows: [PERSON] },
  person: { path: ({ person }) => `persons/${person}`, shows: ["text=Grace Hopper"] },
  "person-flags": { path: ({ person }) => `persons/${person}?tab=flags`, shows: ["text=Matched condition set 1"] },
  groups: { path: at("groups/company"), shows: [link("Analytical Engines")] },
  group: { path: at("groups/company/engine"), shows: ["text=seats"] },
  cohorts: { path: at("cohorts"), shows: [link("Testers")] },
  "cohort-new": { path: at("cohorts/new"), shows: ["form"] },
  "cohort-edit": { path: ({ cohort }) => `cohorts/${cohort}/edit`, shows: ["form"] },
  cohort: { path: ({ cohort }) => `cohorts/${cohort}`, shows: [PERSON] },
  ...listTabs("data", ["events", "properties", "warnings", "letters", "plugins"]),
  ...listTabs("settings", ["project", "members", "keys", "exports", "account", "log", "usage"]),
  "settings-events": { path: at("settings?tab=events"), shows: ["role=cell[name='/product']"], act: cleanPaths },
  graphql: { path: at("graphql"), shows: [".graphiql-query-editor >> text=email"] },
}

async function receiveEvents(page: Page, api: WaymarkApi): Promise<void> {
  await page.getByRole("status").getByText("live").waitFor()
  for (const [second, event] of ["$pageview", "signed up", "purchase"].entries()) {
    const timestamp = new Date(TODAY_MS - 3_600_000 + second * 1000).toISOString()
    await api.capture({ event, distinct_id: "ada", timestamp, properties: { plan: "team" } })
    await page.getByRole("cell", { name: event, exact: true }).waitFor()
  }
}

async function askInHogql(page: Page): Promise<void> {
  await page.getByRole("group", { name: "Tables" }).getByText("system.cohorts").waitFor()
  await page.getByRole("textbox", { name: "HogQL" }).click()
  await page.keyboard.insertText(
    "SELECT event, count() AS times\nFROM events\nGROUP BY event\nORDER BY times DESC, event",
  )
  await page.keyboard.press("Control+Enter")
  await page.getByRole("cell", { name: "signed up" }).waitFor()
  await page.getByText("Bars", { exact: true }).click()
  await page.getByRole("img", { name: "Chart: times" }).waitFor()
}

async function cleanPaths(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add a rule" }).click()
  await page.getByLabel("Expression 1").fill("/(pricing|features)")
  await page.getByLabel("Alias 1").fill("/product")
}

async function seeRecordedPage(page: Page): Promise<void> {
  await page.frameLocator("iframe[title='The recorded page']").frameLocator("iframe").getByText("The shop").waitFor()
}
