import type { Query } from "../../../../hogql/index.js"
import type { DateRange } from "../../insights/date-range.js"
import type { QueryReader } from "../../insights/query-reader.js"
import type { Series } from "../../insights/series.js"
import type { KindContext } from "../kind-context.js"

/**
 * Gives the persons behind one point of an insight as rows `(actor_id, event_count)`, each once.
 *
 * @param reader the query that names the point
 * @param source the insight
 */
export type PointActors = (reader: QueryReader, source: QueryReader, context: KindContext) => Promise<Query>

/** For insights that can count groups. @throws AppError parse_error when this one does. */
export function refuseGroups(source: QueryReader): void {
  if (source.value("aggregation_group_type_index") !== null)
    throw source.fault("aggregation_group_type_index", "counts groups, which are no persons")
}

/** `series` of a query for persons: the number of one of the insight's. @throws AppError parse_error. */
export function readPointSeries(reader: QueryReader, all: readonly Series[]): Series {
  const series = all[reader.integer("series", { min: 0, max: all.length - 1 }) ?? 0]
  if (series === undefined) throw reader.fault("series", "must be the number of a series")
  if (series.countsGroups) throw reader.fault("series", "counts groups, which are no persons")
  return series
}

/** `compare` of a query for persons: the insight's own period, or the one before. @throws AppError parse_error. */
export function readPeriod(
  reader: QueryReader,
  [current, previous]: readonly (DateRange | null | undefined)[],
): DateRange {
  const isPrevious = reader.choice("compare", ["current", "previous"], "current") === "previous"
  const period = isPrevious ? previous : current
  if (period == null) throw reader.fault("compare", "needs a comparison in the insight")
  return period
}
