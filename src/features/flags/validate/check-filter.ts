import {
  compileLinearRegex,
  type Filter,
  findReachedCohorts,
  isPresenceOperator,
  listCohortLeaves,
  PROPERTY_OPERATORS,
  RegexFault,
  readCohortId,
  resolveFlagReference,
  type StoredCohort,
  toText,
} from "../../../flag-engine/index.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { type DefinitionContext, type FieldPath, refuse } from "./definition-context.js"

const FILTER_TYPES = ["person", "group", "cohort", "flag", "person_metadata"]
const OPERATORS: ReadonlySet<string> = new Set(PROPERTY_OPERATORS)
/** Operators that compare with each of several values. */
const LIST_OPERATORS: ReadonlySet<string> = new Set(["exact", "is_not", "icontains_multi", "not_icontains_multi"])
const MAX_LISTED_VALUES = 10_000

/**
 * Checks one filter of a release condition as it is saved. Values that can be compared with nothing (`gt` with a word) are
 * let through: they hold for nobody, which is documented and harmless.
 * @throws AppError invalid_input naming the field.
 */
export function checkFilter(filter: Filter, path: FieldPath, context: DefinitionContext): void {
  if (filter.key === "") throw refuse([...path, "key"], "must not be empty")
  if (Array.isArray(filter.value) && filter.value.length > MAX_LISTED_VALUES)
    throw refuse([...path, "value"], `must not list more than ${MAX_LISTED_VALUES} values; use a cohort`)
  if (!FILTER_TYPES.includes(filter.type)) throw refuse([...path, "type"], `must be one of ${FILTER_TYPES.join(", ")}`)
  if (filter.type === "cohort") checkCohortFilter(filter, path, context)
  else if (filter.type === "flag") checkFlagFilter(filter, path, context)
  else {
    if (filter.type === "person_metadata" && filter.key !== "created_at")
      throw refuse([...path, "key"], "must be created_at, the only thing known of persons besides their properties")
    checkPropertyFilter(filter, path)
  }
}

/** @throws AppError invalid_input naming the field. */
export function checkPropertyFilter(filter: Filter, path: FieldPath): void {
  const { operator, value } = filter
  if (!OPERATORS.has(operator)) throw refuse([...path, "operator"], `must be one of ${PROPERTY_OPERATORS.join(", ")}`)
  if (isPresenceOperator(operator)) checkPresenceValue(value, path)
  else if (value === undefined || value === null)
    throw refuse([...path, "value"], `is required by operator ${operator}`)
  else {
    checkComparedValue(operator, value, path)
    if (operator === "regex" || operator === "not_regex") checkPattern(value, path)
  }
}

/** A list where one value is meant, or an object, compares as its JSON text: a negated operator would hold for everybody. */
function checkComparedValue(operator: string, value: Json, path: FieldPath): void {
  if (!LIST_OPERATORS.has(operator) && Array.isArray(value))
    throw refuse([...path, "value"], `must be one value, not a list, for operator ${operator}`)
  const values = Array.isArray(value) ? value : [value]
  if (values.some((one) => typeof one === "object" && one !== null))
    throw refuse([...path, "value"], "must be text, a number, true or false")
}

/** SDKs and editors put a word or nothing there; anything else was meant for another operator. */
function checkPresenceValue(value: Json | undefined, path: FieldPath): void {
  if (typeof value === "number" || (typeof value === "object" && value !== null && !Array.isArray(value)))
    throw refuse([...path, "value"], "must be absent for an operator that takes no value")
}

function checkPattern(value: Json, path: FieldPath): void {
  try {
    compileLinearRegex(toText(value))
  } catch (error) {
    if (error instanceof RegexFault)
      throw refuse([...path, "value"], `is not a usable regular expression: it ${reason(error)}`)
    throw error
  }
}

const reason = ({ message }: RegexFault): string => (/^(?:is|uses|repeats) /.test(message) ? message : `has ${message}`)

function checkCohortFilter(filter: Filter, path: FieldPath, { cohorts }: DefinitionContext): void {
  if (filter.hasOperator && filter.operator !== "in" && filter.operator !== "not_in")
    throw refuse([...path, "operator"], "must be in or not_in for a cohort")
  const id = readCohortId(filter.value)
  if (id === null || !cohorts.has(id)) throw refuse([...path, "value"], "must be the id of a cohort of this project")
  const why = findUndecidable(id, cohorts)
  if (why !== null) throw refuse([...path, "value"], `must not be a cohort that ${why}`)
}

/** Why flags cannot decide by a cohort, in words that follow "a cohort that"; null where they can. */
export function findUndecidable(cohortId: number, cohorts: ReadonlyMap<number, StoredCohort>): string | null {
  for (const reached of findReachedCohorts([{ type: "cohort", value: cohortId }], cohorts)) {
    const leaves = listCohortLeaves(cohorts.get(reached)?.filters ?? null)
    if (leaves.some(isBehaviour)) return `looks at events (cohort ${reached} does)`
    const unknown = leaves.find(({ type, operator }) => type !== "cohort" && operator != null && !isKnown(operator))
    if (unknown !== undefined) return `uses ${unknown.operator} (cohort ${reached} does)`
  }
  return null
}

const isBehaviour = ({ type }: JsonObject): boolean => type === "behavioral"
const isKnown = (operator: Json): boolean => typeof operator === "string" && OPERATORS.has(operator)

function checkFlagFilter(filter: Filter, path: FieldPath, { flags }: DefinitionContext): void {
  if (filter.operator !== "flag_evaluates_to")
    throw refuse([...path, "operator"], "must be flag_evaluates_to for a flag")
  if (resolveFlagReference(filter.key, filter.isFlagKey, flags) === null)
    throw refuse([...path, "key"], "must be the id of another flag of this project")
  if (typeof filter.value !== "boolean" && typeof filter.value !== "string")
    throw refuse([...path, "value"], "must be true, false or a variant")
}
