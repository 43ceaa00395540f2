import type { Json } from "../../src/kernel/json.js"
import { FIRST_DAY, LAST_DAY } from "./wide-data.js"

/** A question as our API takes it, SQL by hand over the layout that would be best for it, and PostgreSQL's. */
export interface WideQuestion {
  readonly name: string
  readonly query: { readonly kind: string } & Record<string, Json>
  readonly byHand: string
  readonly postgres: string
}

const dateRange = { date_from: FIRST_DAY, date_to: LAST_DAY }
const VIEWS = { kind: "EventsNode", event: "$pageview" }
const ORDERS = { kind: "EventsNode", event: "order placed" }
const ofEvent = (key: string, operator: string, value: string) => ({ type: "event", key, operator, value })
const ofPerson = (key: string, value: string) => ({ type: "person", key, operator: "exact", value })
const IN_CHROME = ofEvent("$browser", "exact", "Chrome")

const trend = (more: Record<string, Json>) => ({ kind: "TrendsQuery", series: [VIEWS], dateRange, ...more })
const hogql = (query: string) => ({ kind: "HogQLQuery", query })
const breakdown = (key: string, type: string) => ({ breakdownFilter: { breakdown: key, breakdown_type: type } })

const views = (columns: string, condition = "1"): string =>
  `SELECT ${columns}, count() FROM best WHERE event = '$pageview' AND ${condition} GROUP BY ALL`
const funnel = (group: string, second: string): string =>
  `SELECT level, ${group}, count() FROM (SELECT person_id, any(browser) AS of_browser,
     windowFunnel(1209600000000)(toUInt64(toUnixTimestamp64Micro(time)), event = '$pageview', ${second}) AS level
   FROM best WHERE event IN ('$pageview', 'order placed') GROUP BY person_id) GROUP BY ALL`
const sessions = (column: string): string =>
  `SELECT ${column}, count() AS n FROM best_sessions GROUP BY 1 ORDER BY n DESC`

const DAY = "(e.timestamp AT TIME ZONE 'UTC')::date"
const viewsInPostgres = (columns: string, condition = "true", from = "events AS e"): string =>
  `SELECT ${columns}, count(*) FROM ${from} WHERE e.event = '$pageview' AND ${condition} GROUP BY ${columns}`
const WITH_PERSONS = "events AS e JOIN persons AS p ON p.id = e.person_id"
const SESSIONS_IN_POSTGRES = `SELECT session, (array_agg(person_id))[1] AS person_id, min(timestamp) AS began,
    max(timestamp) AS ended, count(*) FILTER (WHERE event = '$pageview') AS views,
    (array_agg(properties->>'$pathname' ORDER BY timestamp))[1] AS entry_path,
    (array_agg(properties->>'$referring_domain' ORDER BY timestamp))[1] AS channel
  FROM events GROUP BY session`
const sessionsInPostgres = (column: string): string =>
  `SELECT ${column}, count(*) AS n FROM (${SESSIONS_IN_POSTGRES}) AS s GROUP BY 1 ORDER BY n DESC`
/** Persons who ordered within 14 days after a view, and all who viewed. */
const funnelInPostgres = (group: string, order: string): string =>
  `WITH views AS (
       SELECT person_id, timestamp, properties->>'$browser' AS browser FROM events WHERE event = '$pageview'),
     orders AS (SELECT person_id, timestamp FROM events WHERE event = 'order placed' AND ${order}),
     first AS (SELECT DISTINCT ON (person_id) person_id, browser FROM views ORDER BY person_id, timestamp)
   SELECT ${group}, count(*), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM views AS v JOIN orders AS o USING (person_id)
     WHERE v.person_id = first.person_id AND o.timestamp BETWEEN v.timestamp AND v.timestamp + interval '14 days'))
   FROM first GROUP BY 1`

/** Sixteen questions that people ask of wide events. */
export const QUESTIONS: readonly WideQuestion[] = [
  {
    name: "breakdown by $browser",
    query: trend(breakdown("$browser", "event")),
    byHand: views("toDate(time), browser"),
    postgres: viewsInPostgres(`${DAY}, e.properties->>'$browser'`),
  },
  {
    name: "breakdown by a key",
    query: trend(breakdown("own_3", "event")),
    byHand: views("toDate(time), own_3"),
    postgres: viewsInPostgres(`${DAY}, e.properties->>'own_3'`),
  },
  {
    name: "breakdown by plan",
    query: trend(breakdown("plan", "person")),
    byHand: views("toDate(time), plan"),
    postgres: viewsInPostgres(`${DAY}, p.properties->>'plan'`, "true", WITH_PERSONS),
  },
  {
    name: "trend of an address",
    query: trend({ properties: [ofEvent("$current_url", "icontains", "/products")] }),
    byHand: views("toDate(time)", "url ILIKE '%/products%'"),
    postgres: viewsInPostgres(DAY, "e.properties->>'$current_url' ILIKE '%/products%'"),
  },
  {
    name: "25 most frequent addresses",
    query: hogql("SELECT properties.$current_url, count() AS n FROM events GROUP BY 1 ORDER BY n DESC LIMIT 25"),
    byHand: "SELECT url, count() AS n FROM best GROUP BY 1 ORDER BY n DESC LIMIT 25",
    postgres: "SELECT properties->>'$current_url', count(*) FROM events GROUP BY 1 ORDER BY 2 DESC LIMIT 25",
  },
  {
    name: "events of one e-mail",
    query: hogql("SELECT event, count() FROM events WHERE person.properties.email = 'user7@example.com' GROUP BY 1"),
    byHand: "SELECT event, count() FROM best WHERE email = 'user7@example.com' GROUP BY 1",
    postgres: `SELECT event, count(*) FROM ${WITH_PERSONS}
      WHERE p.properties->>'email' = 'user7@example.com' GROUP BY 1`,
  },
  {
    name: "trend of a plan",
    query: trend({ properties: [ofPerson("plan", "team")] }),
    byHand: views("toDate(time)", "plan = 'team'"),
    postgres: viewsInPostgres(DAY, "p.properties->>'plan' = 'team'", WITH_PERSONS),
  },
  {
    name: "10 newest sessions",
    query: hogql("SELECT * FROM sessions ORDER BY $start_timestamp DESC LIMIT 10"),
    byHand: "SELECT * FROM best_sessions ORDER BY began DESC LIMIT 10",
    postgres: `SELECT * FROM (${SESSIONS_IN_POSTGRES}) AS s ORDER BY began DESC LIMIT 10`,
  },
  {
    name: "channels of sessions",
    query: hogql("SELECT $channel_type, count() AS n FROM sessions GROUP BY 1 ORDER BY n DESC"),
    byHand: sessions("channel"),
    postgres: sessionsInPostgres("channel"),
  },
  {
    name: "entry pages",
    query: hogql("SELECT $entry_pathname, count() AS n FROM sessions GROUP BY 1 ORDER BY n DESC"),
    byHand: sessions("entry_path"),
    postgres: sessionsInPostgres("entry_path"),
  },
  {
    name: "web statistics by channel",
    query: { kind: "WebStatsTableQuery", breakdownBy: "InitialChannelType", properties: [], dateRange },
    byHand: "SELECT channel, uniqExact(person_id), sum(views) FROM best_sessions GROUP BY 1",
    postgres: `SELECT channel, count(DISTINCT person_id), sum(views) FROM (${SESSIONS_IN_POSTGRES}) AS s GROUP BY 1`,
  },
  {
    name: "web overview",
    query: { kind: "WebOverviewQuery", properties: [], dateRange },
    byHand: "SELECT uniqExact(person_id), sum(views), count(), avg(ended - began) FROM best_sessions",
    postgres: `SELECT count(DISTINCT person_id), sum(views), count(*), avg(ended - began)
      FROM (${SESSIONS_IN_POSTGRES}) AS s`,
  },
  {
    name: "paths",
    query: { kind: "PathsQuery", pathsFilter: { includeEventTypes: ["$pageview"] }, dateRange },
    byHand: `SELECT arrayJoin(arrayZip(arrayPopBack(pages), arrayPopFront(pages))) AS edge, count() AS n FROM (
       SELECT session, arraySlice(arrayMap(step -> step.2, arraySort(groupArray((time, url)))), 1, 5) AS pages
       FROM best WHERE event = '$pageview' GROUP BY session) GROUP BY edge ORDER BY n DESC LIMIT 50`,
    postgres: `SELECT page, next, count(*) FROM (SELECT properties->>'$current_url' AS page,
         lead(properties->>'$current_url') OVER steps AS next, row_number() OVER steps AS step
       FROM events WHERE event = '$pageview' WINDOW steps AS (PARTITION BY session ORDER BY timestamp)) AS s
     WHERE step < 5 AND next IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 50`,
  },
  {
    name: "funnel with a filter on a step",
    query: { kind: "FunnelsQuery", series: [VIEWS, { ...ORDERS, properties: [IN_CHROME] }], dateRange },
    byHand: funnel("1", "event = 'order placed' AND browser = 'Chrome'"),
    postgres: funnelInPostgres("1", "properties->>'$browser' = 'Chrome'"),
  },
  {
    name: "funnel with a breakdown",
    query: { kind: "FunnelsQuery", series: [VIEWS, ORDERS], dateRange, ...breakdown("$browser", "event") },
    byHand: funnel("of_browser", "event = 'order placed'"),
    postgres: funnelInPostgres("browser", "true"),
  },
  {
    name: "retention of a property",
    query: { kind: "RetentionQuery", properties: [IN_CHROME], dateRange: { date_to: LAST_DAY } },
    byHand: `SELECT start, arrayJoin(days) - start AS later, count() FROM (
       SELECT arrayJoin(groupUniqArray(toDate(time)) AS days) AS start, days FROM best
       WHERE event = '$pageview' AND browser = 'Chrome' AND time >= '2026-01-20' GROUP BY person_id) GROUP BY ALL`,
    postgres: `WITH days AS (SELECT DISTINCT person_id, ${DAY} AS day FROM events AS e WHERE event = '$pageview'
         AND e.properties->>'$browser' = 'Chrome' AND e.timestamp >= '2026-01-20')
     SELECT a.day, b.day - a.day, count(*) FROM days AS a JOIN days AS b USING (person_id) WHERE b.day >= a.day
     GROUP BY 1, 2`,
  },
]
