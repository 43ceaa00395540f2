import { cleanPath, type Expression, nodes, type Query } from "../../../../hogql/index.js"
import type { Json } from "../../../../kernel/json.js"
import { inRange } from "../../insights/buckets.js"
import { joinWithAnd, joinWithOr } from "../../insights/property-conditions.js"
import { refuseOptions } from "../../insights/refusals.js"
import { template } from "../../insights/template.js"
import type { QueryAnswer } from "../../queries.types.js"
import { toAnswer } from "../answer.js"
import type { KindContext } from "../kind-context.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { type RowPage, readPage } from "../read-page.js"
import { readWebOrder, toOrderText } from "./read-web-order.js"
import { readWebQuery, type WebQuery } from "./read-web-query.js"

const { call, compare, constant, field } = nodes

const property = (name: string): Expression => field(["properties", name])
const session = (name: string): Expression => field(["session", name])
/** Several parts as one text, null when none is there. */
const joined = (separator: string, ...parts: readonly Expression[]): Expression => {
  const texts = parts.flatMap((part, index) => [
    ...(index === 0 ? [] : [constant(separator)]),
    call("ifNull", [part, constant("(none)")]),
  ])
  return call("if", [compare("==", call("coalesce", parts), constant(null)), constant(null), call("concat", texts)])
}

const country = property("$geoip_country_code")
const source = session("$entry_utm_source")
const medium = session("$entry_utm_medium")
const campaign = session("$entry_utm_campaign")

/** What visits are broken down by for each `breakdownBy`. */
const BREAKDOWNS: ReadonlyMap<string, Expression> = new Map<string, Expression>([
  ["Page", call("coalesce", [property("$pathname"), call("path", [property("$current_url")])])],
  ["InitialPage", session("$entry_pathname")],
  ["ExitPage", session("$end_pathname")],
  ["ExitClick", session("$last_external_click_url")],
  ["PreviousPage", property("$prev_pageview_pathname")],
  ["ScreenName", property("$screen_name")],
  ["InitialChannelType", session("$channel_type")],
  ["InitialReferringDomain", session("$entry_referring_domain")],
  ["InitialUTMSource", source],
  ["InitialUTMCampaign", campaign],
  ["InitialUTMMedium", medium],
  ["InitialUTMTerm", session("$entry_utm_term")],
  ["InitialUTMContent", session("$entry_utm_content")],
  ["InitialUTMSourceMediumCampaign", joined(" / ", source, medium, campaign)],
  ["Browser", property("$browser")],
  ["OS", property("$os")],
  ["Viewport", joined("x", property("$viewport_width"), property("$viewport_height"))],
  ["DeviceType", property("$device_type")],
  ["Country", country],
  ["Region", joined(", ", country, property("$geoip_subdivision_1_code"), property("$geoip_subdivision_1_name"))],
  ["City", joined(", ", country, property("$geoip_city_name"))],
  ["Timezone", property("$timezone")],
  ["Language", property("$browser_language")],
])
/** Those of them that are paths, which `doPathCleaning` cleans. */
const PATHS: readonly string[] = ["Page", "InitialPage", "ExitPage", "PreviousPage"]
/** Options that would change the numbers and are not implemented. */
const UNSUPPORTED = { includeScrollDepth: false, includeAvgTimeOnPage: false }
/** What rows can be ordered by, as columns of the SELECT. */
const ORDERS: ReadonlyMap<string, number> = new Map([
  ["Visitors", 2],
  ["Views", 3],
])
const ORDERS_WITH_BOUNCES: ReadonlyMap<string, number> = new Map([...ORDERS, ["BounceRate", 4]])
const GOAL_ORDERS: ReadonlyMap<string, number> = new Map([
  ["Visitors", 2],
  ["TotalConversions", 3],
  ["UniqueConversions", 4],
  ["ConversionRate", 5],
])

/** Rows that are asked for, and what they are ordered by first, in the words of a SELECT. */
interface OrderedPage extends RowPage {
  readonly orderText: string
}

/**
 * Kind `WebStatsTableQuery`: a site's visitors and views by a property of events or sessions
 * (`docs/contract/queries.md#web-kinds`).
 */
export const webStatsTableQuery: KindDefinition = {
  kind: "WebStatsTableQuery",
  async answer(reader, context) {
    const breakdownBy = reader.requiredText("breakdownBy")
    const value = BREAKDOWNS.get(breakdownBy)
    if (value === undefined) throw reader.fault("breakdownBy", `must be one of: ${[...BREAKDOWNS.keys()].join(", ")}`)
    refuseOptions(reader, UNSUPPORTED)
    const hasBounces = reader.flag("includeBounceRate")
    const query = await readWebQuery(reader, context)
    if (hasBounces && query.goal !== null)
      throw reader.fault("includeBounceRate", "cannot be used with conversionGoal, which shows conversions instead")
    const breakdown = PATHS.includes(breakdownBy) ? cleanPath(value, query.pathCleaning) : value
    const page = readPage(reader, { defaultLimit: 100, maxLimit: 1000 })
    const order = readWebOrder(reader, query.goal !== null ? GOAL_ORDERS : hasBounces ? ORDERS_WITH_BOUNCES : ORDERS)
    const shown = { ...page, orderText: toOrderText(order) }
    if (query.goal !== null) return answerConversions(breakdown, query.goal, query, shown, context)
    const found = await context.select(selectStats(breakdown, query, shown, hasBounces))
    const results = found.rows.map((row) => toRow(row, query.previous !== null, hasBounces))
    const names = ["breakdown_value", "visitors", "views", ...(hasBounces ? ["bounce_rate"] : [])]
    const columns = names.map((name) => `context.columns.${name}`)
    return toAnswer(results, [found], { columns, hasMore: found.hasMore, ...page })
  },
}

/**
 * Rows `(value, visitors, views and bounce rate now, the same before)`, those with the most visitors first unless it is
 * said. Sessions are looked at for bounces alone, else bounce rates are null.
 */
const selectStats = (
  breakdown: Expression,
  { range, previous, conditions }: WebQuery,
  page: OrderedPage,
  hasBounces: boolean,
): Query =>
  template(
    `SELECT value, uniqExactIf(person, isNow), sumIf(views, isNow), avgIf(bounce, isNow AND session_id != ''),
       uniqExactIf(person, NOT isNow), sumIf(views, NOT isNow), avgIf(bounce, NOT isNow AND session_id != '')
     FROM (
       SELECT nullIf(toString({breakdown}), '') AS value, person_id AS person, {sessionId} AS session_id,
         {isNow} AS isNow, count() AS views, any({bounce}) AS bounce
       FROM events WHERE {where} GROUP BY value, person, session_id, isNow
     )
     WHERE value IS NOT NULL GROUP BY value ORDER BY ${page.orderText}2 DESC, 3 DESC, value LIMIT {limit} OFFSET {offset}`,
    {
      breakdown,
      isNow: inRange(range),
      sessionId: hasBounces ? call("ifNull", [field(["$session_id"]), constant("")]) : constant(""),
      bounce: hasBounces ? call("toInt", [session("$is_bounce")]) : constant(null),
      limit: constant(page.limit),
      offset: constant(page.offset),
      where: joinWithAnd([joinWithOr([inRange(range), previous && inRange(previous)]), ...conditions]),
    },
  )

const GOAL_COLUMNS = ["breakdown_value", "visitors", "total_conversions", "unique_conversions", "conversion_rate"]

async function answerConversions(
  breakdown: Expression,
  goal: Expression,
  { range, previous, conditions }: WebQuery,
  page: OrderedPage,
  context: KindContext,
): Promise<QueryAnswer> {
  const found = await context.select(
    template(
      `SELECT nullIf(toString({breakdown}), '') AS value, uniqExactIf(person_id, {isNow}) AS visitors,
         countIf({goal} AND {isNow}), uniqExactIf(person_id, {goal} AND {isNow}) AS converted,
         if(visitors = 0, NULL, converted / visitors), uniqExactIf(person_id, NOT {isNow}) AS visitors_before,
         countIf({goal} AND NOT {isNow}), uniqExactIf(person_id, {goal} AND NOT {isNow}) AS converted_before,
         if(visitors_before = 0, NULL, converted_before / visitors_before)
       FROM events WHERE {where} GROUP BY value HAVING value IS NOT NULL
       ORDER BY ${page.orderText}visitors DESC, 3 DESC, value LIMIT {limit} OFFSET {offset}`,
      {
        breakdown,
        goal,
        isNow: inRange(range),
        limit: constant(page.limit),
        offset: constant(page.offset),
        where: joinWithAnd([joinWithOr([inRange(range), previous && inRange(previous)]), ...conditions]),
      },
    ),
  )
  const results = found.rows.map(([value = null, ...numbers]) => [
    value,
    ...[0, 1, 2, 3].map((index) => [numbers[index] ?? null, previous === null ? null : (numbers[index + 4] ?? null)]),
  ])
  const columns = GOAL_COLUMNS.map((name) => `context.columns.${name}`)
  return toAnswer(results, [found], { columns, hasMore: found.hasMore, ...page })
}

/** Each number beside that of the time before, which is null when nothing is compared. */
function toRow(row: readonly Json[], isCompared: boolean, hasBounces: boolean): Json[] {
  const [value = null, ...numbers] = row
  const pair = (index: number): Json[] => [numbers[index] ?? null, isCompared ? (numbers[index + 3] ?? null) : null]
  return [value, pair(0), pair(1), ...(hasBounces ? [pair(2)] : [])]
}
