import { nodes } from "../../../../hogql/index.js"
import { toInstantOf } from "../../insights/date-range.js"
import { template } from "../../insights/template.js"
import { readLifecycle, STATUSES, statusSelect } from "../lifecycle-query.js"
import type { PointActors } from "./point-actors.types.js"

const { constant } = nodes

/** The persons of one `status` in the interval of `day`. */
export const lifecycleActors: PointActors = async (reader, source, runner, run) => {
  if (source.value("aggregation_group_type_index") !== null)
    throw source.fault("aggregation_group_type_index", "counts groups, which are no persons")
  const lifecycle = await readLifecycle(source, runner, run)
  const status = reader.choice("status", STATUSES, "new")
  const atMs = toInstantOf(reader.requiredText("day"), run)
  const place = lifecycle.shown.findIndex(({ startMs, endMs }) => startMs <= atMs && atMs < endMs)
  if (place < 0) throw reader.fault("day", "must lie in the insight's dates")
  return template(
    "SELECT actor AS actor_id, any(events) AS event_count FROM {found} WHERE found.1 = {status} AND found.2 = {place} GROUP BY actor_id",
    // The interval before the first one that is shown has place 1.
    { found: await statusSelect(lifecycle), status: constant(status), place: constant(place + 2) },
  )
}
