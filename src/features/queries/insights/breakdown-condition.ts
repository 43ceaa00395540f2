import { type Expression, nodes } from "../../../hogql/index.js"
import type { Json } from "../../../kernel/json.js"
import { type Breakdown, NULL_BREAKDOWN, OTHER_BREAKDOWN } from "./breakdown.js"
import type { QueryReader } from "./query-reader.js"

const { array, call, compare, constant } = nodes

/**
 * The condition for one breakdown value, given in a field as the insight's answer shows it; null without one. "" is no value,
 * and 0 all persons among cohorts, as funnels show them.
 */
export function breakdownCondition(
  reader: QueryReader,
  name: string,
  breakdown: Breakdown | null,
  subject = breakdown?.expression,
): Expression | null {
  const value = reader.value(name)
  if (value === null || breakdown === null || subject === undefined) return null
  if (breakdown.list !== null && subject === breakdown.expression)
    return call("has", [breakdown.list, constant(toCohort(value))])
  if ([value].flat().includes(OTHER_BREAKDOWN))
    throw reader.fault(name, "cannot be the one that stands for all remaining values")
  const toText = (item: Json): string => {
    if (item === "") return NULL_BREAKDOWN
    return typeof item === "object" ? JSON.stringify(item) : String(item)
  }
  const values = [value].flat().map((item) => constant(breakdown.list === null ? toText(item) : toCohort(item)))
  return compare("==", subject, breakdown.isMultiple ? array(values) : (values[0] ?? constant("")))
}

const toCohort = (value: Json): string => (value === 0 ? "all" : String(value))
