import type { PropertyFilterInput, PropertyOperator } from "../graph/generated/graphql"

/** The operators that are offered, as people say them. */
export const OPERATORS = {
  EXACT: "is",
  IS_NOT: "is not",
  ICONTAINS: "contains",
  NOT_ICONTAINS: "does not contain",
  GT: "is more than",
  LT: "is less than",
  IS_SET: "is set",
  IS_NOT_SET: "is not set",
} as const satisfies Partial<Record<PropertyOperator, string>>

/** One of the operators that are offered. */
export type Operator = keyof typeof OPERATORS

/** What must hold for a property of an event. */
export interface Condition {
  readonly key: string
  readonly operator: Operator
  readonly value: string
}

export const isOperator = (value: unknown): value is Operator => typeof value === "string" && value in OPERATORS

/** Whether an operator compares with a value. */
export const takesValue = (operator: Operator): boolean => operator !== "IS_SET" && operator !== "IS_NOT_SET"

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
