import { element, logged, recordPage, sendItems } from "../support/recorded-pages.js"
import type { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** When the day began on which the pictures are made (UTC): all that they show lies before it, by whole hours. */
export const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS

const toTime = (daysAgo: number, hour: number, minute = 0): number =>
  TODAY_MS - daysAgo * DAY_MS + hour * HOUR_MS + minute * 60_000

const PEOPLE = [
  { id: "ada", name: "Ada Lovelace", plan: "team", company: "engine" },
  { id: "grace", name: "Grace Hopper", plan: "business", company: "navy" },
  { id: "linus", name: "Linus Pauling", plan: "starter", company: null },
  { id: "margaret", name: "Margaret Hamilton", plan: "team", company: "engine" },
  { id: "hedy", name: "Hedy Lamarr", plan: "business", company: "navy" },
  { id: "tim", name: "Tim Gunn", plan: "starter", company: null },
] as const
const PAGES = ["/", "/pricing", "/features", "/docs"] as const
const SESSIONS = { grace: "0199a000-0000-7000-8000-00000000e001", tim: "0199a000-0000-7000-8000-00000000e002" }

/** What the addresses of some screens name. */
export interface Made {
  readonly dashboard: string
  readonly funnel: string
  readonly share: string
  readonly playlist: string
  readonly cohort: number
  readonly person: string
  readonly session: string
}

/** Fills a project with what the pictures show: the same each time, but for the day. */
export async function fillProject(api: WaymarkApi): Promise<Made> {
  await api.post("/batch/", { api_key: PROJECT_KEY, batch: listEvents() })
  for (const [person, sessionId] of Object.entries(SESSIONS)) {
    const startMs = toTime(1, person === "tim" ? 9 : 15)
    await sendItems(api, person, sessionId, recordShop(startMs))
  }
  await api.drained()
  return { ...(await makeRecords(api)), session: SESSIONS.grace }
}

function listEvents(): object[] {
  const events: object[] = []
  const send = (event: string, timeMs: number, distinctId: string, properties: object = {}) =>
    events.push({
      event,
      timestamp: new Date(timeMs).toISOString(),
      properties: { distinct_id: distinctId, ...properties },
    })
  for (const company of ["engine", "navy"])
    send("$groupidentify", toTime(7, 8), "ada", {
      $group_type: "company",
      $group_key: company,
      $group_set: { name: company === "engine" ? "Analytical Engines" : "Harbor & Navy", seats: 12 },
    })
  for (const [index, { id, name, plan, company }] of PEOPLE.entries()) {
    const shared = { $browser: index % 2 === 0 ? "Firefox" : "Chrome", ...(company && { $groups: { company } }) }
    send("signed up", toTime(7, 9, index), id, { ...shared, plan, $set: { name, email: `${id}@example.test`, plan } })
    for (let daysAgo = 7; daysAgo > 0; daysAgo--) {
      if ((daysAgo + index) % 3 === 0) continue
      const session = daysAgo === 1 && id in SESSIONS ? { $session_id: SESSIONS[id as keyof typeof SESSIONS] } : {}
      for (const [step, path] of PAGES.slice(0, 1 + ((daysAgo + index) % 4)).entries())
        send("$pageview", toTime(daysAgo, id === "grace" ? 15 : 9, step + 1), id, {
          ...shared,
          ...session,
          $current_url: `https://shop.test${path}`,
        })
      if (index < 4 && daysAgo % 2 === 0) send("checkout started", toTime(daysAgo, 16, index), id, { ...shared, plan })
      if (index < 2 && daysAgo % 2 === 0)
        send("purchase", toTime(daysAgo, 17, index), id, { ...shared, plan, amount: 79 + 10 * daysAgo })
    }
  }
  return events
}

/** A small shop in which somebody clicks, and something goes wrong. */
function recordShop(startMs: number) {
  const page = recordPage(
    startMs,
    startMs + 95_000,
    [element("style", {}, "body { font: 18px DejaVu Sans; margin: 48px } button { padding: 12px 24px }")],
    [
      element("h1", {}, "The shop"),
      element("p", {}, "Twelve cups, hand made, 79.00 each."),
      element("button", {}, "Buy"),
    ],
  )
  return [
    ...page,
    logged(startMs + 4_000, "log", "cart: 1 cup"),
    logged(startMs + 31_000, "warn", "the payment is slow"),
    logged(startMs + 62_000, "error", "payment failed: no answer from the bank"),
  ]
}

type MadeRecords = Omit<Made, "session">

async function makeRecords(api: WaymarkApi): Promise<MadeRecords> {
  const make = async <T>(
    operation: string,
    input: string,
    record: string,
    fields: string,
    value: object,
  ): Promise<T> => {
    const made = await api.changed<Record<string, T>>(
      `mutation ($input: ${input}!) { ${operation}(input: $input) { ${record} { ${fields} } userErrors { message } } }`,
      { input: value },
    )
    return made[operation] as T
  }
  const { number: cohort } = await make<{ number: number }>("createCohort", "CreateCohortInput", "cohort", "number", {
    name: "Testers",
    isStatic: true,
    distinctIds: ["ada", "grace", "hedy"],
  })
  const makeFlag = (key: string, name: string, filters: object) =>
    make("createFeatureFlag", "CreateFeatureFlagInput", "featureFlag", "id", { key, name, filters, active: true })
  const onTeam = [{ person: { key: "plan", operator: "EXACT", value: "team" } }]
  await makeFlag("new-checkout", "The shorter checkout", {
    conditions: [
      { properties: onTeam, rolloutPercentage: 100 },
      { properties: [], rolloutPercentage: 50 },
    ],
    variants: [
      { key: "control", name: "", rolloutPercentage: 50 },
      { key: "short", name: "", rolloutPercentage: 50 },
    ],
  })
  await makeFlag("for-testers", "", {
    conditions: [{ properties: [{ cohort: { id: cohort } }], rolloutPercentage: 100 }],
  })

  const makeInsight = async (name: string, query: object): Promise<string> =>
    (await make<{ shortId: string }>("createInsight", "CreateInsightInput", "insight", "shortId", { name, query }))
      .shortId
  const steps = ["signed up", "checkout started", "purchase"].map((event) => ({ event }))
  const funnel = await makeInsight("From sign-up to purchase", { funnel: { steps, dates: { from: "-14d" } } })
  const visitors = await makeInsight("Visitors", {
    trends: { series: [{ event: "$pageview", math: "UNIQUE_ACTORS" }], dates: { from: "-7d" } },
  })
  const revenue = await makeInsight("Revenue", {
    trends: {
      series: [{ event: "purchase", math: "SUM", mathProperty: "amount" }],
      view: "TOTAL",
      dates: { from: "-14d" },
    },
  })
  const dashboard = await make<{ id: string; shortId: string }>(
    "createDashboard",
    "CreateDashboardInput",
    "dashboard",
    "id shortId",
    {
      name: "Shop",
      isFavourite: true,
      tiles: [
        { x: 0, y: 0, w: 12, h: 1, text: "Cups are sold by the dozen. Weekends are quiet." },
        { x: 0, y: 1, w: 6, h: 5, insight: visitors },
        { x: 6, y: 1, w: 6, h: 5, insight: funnel },
        { x: 0, y: 6, w: 6, h: 4, insight: revenue },
      ],
    },
  )
  const { token } = await make<{ token: string }>(
    "createDashboardShareLink",
    "CreateDashboardShareLinkInput",
    "shareLink",
    "token",
    { id: dashboard.id, label: "the board" },
  )
  const playlist = await make<{ id: string; shortId: string }>(
    "createSessionRecordingPlaylist",
    "CreateSessionRecordingPlaylistInput",
    "sessionRecordingPlaylist",
    "id shortId",
    { name: "Failed payments", pinned: true },
  )
  const attach = `mutation ($input: AttachSessionRecordingInput!) { attachSessionRecording(input: $input) {
    sessionRecordingPlaylist { id } userErrors { message } } }`
  for (const sessionRecordingId of Object.values(SESSIONS))
    await api.changed(attach, { input: { id: playlist.shortId, sessionRecordingId } })
  const { person } = await api.graphql<{ person: { uuid: string } }>('{ person(by: { distinctId: "grace" }) { uuid } }')
  return {
    dashboard: dashboard.shortId,
    funnel,
    share: token,
    playlist: playlist.shortId,
    cohort,
    person: person.uuid,
  }
}
