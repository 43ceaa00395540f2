import type { Json } from "../../src/kernel/json.js"
import { FIRST_DAY, LAST_DAY } from "./wide-data.js"

/** A question as our API takes it, and SQL by hand over the layout that would be best for it. */
export interface WideQuestion {
  readonly name: string
  readonly query: { readonly kind: string } & Record<string, Json>
  readonly byHand: string
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

/** Sixteen questions that people ask of wide events. */
export const QUESTIONS: readonly WideQuestion[] = [
  {
    name: "breakdown by $browser",
    query: trend(breakdown("$browser", "event")),
    byHand: views("toDate(time), browser"),
  },
  { name: "breakdown by a key", query: trend(breakdown("own_3", "event")), byHand: views("toDate(time), own_3") },
  { name: "breakdown by plan", query: trend(breakdown("plan", "person")), byHand: views("toDate(time), plan") },
  {
    name: "trend of an address",
    query: trend({ properties: [ofEvent("$current_url", "icontains", "/products")] }),
    byHand: views("toDate(time)", "url ILIKE '%/products%'"),
  },
  {
    name: "25 most frequent addresses",
    query: hogql("SELECT properties.$current_url, count() AS n FROM events GROUP BY 1 ORDER BY n DESC LIMIT 25"),
    byHand: "SELECT url, count() AS n FROM best GROUP BY 1 ORDER BY n DESC LIMIT 25",
  },
  {
    name: "events of one e-mail",
    query: hogql("SELECT event, count() FROM events WHERE person.properties.email = 'user7@example.com' GROUP BY 1"),
    byHand: "SELECT event, count() FROM best WHERE email = 'user7@example.com' GROUP BY 1",
  },
  {
    name: "trend of a plan",
    query: trend({ properties: [ofPerson("plan", "team")] }),
    byHand: views("toDate(time)", "plan = 'team'"),
  },
  {
    name: "10 newest sessions",
    query: hogql("SELECT * FROM sessions ORDER BY $start_timestamp DESC LIMIT 10"),
    byHand: "SELECT * FROM best_sessions ORDER BY began DESC LIMIT 10",
  },
  {
    name: "channels of sessions",
    query: hogql("SELECT $channel_type, count() AS n FROM sessions GROUP BY 1 ORDER BY n DESC"),
    byHand: sessions("channel"),
  },
  {
    name: "entry pages",
    query: hogql("SELECT $entry_pathname, count() AS n FROM sessions GROUP BY 1 ORDER BY n DESC"),
    byHand: sessions("entry_path"),
  },
  {
    name: "web statistics by channel",
    query: { kind: "WebStatsTableQuery", breakdownBy: "InitialChannelType", properties: [], dateRange },
    byHand: "SELECT channel, uniqExact(person_id), sum(views) FROM best_sessions GROUP BY 1",
  },
  {
    name: "web overview",
    query: { kind: "WebOverviewQuery", properties: [], dateRange },
    byHand: "SELECT uniqExact(person_id), sum(views), count(), avg(ended - began) FROM best_sessions",
  },
  {
    name: "paths",
    query: { kind: "PathsQuery", pathsFilter: { includeEventTypes: ["$pageview"] }, dateRange },
    byHand: `SELECT arrayJoin(arrayZip(arrayPopBack(pages), arrayPopFront(pages))) AS edge, count() AS n FROM (
       SELECT session, arraySlice(arrayMap(step -> step.2, arraySort(groupArray((time, path)))), 1, 5) AS pages
       FROM best WHERE event = '$pageview' GROUP BY session) GROUP BY edge ORDER BY n DESC LIMIT 50`,
  },
  {
    name: "funnel with a filter on a step",
    query: { kind: "FunnelsQuery", series: [VIEWS, { ...ORDERS, properties: [IN_CHROME] }], dateRange },
    byHand: funnel("1", "event = 'order placed' AND browser = 'Chrome'"),
  },
  {
    name: "funnel with a breakdown",
    query: { kind: "FunnelsQuery", series: [VIEWS, ORDERS], dateRange, ...breakdown("$browser", "event") },
    byHand: funnel("of_browser", "event = 'order placed'"),
  },
  {
    name: "retention of a property",
    query: { kind: "RetentionQuery", properties: [IN_CHROME], dateRange: { date_to: LAST_DAY } },
    byHand: `SELECT start, arrayJoin(days) - start AS later, count() FROM (
       SELECT arrayJoin(groupUniqArray(toDate(time)) AS days) AS start, days FROM best
       WHERE event = '$pageview' AND browser = 'Chrome' AND time >= '2026-01-20' GROUP BY person_id) GROUP BY ALL`,
  },
]
