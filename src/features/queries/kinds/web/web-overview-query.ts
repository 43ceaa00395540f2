import type { Expression, Query } from "../../../../hogql/index.js"
import type { Json, JsonObject } from "../../../../kernel/json.js"
import { inRange } from "../../insights/buckets.js"
import type { DateRange } from "../../insights/date-range.js"
import { joinWithAnd } from "../../insights/property-conditions.js"
import { template } from "../../insights/template.js"
import { toAnswer } from "../answer.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { readWebQuery } from "./read-web-query.js"

/** The numbers in the order of the row that is read for them. */
const ITEMS = [
  { key: "visitors", kind: "unit" },
  { key: "views", kind: "unit" },
  { key: "sessions", kind: "unit" },
  { key: "session duration", kind: "duration_s" },
  { key: "bounce rate", kind: "percentage", isIncreaseBad: true },
] as const

/** Kind `WebOverviewQuery`: a site's visitors, views and sessions, beside those of the time before. */
export const webOverviewQuery: KindDefinition = {
  kind: "WebOverviewQuery",
  async answer(reader, context) {
    const { range, previous, conditions } = await readWebQuery(reader, context)
    const now = await context.select(selectOverview(range, conditions))
    const before = previous === null ? null : await context.select(selectOverview(previous, conditions))
    return toAnswer(
      ITEMS.map((item, index) => toItem(item, now.rows[0]?.[index] ?? null, before?.rows[0]?.[index] ?? null)),
      before === null ? [now] : [now, before],
    )
  },
}

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

function toItem(item: (typeof ITEMS)[number], value: Json, previous: Json): JsonObject {
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
