import { channelType } from "./channels.js"
import type { ColumnDefinition, TableDefinition } from "./schema.js"

const property = (name: string) => `JSONExtractString(r.properties, '${name}')`
/** What a page's address says, for events without a property of their own for it. */
const ofAddress = (name: string, part: string) =>
  `coalesce(nullIf(${property(name)}, ''), ${part}(${property("$current_url")}))`
const pathname = ofAddress("$pathname", "path")
const hostname = ofAddress("$host", "domain")
const isPage = "r.event IN ('$pageview', '$screen')"
const first = (sql: string) => `nullIf(argMinIf(${sql}, r.timestamp, ${isPage}), '')`
const last = (sql: string) => `nullIf(argMaxIf(${sql}, r.timestamp, ${isPage}), '')`
const seconds = "dateDiff('second', min(r.timestamp), max(r.timestamp))"

const text = (sql: string): ColumnDefinition => ({ type: "String", nullable: true, sql })
const count = (event: string): ColumnDefinition => ({ type: "Integer", sql: `countIf(r.event = '${event}')` })

const ENTRY_PROPERTIES = [
  ..."utm_source utm_medium utm_campaign utm_term utm_content".split(" "),
  ..."gclid gad_source gclsrc dclid gbraid wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid".split(" "),
]

const entryColumns = Object.fromEntries(ENTRY_PROPERTIES.map((name) => [`$entry_${name}`, text(first(property(name)))]))

/** What decides the channel, of the page that a session began with; read once, as a tuple. */
const ENTRY_FACTS = ["utm_source", "utm_medium", "utm_campaign", "$referring_domain", "gclid", "gad_source", "fbclid"]
const entryFacts = `argMinIf(tuple(${ENTRY_FACTS.map((name) => `lower(${property(name)})`).join(", ")}), r.timestamp, ${isPage})`

const channel = `arrayMap(v -> ${channelType({
  source: "v.1",
  medium: "v.2",
  campaign: "v.3",
  referringDomain: "v.4",
  hasGoogleClick: "(v.5 != '' OR v.6 != '')",
  hasFacebookClick: "v.7 != ''",
})}, [${entryFacts}])[1]`

/** Sessions, one row each, calculated from the events whose session id is a UUID of version 7. */
export const SESSIONS: TableDefinition = {
  name: "sessions",
  stored: "events",
  sampleKey: "r.`$session_id`",
  timeColumn: "$start_timestamp",
  where: "match(r.`$session_id`, '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')",
  groupBy: ["r.`$session_id`"],
  columns: {
    session_id: { type: "String", sql: "r.`$session_id`" },
    id: { type: "String", sql: "r.`$session_id`", star: false },
    team_id: { type: "Integer", sql: "any(r.project_id)" },
    distinct_id: { type: "String", sql: "argMin(r.distinct_id, r.timestamp)" },
    $start_timestamp: { type: "DateTime", sql: "min(r.timestamp)" },
    $end_timestamp: { type: "DateTime", sql: "max(r.timestamp)" },
    $session_duration: { type: "Integer", sql: seconds },
    duration: { type: "Integer", sql: seconds, star: false },
    $pageview_count: count("$pageview"),
    $autocapture_count: count("$autocapture"),
    $screen_count: count("$screen"),
    $urls: {
      type: "Array",
      sql: `arrayDistinct(groupArrayIf(1000)(${property("$current_url")}, ${property("$current_url")} != ''))`,
    },
    $num_uniq_urls: {
      type: "Integer",
      sql: `uniqExactIf(${property("$current_url")}, ${property("$current_url")} != '')`,
    },
    $entry_current_url: text(first(property("$current_url"))),
    $entry_pathname: text(first(pathname)),
    $entry_hostname: text(first(hostname)),
    $entry_referring_domain: text(first(property("$referring_domain"))),
    $end_current_url: text(last(property("$current_url"))),
    $end_pathname: text(last(pathname)),
    $end_hostname: text(last(hostname)),
    ...entryColumns,
    $channel_type: { type: "String", sql: channel },
    $is_bounce: {
      type: "Boolean",
      sql: `toBool(countIf(${isPage}) <= 1 AND countIf(r.event = '$autocapture') = 0 AND ${seconds} < 10)`,
    },
    $last_external_click_url: text(
      `nullIf(argMaxIf(${property("$external_click_url")}, r.timestamp, ${property("$external_click_url")} != ''), '')`,
    ),
  },
}
