import { type Expression, nodes } from "../../../hogql/index.js"
import type { Json } from "../../../kernel/json.js"
import { type DateRange, previousRange } from "../insights/date-range.js"
import { allOf, anyOf, queryConditions } from "../insights/property-conditions.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import { template } from "../insights/template.js"
import type { QueryKind } from "../queries.types.js"
import { answerOf } from "./answer.js"
import type { HogqlRunner } from "./hogql-runner.js"
import { readRange } from "./read-range.js"
import { inRange } from "./trends/trend-select.js"

const { call, compare, constant, field, tuple } = nodes

const property = (name: string) => field(["properties", name])
const ofSession = (name: string) => field(["session", name])
/** Several parts as one text, null when none is there. */
const joined = (separator: string, ...parts: readonly Expression[]) => {
  const texts = parts.flatMap((part, index) => [
    ...(index === 0 ? [] : [constant(separator)]),
    call("ifNull", [part, constant("(none)")]),
  ])
  return call("if", [compare("==", call("coalesce", parts), constant(null)), constant(null), call("concat", texts)])
}

/** What each `breakdownBy` tells visits apart by. */
const BREAKDOWNS: Readonly<Record<string, () => Expression>> = {
  Page: () => call("coalesce", [property("$pathname"), call("path", [property("$current_url")])]),
  InitialPage: () => ofSession("$entry_pathname"),
  ExitPage: () => ofSession("$end_pathname"),
  ExitClick: () => ofSession("$last_external_click_url"),
  PreviousPage: () => property("$prev_pageview_pathname"),
  ScreenName: () => property("$screen_name"),
  InitialChannelType: () => ofSession("$channel_type"),
  InitialReferringDomain: () => ofSession("$entry_referring_domain"),
  InitialUTMSource: () => ofSession("$entry_utm_source"),
  InitialUTMCampaign: () => ofSession("$entry_utm_campaign"),
  InitialUTMMedium: () => ofSession("$entry_utm_medium"),
  InitialUTMTerm: () => ofSession("$entry_utm_term"),
  InitialUTMContent: () => ofSession("$entry_utm_content"),
  InitialUTMSourceMediumCampaign: () =>
    joined(" / ", ofSession("$entry_utm_source"), ofSession("$entry_utm_medium"), ofSession("$entry_utm_campaign")),
  Browser: () => property("$browser"),
  OS: () => property("$os"),
  Viewport: () => joined("x", property("$viewport_width"), property("$viewport_height")),
  DeviceType: () => property("$device_type"),
  Country: () => property("$geoip_country_code"),
  Region: () =>
    joined(
      ", ",
      property("$geoip_country_code"),
      property("$geoip_subdivision_1_code"),
      property("$geoip_subdivision_1_name"),
    ),
  City: () => joined(", ", property("$geoip_country_code"), property("$geoip_city_name")),
  Timezone: () => property("$timezone"),
  Language: () => property("$browser_language"),
}
/** Options that would change the numbers and are not there. */
const UNSUPPORTED = ["conversionGoal", "includeScrollDepth", "doPathCleaning", "includeRevenue"]
const MAX_ROWS = 1000
const DEFAULT_ROWS = 100

/** Kind `WebStatsTableQuery`: a site's visitors and views told apart by one thing (`reference/management.md` 7.8). */
export function createWebStatsTableQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "WebStatsTableQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "WebStatsTableQuery")
      if (reader.list("properties") === null) throw reader.fault("properties", "is required and must be a list")
      const by = reader.requiredText("breakdownBy")
      const breakdown = Object.hasOwn(BREAKDOWNS, by) ? BREAKDOWNS[by] : undefined
      if (breakdown === undefined)
        throw reader.fault("breakdownBy", `must be one of: ${Object.keys(BREAKDOWNS).join(", ")}`)
      for (const option of UNSUPPORTED)
        if (reader.value(option) !== null && reader.value(option) !== false)
          throw reader.fault(option, "is not supported")
      const hasBounces = reader.flag("includeBounceRate")
      const compared = reader.object("compareFilter")
      const range = await readRange(reader, null, runner, run)
      const previous = compared.flag("compare") ? previousRange(range, compared.text("compare_to") || null, run) : null
      const scope = await runner.scopeOf(run)
      const conditions = await orQueryFault(() => queryConditions(reader, scope))
      const limit = reader.integer("limit", { min: 1, max: MAX_ROWS }) ?? DEFAULT_ROWS
      const offset = reader.integer("offset", { min: 0 }) ?? 0
      const ast = await statsSelect({ breakdown: breakdown(), range, previous, conditions, limit, offset })
      const answer = await runner.runNodes(ast, run)
      const results = answer.rows.map((row) => toRow(row, previous !== null, hasBounces))
      const names = ["breakdown_value", "visitors", "views", ...(hasBounces ? ["bounce_rate"] : [])]
      const columns = names.map((name) => `context.columns.${name}`)
      return answerOf(results, [answer], { columns, hasMore: answer.hasMore, limit, offset })
    },
  }
}

interface Stats {
  readonly breakdown: Expression
  readonly range: DateRange
  readonly previous: DateRange | null
  readonly conditions: readonly Expression[]
  readonly limit: number
  readonly offset: number
}

/** Rows `(value, visitors, views and bounce rate now, the same before)`, those with the most visitors first. */
const statsSelect = ({ breakdown, range, previous, conditions, limit, offset }: Stats) =>
  template(
    `SELECT value, uniqExactIf(person, isNow), sumIf(views, isNow), avgIf(bounce, isNow AND session_id != ''),
       uniqExactIf(person, NOT isNow), sumIf(views, NOT isNow), avgIf(bounce, NOT isNow AND session_id != '')
     FROM (
       SELECT nullIf(toString({breakdown}), '') AS value, person_id AS person, ifNull($session_id, '') AS session_id,
         {isNow} AS isNow, count() AS views, any(toInt(session.$is_bounce)) AS bounce
       FROM events WHERE {where} GROUP BY value, person, session_id, isNow
     )
     WHERE value IS NOT NULL GROUP BY value ORDER BY 2 DESC, 3 DESC, value LIMIT {limit} OFFSET {offset}`,
    {
      breakdown,
      isNow: inRange(range),
      limit: constant(limit),
      offset: constant(offset),
      where: allOf([
        anyOf([inRange(range), previous && inRange(previous)]),
        compare("in", field(["event"]), tuple([constant("$pageview"), constant("$screen")])),
        ...conditions,
      ]),
    },
  )

/** Each number beside that of the time before, which is null when nothing is compared. */
function toRow(row: readonly Json[], isCompared: boolean, hasBounces: boolean): Json[] {
  const [value = null, ...numbers] = row
  const pair = (index: number): Json[] => [numbers[index] ?? null, isCompared ? (numbers[index + 3] ?? null) : null]
  return [value, pair(0), pair(1), ...(hasBounces ? [pair(2)] : [])]
}
