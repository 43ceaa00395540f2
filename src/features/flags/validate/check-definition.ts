import {
  type Condition,
  DefinitionFault,
  type FlagDefinition,
  readFlagDefinition,
  type Variant,
} from "../../../flag-engine/index.js"
import { isJsonObject, type Json, type JsonObject, toStorableJson } from "../../../kernel/json.js"
import { withEarlyAccess } from "./check-early-access.js"
import { checkFilter } from "./check-filter.js"
import { type DefinitionContext, type FieldPath, refuse } from "./definition-context.js"

const MAX_DEFINITION_CHARACTERS = 1_000_000
const MAX_GROUP_TYPE_INDEX = 4
/** Thirds are written with a few decimals, so a sum may be a little above 100. */
const SUM_TOLERANCE = 0.01
const OPERATOR_ALIASES: Readonly<Record<string, string>> = { min: "gte", max: "lte" }

/**
 * Checks a definition as it is saved and answers what to store: text made storable, operator aliases replaced, payloads
 * as JSON text. Strict where evaluation is forgiving, so that nothing odd is stored in the first place.
 * @throws AppError invalid_input naming the exact field.
 */
export function checkDefinition(filters: Json, context: DefinitionContext): JsonObject {
  const path = ["filters"]
  const definition = read(filters)
  const stored = toStorableJson(filters as JsonObject)
  if (JSON.stringify(stored).length > MAX_DEFINITION_CHARACTERS)
    throw refuse(path, `must not be larger than ${MAX_DEFINITION_CHARACTERS} characters`)
  if (stored.groups === null) throw refuse([...path, "groups"], "must be a list of conditions")
  checkGroupTypeIndex(definition.groupTypeIndex, [...path, "aggregation_group_type_index"])
  definition.conditions.forEach((condition, index) => {
    checkCondition(condition, [...path, "groups", index], context)
  })
  if (definition.superCondition !== null)
    checkCondition(definition.superCondition, [...path, "super_groups", 0], context)
  if (definition.holdout !== null)
    checkPercentage(definition.holdout.percentage, [...path, "holdout", "exclusion_percentage"])
  checkVariants(definition.variants, [...path, "multivariate", "variants"])
  return withEarlyAccess(withStoredForms(stored))
}

function read(filters: Json): FlagDefinition {
  try {
    return readFlagDefinition(filters)
  } catch (error) {
    if (error instanceof DefinitionFault) throw refuse(error.path, error.message)
    throw error
  }
}

function checkCondition(condition: Condition, path: FieldPath, context: DefinitionContext): void {
  checkPercentage(condition.rolloutPercentage, [...path, "rollout_percentage"])
  checkGroupTypeIndex(condition.groupTypeIndex, [...path, "aggregation_group_type_index"])
  condition.filters.forEach((filter, index) => {
    const here = [...path, "properties", index]
    checkGroupTypeIndex(filter.groupTypeIndex, [...here, "group_type_index"])
    if (filter.type === "group" && filter.groupTypeIndex === null && condition.groupTypeIndex === null)
      throw refuse([...here, "group_type_index"], "is required: nothing else says which group is meant")
    checkFilter(filter, here, context)
  })
}

function checkVariants(variants: readonly Variant[], path: FieldPath): void {
  const keys = new Set<string>()
  let sum = 0
  variants.forEach(({ key, rolloutPercentage }, index) => {
    if (key === "") throw refuse([...path, index, "key"], "must not be empty")
    if (keys.has(key)) throw refuse([...path, index, "key"], "must not occur twice")
    checkPercentage(rolloutPercentage, [...path, index, "rollout_percentage"])
    keys.add(key)
    sum += rolloutPercentage
  })
  if (sum > 100 + SUM_TOLERANCE) throw refuse(path, `must not add up to more than 100 percent (it is ${sum})`)
}

function checkPercentage(percentage: number, path: FieldPath): void {
  if (!(percentage >= 0 && percentage <= 100)) throw refuse(path, "must be a number from 0 to 100")
}

function checkGroupTypeIndex(index: number | null, path: FieldPath): void {
  if (index !== null && (index < 0 || index > MAX_GROUP_TYPE_INDEX))
    throw refuse(path, `must be the index of a group type, 0 to ${MAX_GROUP_TYPE_INDEX}`)
}

function withStoredForms(filters: JsonObject): JsonObject {
  const stored = { ...filters }
  if (Array.isArray(filters.groups)) stored.groups = filters.groups.map(withoutAliases)
  if (isJsonObject(filters.payloads)) stored.payloads = asTexts(filters.payloads)
  return stored
}

function withoutAliases(condition: Json): Json {
  if (!isJsonObject(condition) || !Array.isArray(condition.properties)) return condition
  const properties = condition.properties.map((filter) => {
    const alias =
      isJsonObject(filter) && typeof filter.operator === "string" ? OPERATOR_ALIASES[filter.operator] : undefined
    return alias === undefined ? filter : { ...(filter as JsonObject), operator: alias }
  })
  return { ...condition, properties }
}

/** Clients read payloads as JSON text (`docs/contract/flags.md#response-versions`). */
const asTexts = (payloads: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(payloads).map(([key, payload]) => [
      key,
      typeof payload === "string" || payload === null ? payload : JSON.stringify(payload),
    ]),
  )
