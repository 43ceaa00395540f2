import { type Expression, type HogqlScope, nodes } from "../../../hogql/index.js"
import type { QueryReader } from "./query-reader.js"
import { matchesAction, readAction } from "./series.js"

const { compare, constant, field } = nodes

/**
 * `conversionGoal` of a query: the events of an action (`actionId`), or those of a name (`customEventName`); null
 * without one.
 *
 * @throws AppError parse_error naming the field.
 */
export function readConversionGoal(reader: QueryReader, scope: HogqlScope): Expression | null {
  const goal = reader.object("conversionGoal")
  const event = goal.text("customEventName")
  if (goal.value("actionId") !== null) {
    if (event !== null) throw goal.fault("customEventName", "cannot be used with actionId")
    return matchesAction(readAction(goal, "actionId", scope).id)
  }
  if (event !== null) return compare("==", field(["event"]), constant(event))
  if (reader.value("conversionGoal") === null) return null
  throw reader.fault("conversionGoal", "must have actionId or customEventName")
}
