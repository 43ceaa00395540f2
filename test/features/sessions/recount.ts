import type { ClickHouse } from "../../../src/platform/clickhouse/click-house.js"

const ENTRY = [
  ..."utm_source utm_medium utm_campaign utm_term utm_content".split(" "),
  ..."gclid gad_source gclsrc dclid gbraid wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid".split(" "),
]
const property = (name: string) => `JSONExtractString(properties, '${name}')`
const ofAddress = (name: string, part: string) =>
  `if(${property(name)} != '', ${property(name)}, ${part}(${property("$current_url")}))`
const isPage = "event IN ('$pageview', '$screen')"
const first = (value: string) => `argMinIf(${value}, (timestamp, uuid), ${isPage})`
const last = (value: string) => `argMaxIf(${value}, (timestamp, uuid), ${isPage})`
const count = (name: string) => `countIf(event = '${name}')`
const hasClick = `${property("$external_click_url")} != ''`

/** Each column of a session, calculated from its events one way and from its rows of the roll-up the other. */
const COLUMNS: readonly (readonly [recounted: string, rolledUp: string])[] = [
  ["argMin(distinct_id, (timestamp, uuid))", "argMin(first.distinct_id, (first.at, first.uuid))"],
  ["min(timestamp)", "min(first.at)"],
  ["max(timestamp)", "max(last_at)"],
  [count("$pageview"), "uniqExactArray(pageviews)"],
  [count("$autocapture"), "uniqExactArray(autocaptures)"],
  [count("$screen"), "uniqExactArray(screens)"],
  [`${count("$autocapture")} > 0`, "toUInt8(max(has_autocapture))"],
  [
    `arraySort(groupUniqArrayIf(${property("$current_url")}, ${property("$current_url")} != ''))`,
    "arraySort(groupUniqArrayArray(urls))",
  ],
  ...[
    [property("$current_url"), "current_url"],
    [ofAddress("$pathname", "path"), "pathname"],
    [ofAddress("$host", "domain"), "hostname"],
    [property("$referring_domain"), "referring_domain"],
    ...ENTRY.map((name) => [property(name), name]),
  ].map(([value = "", name]) => [first(value), `argMin(entry.${name}, (entry.at, entry.uuid))`] as const),
  ...[
    [property("$current_url"), "current_url"],
    [ofAddress("$pathname", "path"), "pathname"],
    [ofAddress("$host", "domain"), "hostname"],
  ].map(([value = "", name]) => [last(value), `argMax(exit.${name}, (exit.at, exit.uuid))`] as const),
  [`countIf(${isPage}) <= 1`, "min((entry.at, entry.uuid)) >= max((exit.at, exit.uuid))"],
  [
    `argMaxIf(${property("$external_click_url")}, (timestamp, uuid), ${hasClick})`,
    "argMax(external_click.url, (external_click.at, external_click.uuid))",
  ],
  [
    "max(abs(dateDiff('millisecond', UUIDv7ToDateTime(toUUID(session_id), 'UTC'), timestamp)) > 86400000)",
    "toUInt8(max(is_astray))",
  ],
]

const IS_UUID_V7 = "match(session_id, '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')"

/** All sessions with all columns, by project and id: as the roll-up has them, and counted again from the events. */
export async function readSessions(clickHouse: Pick<ClickHouse, "query">) {
  const read = async (columns: readonly string[], from: string) =>
    (
      await clickHouse.query({
        sql: `SELECT project_id, session_id, ${columns.map((sql) => `toString(${sql})`).join(", ")} FROM ${from}
          GROUP BY project_id, session_id ORDER BY project_id, session_id`,
      })
    ).rows
  const ofEvents = `(SELECT *, \`$session_id\` AS session_id FROM events WHERE ${IS_UUID_V7})`
  const [rolledUp, recounted] = await Promise.all([
    read(
      COLUMNS.map(([, sql]) => sql),
      "session_rollup",
    ),
    read(
      COLUMNS.map(([sql]) => sql),
      ofEvents,
    ),
  ])
  return { rolledUp, recounted }
}
