import type { Expression, Query } from "../../../../hogql/index.js"
import type { Json, JsonObject } from "../../../../kernel/json.js"
import { inRange } from "../../insights/buckets.js"
import type { DateRange } from "../../insights/date-range.js"
import { joinWithAnd } from "../../insights/property-conditions.js"
import { template } from "../../insights/template.js"
import { toAnswer } from "../answer.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { readWebQuery, type WebQuery } from "./read-web-query.js"

/** The numbers in the order of the row that is read for them. */
const ITEMS = [
  { key: "visitors", kind: "unit" },
  { key: "views", kind: "unit" },
  { key: "sessions", kind: "unit" },
  { key: "session duration", kind: "duration_s" },
  { key: "bounce rate", kind: "percentage", isIncreaseBad: true },
] as const
/** The same for conversions. */
const GOAL_ITEMS = [
  { key: "visitors", kind: "unit" },
  { key: "total conversions", kind: "unit" },
  { key: "unique conversions", kind: "unit" },
  { key: "conversion rate", kind: "percentage" },
] as const

/**
 * Kind `WebOverviewQuery`: a site's visitors, views and sessions, or its conversions, beside those of the time before
 * (`docs/contract/queries.md#web-kinds`).
 */
export const webOverviewQuery: KindDefinition = {
  kind: "WebOverviewQuery",
  async answer(reader, context) {
    const query = await readWebQuery(reader, context)
    const items = query.goal === null ? ITEMS : GOAL_ITEMS
    const now = await context.select(selectNumbers(query, query.range))
    const before = query.previous === null ? null : await context.select(selectNumbers(query, query.previous))
    return toAnswer(
      items.map((item, index) => toItem(item, now.rows[0]?.[index] ?? null, before?.rows[0]?.[index] ?? null)),
      before === null ? [now] : [now, before],
    )
  },
}

const selectNumbers = ({ conditions, goal }: WebQuery, range: DateRange): Query =>
  goal === null ? selectOverview(range, conditions) : selectConversions(range, conditions, goal)

const selectOverview = (range: DateRange, conditions: readonly Expression[]): Query =>
  template(
    `SELECT uniqExact(person), sum(views), uniqExactIf(session_id, session_id != ''), avgIf(duration, session_id != ''),
       avgIf(bounce, session_id != '') * 100
     FROM (
       SELECT person_id AS person, ifNull($session_id, '') AS session_id, count() AS views,
         any(session.$session_duration) AS duration, any(toInt(session.$is_bounce)) AS bounce
       FROM events WHERE {where} GROUP BY person, session_id
     )`,
    { where: joinWithAnd([inRange(range), ...conditions]) },
  )

const selectConversions = (range: DateRange, conditions: readonly Expression[], goal: Expression): Query =>
  template(
    `SELECT uniqExact(person_id) AS visitors, countIf({goal}), uniqExactIf(person_id, {goal}) AS converted,
       if(visitors = 0, NULL, converted / visitors * 100)
     FROM events WHERE {where}`,
    { goal, where: joinWithAnd([inRange(range), ...conditions]) },
  )

type Item = (typeof ITEMS | typeof GOAL_ITEMS)[number]

function toItem(item: Item, value: Json, previous: Json): JsonObject {
  const isKnown = typeof value === "number" && typeof previous === "number" && previous !== 0
  return {
    key: item.key,
    kind: item.kind,
    value,
    previous,
    changeFromPreviousPct: isKnown ? Math.round(((value - previous) / previous) * 100) : null,
    ...("isIncreaseBad" in item && { isIncreaseBad: true }),
  }
}
