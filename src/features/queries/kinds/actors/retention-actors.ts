import { nodes } from "../../../../hogql/index.js"
import { breakdownCondition } from "../../insights/breakdown-condition.js"
import { allOf } from "../../insights/property-conditions.js"
import { template } from "../../insights/template.js"
import { needsPlaces, placedReturns } from "../retention/placed-returns.js"
import { readRetention } from "../retention/read-retention.js"
import { returnsSelect } from "../retention/returns-select.js"
import type { PointActors } from "./point-actors.types.js"

const { constant, field } = nodes

/** The persons who came in interval number `interval` of a retention, counted from 0; with a breakdown those of one `breakdown`. */
export const retentionActors: PointActors = async (reader, source, runner, run) => {
  if (source.value("aggregation_group_type_index") !== null)
    throw source.fault("aggregation_group_type_index", "counts groups, which are no persons")
  const retention = await readRetention(source, await runner.scopeOf(run), run)
  const index = reader.integer("interval", { min: 0, max: retention.buckets.length - 1 }) ?? 0
  const start = constant(String(retention.buckets[index]?.key))
  if (needsPlaces(retention)) {
    const value = breakdownCondition(reader, "breakdown", retention.breakdown, field(["value"]))
    return template(
      "SELECT actor AS actor_id, length(places) AS event_count FROM {placed} WHERE toString(start) = {start} AND {value}",
      { placed: await placedReturns(retention), start, value: allOf([value]) },
    )
  }
  return template(
    `SELECT actor AS actor_id, length(arrayFilter(b -> toString(b) >= {start}, returns)) AS event_count
     FROM {returns} WHERE toString(start) = {start}`,
    { returns: await returnsSelect(retention), start },
  )
}
