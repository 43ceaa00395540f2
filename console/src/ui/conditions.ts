import type { PersonPropertyFilter, PropertyFilterInput } from "../graph/generated/graphql"
import { isOperator, type Operator, takesValue } from "./operators"

/** What must hold for a property. */
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

/** A condition as lists of persons take it; sizes are compared with numbers. */
export const toPersonFilter = ({ key, operator, value }: Condition) =>
  ({
    key,
    operator,
    ...(takesValue(operator) && { value: NUMERIC.includes(operator) ? Number(value) : value }),
  }) satisfies PersonPropertyFilter

/** The conditions on properties of events as operations take them. */
export const toPropertyFilters = (conditions: readonly Condition[] = []): PropertyFilterInput[] =>
  conditions.map((condition) => ({ event: toPersonFilter(condition) }))
