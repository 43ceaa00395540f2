import { DefinitionFault, type Filter, readFilter } from "../../../flag-engine/index.js"
import type { JsonObject } from "../../../kernel/json.js"
import { checkPropertyFilter } from "./check-filter.js"
import { type FieldPath, refuse } from "./definition-context.js"

/** Operators that queries know and flags do not; a flag that asks for such a cohort is refused when it is saved. */
const QUERY_OPERATORS: ReadonlySet<string> = new Set([
  "between",
  "not_between",
  "in",
  "not_in",
  "is_cleaned_path_exact",
])

/**
 * Checks one leaf of a cohort's tree as it is saved: what nobody could evaluate would hold for nobody, silently.
 * @throws AppError invalid_input naming the field.
 */
export function checkCohortLeaf(leaf: JsonObject, path: FieldPath): void {
  const filter = readLeaf(leaf, path)
  if (filter.type !== "cohort") {
    if (!QUERY_OPERATORS.has(filter.operator)) checkPropertyFilter(filter, path)
    return
  }
  if (filter.hasOperator && filter.operator !== "in" && filter.operator !== "not_in")
    throw refuse([...path, "operator"], "must be in or not_in for a cohort")
}

function readLeaf(leaf: JsonObject, path: FieldPath): Filter {
  try {
    return readFilter(leaf, path)
  } catch (error) {
    if (error instanceof DefinitionFault) throw refuse(error.path, error.message)
    throw error
  }
}
