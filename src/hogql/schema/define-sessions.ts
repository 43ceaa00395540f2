import { channelType } from "./channels.js"
import type { ColumnDefinition, TableDefinition } from "./schema.js"

/** What a row of the table `sessions` is made of: trusted SQL over the rows `r` of one session. */
export interface SessionParts
  extends Pick<TableDefinition, "stored" | "isFinal" | "where" | "groupBy" | "timesOfRow" | "recounted"> {
  readonly sessionId: string
  readonly teamId: string
  readonly distinctId: string
  readonly start: string
  readonly end: string
  readonly pageviews: string
  readonly autocaptures: string
  readonly screens: string
  readonly hasAutocapture: string
  readonly hasManyPages: string
  readonly urls: string
  /** An expression over parts of the page or screen that the session began with; texts are "" without one. */
  readonly entry: (toSql: (part: (name: string) => string) => string) => string
  /** The same of the one that it ended with. */
  readonly exit: (toSql: (part: (name: string) => string) => string) => string
  readonly externalClick: string
}

/** Counts of a session and its addresses end there (decision 0058). */
const MOST_COUNTED = 20_000
export const MOST_URLS = 1_000

const ENTRY_PROPERTIES = [
  ..."utm_source utm_medium utm_campaign utm_term utm_content".split(" "),
  ..."gclid gad_source gclsrc dclid gbraid wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid".split(" "),
]
const ENTRY_PARTS = ["current_url", "pathname", "hostname", "referring_domain", ...ENTRY_PROPERTIES]
const EXIT_PARTS = ["current_url", "pathname", "hostname"]

/** What decides the channel, of the page that a session began with; read once, as a tuple. */
const CHANNEL_PARTS = ["utm_source", "utm_medium", "utm_campaign", "referring_domain", "gclid", "gad_source", "fbclid"]
const CHANNEL = channelType({
  source: "v.1",
  medium: "v.2",
  campaign: "v.3",
  referringDomain: "v.4",
  hasGoogleClick: "(v.5 != '' OR v.6 != '')",
  hasFacebookClick: "v.7 != ''",
})

const text = (sql: string): ColumnDefinition => ({ type: "String", nullable: true, sql: `nullIf(${sql}, '')` })
const integer = (sql: string, star = true): ColumnDefinition => ({ type: "Integer", sql, star })
const count = (sql: string): ColumnDefinition => integer(`least(${sql}, ${MOST_COUNTED})`)

/** The table `sessions`: the same columns wherever their parts come from. */
export function defineSessions(parts: SessionParts): TableDefinition {
  const { sessionId, start, end, urls, entry, exit } = parts
  const seconds = `dateDiff('second', ${start}, ${end})`
  const facts = entry((part) => `tuple(${CHANNEL_PARTS.map((name) => `lower(${part(name)})`).join(", ")})`)
  const named = (prefix: string, names: readonly string[], of: SessionParts["entry"]) =>
    Object.fromEntries(names.map((name) => [`$${prefix}_${name}`, text(of((part) => part(name)))]))
  return {
    name: "sessions",
    stored: parts.stored,
    sampleKey: sessionId,
    timeColumn: "$start_timestamp",
    ...(parts.isFinal !== undefined && { isFinal: parts.isFinal }),
    ...(parts.where !== undefined && { where: parts.where }),
    ...(parts.groupBy !== undefined && { groupBy: parts.groupBy }),
    ...(parts.timesOfRow !== undefined && { timesOfRow: parts.timesOfRow }),
    ...(parts.recounted !== undefined && { recounted: parts.recounted }),
    columns: {
      session_id: { type: "String", sql: sessionId },
      id: { type: "String", sql: sessionId, star: false },
      team_id: integer(parts.teamId),
      distinct_id: { type: "String", sql: parts.distinctId },
      $start_timestamp: { type: "DateTime", sql: start },
      $end_timestamp: { type: "DateTime", sql: end },
      $session_duration: integer(seconds),
      duration: integer(seconds, false),
      $pageview_count: count(parts.pageviews),
      $autocapture_count: count(parts.autocaptures),
      $screen_count: count(parts.screens),
      $urls: { type: "Array", sql: urls },
      $num_uniq_urls: integer(`length(${urls})`),
      ...named("entry", ENTRY_PARTS.slice(0, -ENTRY_PROPERTIES.length), entry),
      ...named("end", EXIT_PARTS, exit),
      ...named("entry", ENTRY_PROPERTIES, entry),
      $channel_type: { type: "String", sql: `arrayMap(v -> ${CHANNEL}, [${facts}])[1]` },
      $is_bounce: {
        type: "Boolean",
        sql: `toBool(NOT ${parts.hasManyPages} AND NOT ${parts.hasAutocapture} AND ${seconds} < 10)`,
      },
      $last_external_click_url: text(parts.externalClick),
    },
  }
}
