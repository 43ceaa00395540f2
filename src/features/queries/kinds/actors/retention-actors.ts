import { nodes } from "../../../../hogql/index.js"
import { breakdownCondition } from "../../insights/breakdown-condition.js"
import { joinWithAnd } from "../../insights/property-conditions.js"
import { template } from "../../insights/template.js"
import { needsPlaces, selectPlaces } from "../retention/placed-returns.js"
import { readRetention } from "../retention/read-retention.js"
import { selectReturns } from "../retention/returns-select.js"
import { type PointActors, refuseGroups } from "./point-actors.js"

const { constant, field } = nodes

/** The persons who came in interval number `interval` of a retention, counted from 0; with a breakdown those of one `breakdown`. */
export const retentionActors: PointActors = async (reader, source, context) => {
  refuseGroups(source)
  const retention = await readRetention(source, context)
  const index = reader.integer("interval", { min: 0, max: retention.buckets.length - 1 }) ?? 0
  const start = constant(String(retention.buckets[index]?.key))
  if (needsPlaces(retention)) {
    const value = breakdownCondition(reader, "breakdown", retention.breakdown, field(["value"]))
    return template(
      "SELECT actor AS actor_id, length(places) AS event_count FROM {placed} WHERE toString(start) = {start} AND {value}",
      { placed: selectPlaces(retention), start, value: joinWithAnd([value]) },
    )
  }
  return template(
    `SELECT actor AS actor_id, length(arrayFilter(b -> toString(b) >= {start}, returns)) AS event_count
     FROM {returns} WHERE toString(start) = {start}`,
    { returns: selectReturns(retention), start },
  )
}
