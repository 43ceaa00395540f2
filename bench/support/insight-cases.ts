import type { Json } from "../../src/kernel/json.js"
import { FIRST_DAY, LAST_DAY } from "./insight-data.js"

/** One insight as our API takes it, and the SQL that somebody would write by hand for the same numbers. */
export interface InsightCase {
  readonly name: string
  readonly query: { readonly kind: string } & Record<string, Json>
  readonly clickHouse: string
  readonly postgres: string
  /** The numbers of our answer, as `toNumbers` gives those of the rows. */
  readonly ofAnswer: (results: Json) => Numbers
  readonly ofRows: (rows: readonly (readonly Json[])[]) => Numbers
}
/** The numbers of an insight by what they are of. */
export type Numbers = Readonly<Record<string, number>>

const END = "2026-01-31"
const RETENTION_FROM = "2026-01-20"
const WINDOW_MICROS = 14 * 86_400 * 1_000_000
const PAGE_VIEWS = [{ kind: "EventsNode", event: "$pageview" }]
const PERSONS = [{ kind: "EventsNode", event: "$pageview", math: "dau" }]
const dateRange = { date_from: FIRST_DAY, date_to: LAST_DAY }

const FUNNELS = [
  ["$pageview", "product viewed", "item added"],
  ["$pageview", "product viewed", "item added", "checkout started", "order placed"],
  [
    "$pageview",
    "search",
    "product viewed",
    "filter applied",
    "product viewed",
    "item added",
    "cart opened",
    "signup started",
    "signup completed",
    "checkout started",
    "payment entered",
    "order placed",
  ],
]

/** Events with the person each belongs to now, as ClickHouse stores them. */
const WITH_PERSONS = `events AS e LEFT JOIN (
    SELECT distinct_id, argMax(person_id, version) AS person_id FROM person_distinct_id_overrides
    WHERE project_id = 1 GROUP BY distinct_id HAVING argMax(is_deleted, version) = 0
  ) AS o ON e.distinct_id = o.distinct_id`
const PERSON = "if(o.distinct_id = '', e.person_id, o.person_id)"
const within = (from: string): string => `e.timestamp >= '${from}' AND e.timestamp < '${END}'`
const IN_PROJECT = "e.project_id = 1 AND"
const isPageView = `${within(FIRST_DAY)} AND e.event = '$pageview'`

type Line = {
  readonly data: number[]
  readonly days: string[]
  readonly breakdown_value?: string
  aggregated_value?: number
}
const lines = (results: Json): readonly Line[] => results as unknown as readonly Line[]
const byDay = (results: Json): Numbers =>
  Object.fromEntries(
    lines(results).flatMap(({ data, days, breakdown_value: value }) =>
      data.map((count, at) => [[days[at], value].filter(Boolean).join(" "), count] as const),
    ),
  )
/** The last column is the number, the others name it. */
const named = (rows: readonly (readonly Json[])[]): Numbers =>
  Object.fromEntries(rows.map((row) => [row.slice(0, -1).join(" "), Number(row.at(-1))]))

const listed = (steps: readonly string[]): string => [...new Set(steps)].map((name) => `'${name}'`).join(", ")

/** The insights that are measured. */
export const INSIGHTS: readonly InsightCase[] = [
  {
    name: "trend by day",
    query: { kind: "TrendsQuery", series: PAGE_VIEWS, dateRange },
    clickHouse: `SELECT toDate(e.timestamp) AS day, count() FROM events AS e WHERE ${IN_PROJECT} ${isPageView} GROUP BY day`,
    postgres: `SELECT (e.timestamp AT TIME ZONE 'UTC')::date::text AS day, count(*) FROM events AS e WHERE ${isPageView} GROUP BY day`,
    ofAnswer: byDay,
    ofRows: named,
  },
  {
    name: "trend by day and property",
    query: { kind: "TrendsQuery", series: PAGE_VIEWS, dateRange, breakdownFilter: { breakdown: "$browser" } },
    clickHouse: `SELECT toDate(e.timestamp) AS day, JSONExtractString(e.properties, '$browser') AS value, count()
      FROM events AS e WHERE ${IN_PROJECT} ${isPageView} GROUP BY day, value`,
    postgres: `SELECT (e.timestamp AT TIME ZONE 'UTC')::date::text AS day, e.properties->>'$browser' AS value, count(*)
      FROM events AS e WHERE ${isPageView} GROUP BY day, value`,
    ofAnswer: byDay,
    ofRows: named,
  },
  {
    name: "unique persons by day",
    query: { kind: "TrendsQuery", series: PERSONS, dateRange },
    clickHouse: `SELECT toDate(e.timestamp) AS day, uniqExact(${PERSON}) FROM ${WITH_PERSONS} WHERE ${IN_PROJECT} ${isPageView} GROUP BY day`,
    postgres: `SELECT (e.timestamp AT TIME ZONE 'UTC')::date::text AS day, count(DISTINCT e.person_id) FROM events AS e WHERE ${isPageView} GROUP BY day`,
    ofAnswer: byDay,
    ofRows: named,
  },
  {
    name: "unique persons in all",
    query: { kind: "TrendsQuery", series: PERSONS, dateRange, trendsFilter: { display: "BoldNumber" } },
    clickHouse: `SELECT 'all', uniqExact(${PERSON}) FROM ${WITH_PERSONS} WHERE ${IN_PROJECT} ${isPageView}`,
    postgres: `SELECT 'all', count(DISTINCT e.person_id) FROM events AS e WHERE ${isPageView}`,
    ofAnswer: (results) => ({ all: lines(results)[0]?.aggregated_value ?? 0 }),
    ofRows: named,
  },
  ...FUNNELS.map(
    (steps): InsightCase => ({
      name: `funnel of ${steps.length} steps`,
      query: { kind: "FunnelsQuery", series: steps.map((event) => ({ kind: "EventsNode", event })), dateRange },
      clickHouse: clickHouseFunnel(steps),
      postgres: postgresFunnel(steps),
      ofAnswer: (results) =>
        Object.fromEntries((results as unknown as { count: number }[]).map(({ count }, step) => [step + 1, count])),
      ofRows: named,
    }),
  ),
  {
    name: "retention over 11 days",
    query: {
      kind: "RetentionQuery",
      dateRange: { date_to: LAST_DAY },
      retentionFilter: { totalIntervals: 11, targetEntity: { id: "$pageview" }, returningEntity: { id: "$pageview" } },
    },
    clickHouse: `SELECT toString(start), arrayJoin(arrayFilter(day -> day >= start, days)) - start AS later, count() FROM (
        SELECT arrayJoin(days) AS start, days FROM (
          SELECT ${PERSON} AS person, groupUniqArray(toDate(e.timestamp)) AS days FROM ${WITH_PERSONS}
          WHERE ${IN_PROJECT} ${within(RETENTION_FROM)} AND e.event = '$pageview' GROUP BY person
        )
      ) GROUP BY start, later`,
    postgres: `WITH seen AS (
        SELECT DISTINCT e.person_id, (e.timestamp AT TIME ZONE 'UTC')::date AS day FROM events AS e
        WHERE ${within(RETENTION_FROM)} AND e.event = '$pageview'
      )
      SELECT a.day::text, b.day - a.day, count(*) FROM seen AS a JOIN seen AS b ON a.person_id = b.person_id AND b.day >= a.day
      GROUP BY 1, 2`,
    ofAnswer: (results) =>
      Object.fromEntries(
        (results as unknown as { date: string; values: { count: number }[] }[]).flatMap(({ date, values }) =>
          values.map(({ count }, later) => [`${date.slice(0, 10)} ${later}`, count] as const),
        ),
      ),
    ofRows: named,
  },
]

/** Only how many came to each step: `windowFunnel` does not tell the times between them, which our answer has. */
function clickHouseFunnel(steps: readonly string[]): string {
  const conditions = steps.map((name) => `e.event = '${name}'`).join(", ")
  return `SELECT step, countIf(level >= step) FROM (
      SELECT ${PERSON} AS person, windowFunnel(${WINDOW_MICROS})(toUInt64(toUnixTimestamp64Micro(e.timestamp)), ${conditions}) AS level
      FROM ${WITH_PERSONS} WHERE ${IN_PROJECT} ${within(FIRST_DAY)} AND e.event IN (${listed(steps)}) GROUP BY person
    ) ARRAY JOIN range(1, ${steps.length + 1}) AS step GROUP BY step`
}

/** Each event of a step takes over when the attempt began that the person's last event of the step before belongs to. */
function postgresFunnel(steps: readonly string[]): string {
  const rows = steps.slice(1).reduce(
    (
      inner,
      name,
      at,
    ) => `SELECT *, CASE WHEN event = '${name}' AND timestamp - max(begun${at}) OVER earlier <= interval '14 days'
        THEN max(begun${at}) OVER earlier END AS begun${at + 1} FROM (${inner}) AS step${at}
      WINDOW earlier AS (PARTITION BY person_id ORDER BY timestamp ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`,
    `SELECT e.person_id, e.event, e.timestamp, CASE WHEN e.event = '${steps[0]}' THEN e.timestamp END AS begun0
      FROM events AS e WHERE ${within(FIRST_DAY)} AND e.event IN (${listed(steps)})`,
  )
  const reached = steps.map(
    (_, at) => `SELECT ${at + 1}, count(DISTINCT person_id) FROM rows WHERE begun${at} IS NOT NULL`,
  )
  return `WITH rows AS MATERIALIZED (${rows}) ${reached.join(" UNION ALL ")}`
}
