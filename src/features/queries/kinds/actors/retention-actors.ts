import { nodes } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import { readRetention, returnsSelect } from "../retention-query.js"
import type { PointActors } from "./insight-actors.js"

const { constant } = nodes

/** The persons who came in interval number `interval` of a retention, counted from 0. */
export const retentionActors: PointActors = async (reader, source, runner, run) => {
  if (source.value("aggregation_group_type_index") !== null)
    throw source.fault("aggregation_group_type_index", "counts groups, which are no persons")
  const retention = await readRetention(source, await runner.scopeOf(run), run)
  const index = reader.integer("interval", { min: 0, max: retention.buckets.length - 1 }) ?? 0
  return template(
    `SELECT actor AS actor_id, length(arrayFilter(b -> toString(b) >= {start}, returns)) AS event_count
     FROM {returns} WHERE toString(start) = {start}`,
    { returns: await returnsSelect(retention), start: constant(String(retention.buckets[index]?.key)) },
  )
}
