import { type Expression, nodes } from "../../../../hogql/index.js"
import type { DateRange } from "../../insights/date-range.js"
import { readComparedRange } from "../../insights/insight-dates.js"
import { queryConditions } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import type { KindContext } from "../kind-context.js"
import { readRange } from "../read-range.js"

const { compare, constant, field, tuple } = nodes

/** What queries about a site have in common, read. */
export interface WebQuery {
  readonly range: DateRange
  /** What the range is compared with; null without a comparison. */
  readonly previous: DateRange | null
  /** Page and screen views that fit the filters. */
  readonly conditions: readonly Expression[]
}

const isView = compare("in", field(["event"]), tuple([constant("$pageview"), constant("$screen")]))

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readWebQuery(reader: QueryReader, context: KindContext): Promise<WebQuery> {
  if (reader.list("properties") === null) throw reader.fault("properties", "is required and must be a list")
  const range = await readRange(reader, null, context)
  return {
    range,
    previous: readComparedRange(reader, range, context.run),
    conditions: [isView, ...queryConditions(reader, await context.hogqlScope())],
  }
}
