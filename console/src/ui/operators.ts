import type { PropertyOperator } from "../graph/generated/graphql"

/** The operators that the console offers to compare properties with. */
export const OPERATORS = [
  "EXACT",
  "IS_NOT",
  "ICONTAINS",
  "NOT_ICONTAINS",
  "GT",
  "LT",
  "IS_SET",
  "IS_NOT_SET",
  "REGEX",
] as const satisfies readonly PropertyOperator[]

/** One of the operators that are offered. */
export type Operator = (typeof OPERATORS)[number]

/** The operators as people say them. */
export const OPERATOR_LABELS: Readonly<Record<Operator, string>> = {
  EXACT: "is",
  IS_NOT: "is not",
  ICONTAINS: "contains",
  NOT_ICONTAINS: "does not contain",
  GT: "is more than",
  LT: "is less than",
  IS_SET: "is set",
  IS_NOT_SET: "is not set",
  REGEX: "matches regex",
}

/** The operators for a list to choose from. */
export const OPERATOR_OPTIONS = OPERATORS.map((value) => ({ value, label: OPERATOR_LABELS[value] }))

/** Whether a text from an address or a store names an operator of the graph. */
export const isOperator = (value: unknown): value is Operator => OPERATORS.some((operator) => operator === value)

/** Whether an operator compares with a value. */
export const takesValue = (operator: Operator): boolean => operator !== "IS_SET" && operator !== "IS_NOT_SET"
