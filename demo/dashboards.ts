import type { DemoApi } from "./api.js"
import { make } from "./make.js"
import { CHECKOUT_FLAG } from "./traffic.js"

const MONTH = { from: "-30d" }
/** What a chart with its legend needs, and no more. */
const TILE_ROWS = 4
const BY_PLAN = { properties: [{ key: "plan" }] }

/** A tile of half the width: an insight by its name and query. */
export type Chart = readonly [name: string, query: object]

interface Dashboard {
  readonly name: string
  readonly text: string
  readonly charts: readonly Chart[]
}

/** What the demo makes of its traffic. */
export const DASHBOARDS: readonly Dashboard[] = [
  {
    name: "Growth",
    text: "Who comes, who signs up, and who is still there. Weekends are quiet in this shop.",
    charts: [
      ["Sign-ups by plan", { trends: { series: [{ event: "signed up" }], breakdown: BY_PLAN, dates: MONTH } }],
      ["New, returning and gone", { lifecycle: { series: { event: "$pageview" }, dates: MONTH } }],
      [
        "Where visitors come from",
        {
          trends: {
            series: [{ event: "$pageview", math: "UNIQUE_ACTORS" }],
            breakdown: { properties: [{ key: "utm_source" }] },
            dates: MONTH,
          },
        },
      ],
      [
        "Pages that buyers read",
        {
          hogql: {
            query: `SELECT properties.$current_url AS page, count() AS views FROM events
WHERE event = '$pageview' AND person_id IN (SELECT person_id FROM events WHERE event = 'purchase')
GROUP BY page ORDER BY views DESC LIMIT 10`,
          },
        },
      ],
    ],
  },
  {
    name: "Checkout",
    text: `Does the shorter checkout (\`${CHECKOUT_FLAG}\`) sell more?`,
    charts: [
      [
        "From page to purchase",
        {
          funnel: {
            steps: ["$pageview", "signed up", "checkout started", "purchase"].map((event) => ({ event })),
            dates: MONTH,
          },
        },
      ],
      [
        "Revenue by plan",
        {
          trends: {
            series: [{ event: "purchase", math: "SUM", mathProperty: "amount" }],
            breakdown: BY_PLAN,
            dates: MONTH,
          },
        },
      ],
      [
        "Purchases with and without the flag",
        {
          trends: {
            series: [{ event: "purchase" }],
            breakdown: { properties: [{ key: `$feature/${CHECKOUT_FLAG}` }] },
            view: "TOTAL",
            dates: MONTH,
          },
        },
      ],
      [
        "Time to buy",
        { funnel: { steps: [{ event: "signed up" }, { event: "purchase" }], view: "TIME_TO_CONVERT", dates: MONTH } },
      ],
    ],
  },
]

/** Makes two dashboards over the traffic, unless an earlier run has made them. */
export async function ensureDashboards(api: DemoApi): Promise<void> {
  const known = await api.graphql<{ dashboards: { nodes: { name: string }[] } }>(
    "{ dashboards(first: 1000) { nodes { name } } }",
    {},
  )
  for (const dashboard of DASHBOARDS)
    if (!known.dashboards.nodes.some(({ name }) => name === dashboard.name)) await createDashboard(api, dashboard)
  process.stdout.write(`\nDashboards: ${DASHBOARDS.map(({ name }) => name).join(", ")}, and the project's first one.\n`)
}

/** Makes a dashboard of charts in two columns below a text, and the insights of these. */
export async function createDashboard(api: DemoApi, { name, text, charts }: Dashboard): Promise<void> {
  const tiles: object[] = [{ x: 0, y: 0, w: 12, h: 1, text }]
  for (const [index, chart] of charts.entries()) {
    const insight = await createInsight(api, chart)
    tiles.push({ x: (index % 2) * 6, y: 1 + Math.floor(index / 2) * TILE_ROWS, w: 6, h: TILE_ROWS, insight })
  }
  await make(
    api,
    `mutation ($input: CreateDashboardInput!) {
      made: createDashboard(input: $input) { record: dashboard { shortId } userErrors { message } } }`,
    { name, tags: ["demo"], isFavourite: true, tiles },
  )
}

const createInsight = (api: DemoApi, [name, query]: Chart): Promise<string> =>
  make(
    api,
    `mutation ($input: CreateInsightInput!) {
      made: createInsight(input: $input) { record: insight { shortId } userErrors { message } } }`,
    { name, tags: ["demo"], query },
  )
