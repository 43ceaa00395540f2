import { setTimeout as pause } from "node:timers/promises"
import type { DemoApi } from "./api.js"
import { drawBars, drawProgress } from "./draw.js"
import { CHECKOUT_FLAG } from "./traffic.js"

interface Readiness {
  readonly ingestion: { readonly accepted: number; readonly stored: number; readonly measured_at: string }
}

/** Makes the flag that the visitors ask for, unless an earlier run has made it. */
export async function ensureFlag(api: DemoApi): Promise<void> {
  const path = "/api/projects/@current/feature_flags/"
  const { results } = await api.request<{ results: { key: string }[] }>("GET", `${path}?limit=1000`)
  if (results.some(({ key }) => key === CHECKOUT_FLAG)) return
  await api.request("POST", path, {
    key: CHECKOUT_FLAG,
    name: "The shorter checkout",
    active: true,
    filters: { groups: [{ properties: [], rollout_percentage: 50 }] },
  })
}

/** Shows ingestion catching up until every acknowledged event can be queried. */
export async function waitUntilStored(api: DemoApi, sentEvents: number): Promise<void> {
  const askedAt = new Date().toISOString()
  for (;;) {
    const { ingestion } = await api.request<Readiness>("GET", "/_readyz")
    const waiting = Math.max(0, ingestion.accepted - ingestion.stored)
    drawProgress("storing", Math.max(0, sentEvents - waiting), sentEvents)
    if (waiting === 0 && ingestion.measured_at > askedAt) return
    await pause(200)
  }
}

export async function showTrend(api: DemoApi): Promise<void> {
  const rows = await api.hogql(
    `SELECT toDate(timestamp) AS day, count() AS views, uniq(person_id) AS visitors FROM events
     WHERE event = '$pageview' AND timestamp > now() - INTERVAL 31 DAY GROUP BY day ORDER BY day`,
  )
  drawBars(
    "Pageviews by day",
    rows.map(([day, views, visitors]) => ({ label: String(day), value: Number(views), note: `${visitors} visitors` })),
  )
}

const FUNNEL_STEPS = ["$pageview", "signed up", "checkout started", "purchase"]

export async function showFunnel(api: DemoApi): Promise<void> {
  const conditions = FUNNEL_STEPS.map((step) => `event = '${step}'`).join(", ")
  const rows = await api.hogql(
    `SELECT reached, count() FROM (
       SELECT person_id, windowFunnel(1209600)(toDateTime(timestamp), ${conditions}) AS reached
       FROM events GROUP BY person_id) GROUP BY reached ORDER BY reached`,
  )
  const atLeast = (step: number): number =>
    rows.filter(([reached]) => Number(reached) > step).reduce((sum, [, persons]) => sum + Number(persons), 0)
  const entered = atLeast(0)
  drawBars(
    "Funnel, persons who got that far within 14 days",
    FUNNEL_STEPS.map((label, step) => ({
      label,
      value: atLeast(step),
      note: `${Math.round((100 * atLeast(step)) / Math.max(1, entered))} %`,
    })),
  )
}

interface PersonAnswer {
  readonly person: {
    readonly id: string
    readonly distinctIds: string[]
    readonly properties: Record<string, unknown>
  } | null
}

/** Tells what one buyer did from the first anonymous page on: both ids are one person. */
export async function showOneStory(api: DemoApi): Promise<void> {
  const [buyer] = await api.hogql(
    "SELECT distinct_id FROM events WHERE event = 'purchase' ORDER BY timestamp DESC, distinct_id LIMIT 1",
  )
  if (buyer === undefined) return
  const { person } = await api.graphql<PersonAnswer>(
    "query ($distinctId: String!) { person(by: { distinctId: $distinctId }) { id: uuid distinctIds properties } }",
    { distinctId: buyer[0] },
  )
  if (person === null) return
  const story = await api.hogql(
    `SELECT timestamp, event, distinct_id, properties.$current_url FROM events WHERE person_id = '${person.id}' ORDER BY timestamp`,
  )
  process.stdout.write(`\nThe story of ${person.properties.email} (${person.distinctIds.join(" = ")})\n`)
  for (const [timestamp, event, distinctId, url] of story)
    process.stdout.write(
      `  ${String(timestamp).slice(0, 16).replace("T", " ")}  ${String(event).padEnd(22)} ${distinctId}${url ? `  ${url}` : ""}\n`,
    )
}
