import { defineSessions, MOST_URLS } from "./define-sessions.js"

const property = (name: string): string => `JSONExtractString(r.properties, '${name}')`
/** What a page's address says, for events without a property of their own for it. */
const ofAddress = (name: string, part: string): string =>
  `coalesce(nullIf(${property(name)}, ''), ${part}(${property("$current_url")}))`

/** Parts of a page that are not a property of their name. */
const PARTS: Readonly<Record<string, string>> = {
  current_url: property("$current_url"),
  pathname: ofAddress("$pathname", "path"),
  hostname: ofAddress("$host", "domain"),
  referring_domain: property("$referring_domain"),
}
const part = (name: string): string => PARTS[name] ?? property(name)

const AT = "(r.timestamp, r.uuid)"
const isPage = "r.event IN ('$pageview', '$screen')"
const url = property("$current_url")
const click = property("$external_click_url")
const count = (event: string): string => `countIf(r.event = '${event}')`

/** The same sessions worked out of all events at each read, until those of earlier events are rolled up. */
export const RECOUNTED_SESSIONS = defineSessions({
  stored: "events",
  where: "match(r.`$session_id`, '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')",
  groupBy: ["r.`$session_id`"],
  sessionId: "r.`$session_id`",
  teamId: "any(r.project_id)",
  distinctId: `argMin(r.distinct_id, ${AT})`,
  start: "min(r.timestamp)",
  end: "max(r.timestamp)",
  pageviews: count("$pageview"),
  autocaptures: count("$autocapture"),
  screens: count("$screen"),
  hasAutocapture: `(${count("$autocapture")} > 0)`,
  hasManyPages: `(countIf(${isPage}) > 1)`,
  urls: `arraySort(groupUniqArrayIf(${MOST_URLS})(${url}, ${url} != ''))`,
  entry: (toSql) => `argMinIf(${toSql(part)}, ${AT}, ${isPage})`,
  exit: (toSql) => `argMaxIf(${toSql(part)}, ${AT}, ${isPage})`,
  externalClick: `argMaxIf(${click}, ${AT}, ${click} != '')`,
})
