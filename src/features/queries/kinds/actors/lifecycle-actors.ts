import { nodes } from "../../../../hogql/index.js"
import { readInstant } from "../../insights/date-range.js"
import { template } from "../../insights/template.js"
import { readLifecycle, STATUSES, selectStatuses } from "../lifecycle-query.js"
import { type PointActors, refuseGroups } from "./point-actors.js"

const { constant } = nodes

/** The persons of one `status` in the interval of `day`. */
export const lifecycleActors: PointActors = async (reader, source, context) => {
  refuseGroups(source)
  const lifecycle = await readLifecycle(source, context)
  const status = reader.choice("status", STATUSES, "new")
  const atMs = readInstant(reader.requiredText("day"), context.run)
  const place = lifecycle.shown.findIndex(({ startMs, endMs }) => startMs <= atMs && atMs < endMs)
  if (place < 0) throw reader.fault("day", "must lie in the insight's dates")
  return template(
    "SELECT actor AS actor_id, any(events) AS event_count FROM {found} WHERE found.1 = {status} AND found.2 = {place} GROUP BY actor_id",
    // The interval before the first one that is shown has place 1.
    { found: selectStatuses(lifecycle), status: constant(status), place: constant(place + 2) },
  )
}
