import type { HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import { and, constant, not, or } from "../nodes/make.js"
import type { Expression, Span } from "../nodes/nodes.js"
import { behaviourCondition } from "./behaviour-condition.js"
import { propertyCondition } from "./property-filters.js"

/** Far more than is ever accepted when a cohort is saved; bounds what older rows can ask for. */
const MAX_DEPTH = 25
const LEAF_TYPES: readonly unknown[] = ["person", "cohort", "behavioral"]

/**
 * The tree of a dynamic cohort, `{"properties": {"type": "AND" | "OR", "values": […]}}`, as a condition on `persons`. Leaves
 * mean what the same property filters mean elsewhere in HogQL, `negation` inverts one, and an empty group matches everybody,
 * as it does for flags.
 *
 * @throws HogqlError for a tree without conditions, and for conditions that queries do not support
 */
export function cohortCondition(filters: unknown, at: Span, scope: Pick<HogqlScope, "nowMs">): Expression {
  if (!isObject(filters) || filters.properties == null) throw queryError("It has no conditions.", at)
  return nodeCondition(filters.properties, at, scope, 0)
}

function nodeCondition(node: unknown, at: Span, scope: Pick<HogqlScope, "nowMs">, depth: number): Expression {
  if (depth > MAX_DEPTH) throw queryError("Its conditions are too deeply nested.", at)
  if (!isObject(node)) throw queryError("A condition must be an object.", at)
  if (node.type === "AND" || node.type === "OR" || Array.isArray(node.values)) {
    const values: readonly unknown[] = Array.isArray(node.values) ? node.values : []
    const conditions = values.map((value) => nodeCondition(value, at, scope, depth + 1))
    if (conditions.length === 0) return constant(true)
    return node.type === "OR" ? or(conditions) : and(conditions)
  }
  const { type = "person" } = node
  if (!LEAF_TYPES.includes(type))
    throw queryError(`Conditions of type ${JSON.stringify(type).slice(0, 40)} are not supported.`, at)
  const condition =
    type === "behavioral"
      ? behaviourCondition(node, at, scope)
      : propertyCondition({ ...node, type, negation: false }, "persons", at)
  return node.negation === true ? not(condition) : condition
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
