import { nodes } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import { readStickiness, stickySelect } from "../stickiness-query.js"
import type { PointActors } from "./point-actors.types.js"

/** The persons who were there in `day` intervals of a stickiness: exactly so many, or by `operator` at least or at most. */
export const stickinessActors: PointActors = async (reader, source, runner, run) => {
  const stickiness = await readStickiness(source, runner, run)
  const series = stickiness.series[reader.integer("series", { min: 0, max: stickiness.series.length - 1 }) ?? 0]
  if (series === undefined) throw reader.fault("series", "must be the number of a series")
  if (series.math === "unique_group") throw reader.fault("series", "counts groups, which are no persons")
  const isPrevious = reader.choice("compare", ["current", "previous"], "current") === "previous"
  const period = isPrevious ? stickiness.previous : stickiness.range
  if (period === null) throw reader.fault("compare", "needs a comparison in the insight")
  const days = reader.integer("day", { min: 1 })
  if (days === null) throw reader.fault("day", "is required: the number of intervals")
  const operator = reader.choice("operator", ["exact", "gte", "lte"], "exact")
  const comparison = ({ exact: "==", gte: ">=", lte: "<=" } as const)[operator]
  return template("SELECT actor AS actor_id, events AS event_count FROM {sticky} WHERE {enough}", {
    sticky: await stickySelect(stickiness, series, period),
    enough: nodes.compare(comparison, nodes.field(["intervals"]), nodes.constant(days)),
  })
}
