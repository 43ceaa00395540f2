import { type Expression, nodes } from "../../../hogql/index.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { type DateRange, previousRange } from "../insights/date-range.js"
import { allOf, queryConditions } from "../insights/property-conditions.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import { template } from "../insights/template.js"
import type { QueryKind } from "../queries.types.js"
import { answerOf } from "./answer.js"
import type { HogqlResult, HogqlRunner } from "./hogql-runner.js"
import { readRange } from "./read-range.js"
import { inRange } from "./trends/trend-select.js"

const { compare, constant, field, tuple } = nodes

/** The numbers in the order of the row that is read for them. */
const ITEMS = [
  { key: "visitors", kind: "unit" },
  { key: "views", kind: "unit" },
  { key: "sessions", kind: "unit" },
  { key: "session duration", kind: "duration_s" },
  { key: "bounce rate", kind: "percentage", isIncreaseBad: true },
] as const

/** Kind `WebOverviewQuery`: a site's visitors, views and sessions, beside those of the time before. */
export function createWebOverviewQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "WebOverviewQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "WebOverviewQuery")
      if (reader.list("properties") === null) throw reader.fault("properties", "is required and must be a list")
      const compared = reader.object("compareFilter")
      const range = await readRange(reader, null, runner, run)
      const previous = compared.flag("compare") ? previousRange(range, compared.text("compare_to") || null, run) : null
      const scope = await runner.scopeOf(run)
      const conditions = await orQueryFault(() => queryConditions(reader, scope))
      const answers: HogqlResult[] = []
      const numbers = async (period: DateRange): Promise<readonly Json[]> => {
        const answer = await runner.runNodes(await overviewSelect(period, conditions), run)
        answers.push(answer)
        return answer.rows[0] ?? []
      }
      const now = await numbers(range)
      const before = previous === null ? null : await numbers(previous)
      return answerOf(
        ITEMS.map((item, index) => toItem(item, now[index] ?? null, before?.[index] ?? null)),
        answers,
      )
    },
  }
}

const overviewSelect = (range: DateRange, conditions: readonly Expression[]) =>
  template(
    `SELECT uniqExact(person), sum(views), uniqExactIf(session_id, session_id != ''), avgIf(duration, session_id != ''),
       avgIf(bounce, session_id != '') * 100
     FROM (
       SELECT person_id AS person, ifNull($session_id, '') AS session_id, count() AS views,
         any(session.$session_duration) AS duration, any(toInt(session.$is_bounce)) AS bounce
       FROM events WHERE {where} GROUP BY person, session_id
     )`,
    {
      where: allOf([
        inRange(range),
        compare("in", field(["event"]), tuple([constant("$pageview"), constant("$screen")])),
        ...conditions,
      ]),
    },
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
