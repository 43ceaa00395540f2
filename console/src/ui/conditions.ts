import type { PropertyFilterInput } from "../graph/generated/graphql"
import { isOperator, type Operator, takesValue } from "./operators"

/** What must hold for a property of an event. */
export interface Condition {
  readonly key: string
  readonly operator: Operator
  readonly value: string
}

/** Reads conditions of the address; absent when there are none. */
export function readConditions(value: unknown): readonly Condition[] | undefined {
  if (!Array.isArray(value)) return undefined
  const conditions = value.flatMap((item: Partial<Record<keyof Condition, unknown>> | null) =>
    item !== null && typeof item.key === "string" && isOperator(item.operator)
      ? [{ key: item.key, operator: item.operator, value: String(item.value ?? "") }]
      : [],
  )
  return conditions.length === 0 ? undefined : conditions
}

const NUMERIC: readonly Operator[] = ["GT", "LT"]

/** The conditions as operations take them; sizes are compared with numbers. */
export const toPropertyFilters = (conditions: readonly Condition[] = []): PropertyFilterInput[] =>
  conditions.map(({ key, operator, value }) => ({
    event: {
      key,
      operator,
      ...(takesValue(operator) && { value: NUMERIC.includes(operator) ? Number(value) : value }),
    },
  }))
