import type { Json } from "../../../../kernel/json.js"
import { NULL_BREAKDOWN, OTHER_BREAKDOWN } from "../../insights/breakdown.js"
import type { BrokenDownType } from "../results/series.graphql.js"

/**
 * The value of a breakdown as every result shows it: a list, null for no value. Insights write "" or a name of their
 * own for none, the number of a cohort, and 0 for all persons.
 */
export function showBreakdown(value: Json | undefined): BrokenDownType {
  if (value == null) return { breakdown: null, isOther: false }
  const values = [value].flat()
  const isOther = values.includes(OTHER_BREAKDOWN)
  return { breakdown: isOther ? null : values.map(showValue), isOther }
}

function showValue(value: Json): string | null {
  if (value === "" || value === null || value === NULL_BREAKDOWN) return null
  if (value === 0) return "all"
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
