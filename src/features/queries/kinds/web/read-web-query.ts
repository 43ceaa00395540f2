import { nodes } from "../../../../hogql/index.js"
import { readConversionGoal } from "../../insights/conversion-goal.js"
import { joinWithOr, queryConditions } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { checkSampling, refuseOptions } from "../../insights/refusals.js"
import type { KindContext } from "../kind-context.js"
import { readComparedRange, readRange } from "../read-dates.js"

const { compare, constant, field, tuple } = nodes

/** Whether an event shows a page or a screen. */
export const isView = compare("in", field(["event"]), tuple([constant("$pageview"), constant("$screen")]))

/** What queries about a site have in common, read. */
export type WebQuery = Awaited<ReturnType<typeof readWebQuery>>

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readWebQuery(reader: QueryReader, context: KindContext) {
  refuseOptions(reader, { includeRevenue: false })
  if (reader.list("properties") === null) throw reader.fault("properties", "is required and must be a list")
  checkSampling(reader)
  const range = await readRange(reader, null, context)
  const scope = await context.hogqlScope()
  const filters = queryConditions(reader, scope)
  const goal = readConversionGoal(reader, scope)
  return {
    range,
    /** The rules by which paths are shown; none unless they are asked for. */
    pathCleaning: reader.flag("doPathCleaning") ? (context.run.pathCleaning ?? []) : [],
    /** What the range is compared with; null without a comparison. */
    previous: readComparedRange(reader, range, context),
    /** Events of any name that fit the filters. */
    filters,
    /** Whether an event is a conversion; null when none are asked for. */
    goal,
    /** Page and screen views that fit the filters, and conversions. */
    conditions: [goal === null ? isView : joinWithOr([isView, goal]), ...filters],
  }
}
