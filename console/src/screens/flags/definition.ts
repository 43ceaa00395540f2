import { isOperator, OPERATOR_LABELS, type Operator, takesValue } from "../../ui/operators"

/** A condition on a property, a cohort or another flag, with the names of REST, in which definitions are kept. */
export interface Filter {
  readonly type: string
  readonly key: string
  readonly operator: string
  readonly value: unknown
  /** All that is stored of it, so that what the editor does not know is kept. */
  readonly stored: Readonly<Record<string, unknown>>
}

/** A release condition: who gets the flag, and how many of them. */
export interface Condition {
  readonly filters: readonly Filter[]
  /** 0 to 100. */
  readonly rolloutPercentage: number
  readonly stored: Readonly<Record<string, unknown>>
}

/** Who gets which value, and all else that is stored of it. */
export interface Definition {
  readonly conditions: readonly Condition[]
  readonly stored: Readonly<Record<string, unknown>>
}

type Stored = Readonly<Record<string, unknown>>

const toStored = (value: unknown): Stored => (typeof value === "object" && value !== null ? { ...value } : {})
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const toText = (value: unknown, fallback: string): string => (typeof value === "string" ? value : fallback)

/** The operator that a stored word means; null for one that the editor does not offer. */
export function toOperator(stored: string): Operator | null {
  const operator = stored.toUpperCase()
  return isOperator(operator) ? operator : null
}

/** How an operator is called, its own name where the editor has no words for it. */
export function toOperatorLabel(stored: string): string {
  const operator = toOperator(stored)
  return operator === null ? stored.toLowerCase() : OPERATOR_LABELS[operator]
}

/** Whether a stored operator compares with a value. */
export function hasValue(stored: string): boolean {
  const operator = toOperator(stored)
  return operator === null || takesValue(operator)
}

/** A new condition on a property of the person. */
export const NEW_FILTER: Filter = { type: "person", key: "", operator: "exact", value: "", stored: {} }
/** A new release condition, which nobody meets until its share is raised. */
export const NEW_CONDITION: Condition = { filters: [], rolloutPercentage: 0, stored: {} }

function readFilter(value: unknown): Filter {
  const stored = toStored(value)
  const { type, key, operator, value: expected } = stored
  return {
    type: toText(type, "person"),
    key: toText(key, String(key ?? "")),
    operator: toText(operator, "exact"),
    value: expected,
    stored,
  }
}

/** Reads a definition as the graph gives it whole. */
export function readDefinition(raw: unknown): Definition {
  const stored = toStored(raw)
  const conditions = toList(stored.groups).map((group) => {
    const { properties, rollout_percentage: share, ...rest } = toStored(group)
    const rolloutPercentage = typeof share === "number" ? share : 100
    return { filters: toList(properties).map(readFilter), rolloutPercentage, stored: rest }
  })
  return { conditions, stored }
}

/** Writes a definition as the graph takes it whole. */
export const writeDefinition = ({ conditions, stored }: Definition): Stored => ({
  ...stored,
  groups: conditions.map(({ filters, rolloutPercentage, stored: rest }) => ({
    ...rest,
    properties: filters.map(({ type, key, operator, value, stored: known }) => ({
      ...known,
      type,
      key,
      operator,
      value: hasValue(operator) ? value : null,
    })),
    rollout_percentage: rolloutPercentage,
  })),
})

/** What a person types for a value, and several with commas between them. */
export const toValueText = (value: unknown): string =>
  Array.isArray(value) ? value.join(", ") : value === null || value === undefined ? "" : String(value)

/** The value that is meant by a text: a list where there are commas and the operator takes one. */
export function fromValueText(text: string, operator: string): unknown {
  const isList = text.includes(",") && (operator === "exact" || operator === "is_not")
  return isList ? text.split(",").map((part) => part.trim()) : text
}
