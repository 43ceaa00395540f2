import { nodes } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import { readComparison, readStickiness, selectSticky } from "../stickiness-query.js"
import { type PointActors, readPeriod, readPointSeries } from "./point-actors.js"

const { compare, constant, field } = nodes

/** The persons who were there in `day` intervals of a stickiness: exactly so many, or by `operator` at least or at most. */
export const stickinessActors: PointActors = async (reader, source, context) => {
  const stickiness = await readStickiness(source, context)
  const { range, previous } = stickiness
  const series = readPointSeries(reader, stickiness.series)
  const period = readPeriod(reader, [range, previous])
  const days = reader.integer("day", { min: 1 })
  if (days === null) throw reader.fault("day", "is required: the number of intervals")
  return template("SELECT actor AS actor_id, events AS event_count FROM {sticky} WHERE {enough}", {
    sticky: selectSticky(stickiness, series, period),
    enough: compare(readComparison(reader, "exact"), field(["intervals"]), constant(days)),
  })
}
