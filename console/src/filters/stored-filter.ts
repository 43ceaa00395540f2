import type { PropertyFilterInput, PropertyOperator } from "../graph/generated/graphql"
import { OPERATOR_OPTIONS } from "../ui/operators"

/** What is stored, with the names of REST. */
export type Stored = Readonly<Record<string, unknown>>

/** A condition of a flag or of a cohort, with the names of REST, in which they are kept. */
export interface StoredFilter {
  readonly type: string
  readonly key: string
  readonly operator: string
  readonly value: unknown
  /** Which groups have the property; null for persons, and for groups that the flag itself is about. */
  readonly groupTypeIndex: number | null
  /** All that is stored of it, so that what the editor does not know is kept. */
  readonly stored: Stored
}

/** What flags can be compared by besides what the console offers everywhere. */
const MORE: readonly { readonly value: PropertyOperator; readonly label: string }[] = [
  { value: "GTE", label: "is at least" },
  { value: "LTE", label: "is at most" },
  { value: "NOT_REGEX", label: "does not match regex" },
  { value: "STARTS_WITH", label: "starts with" },
  { value: "ENDS_WITH", label: "ends with" },
  { value: "IS_DATE_BEFORE", label: "is before" },
  { value: "IS_DATE_AFTER", label: "is after" },
  { value: "SEMVER_GTE", label: "is version or later" },
  { value: "SEMVER_LT", label: "is before version" },
]
const OPERATORS = [...OPERATOR_OPTIONS, ...MORE].map(({ value, label }) => ({
  name: value,
  value: value.toLowerCase(),
  label,
}))
const VALUELESS: readonly string[] = ["is_set", "is_not_set"]
const LISTING: readonly string[] = ["exact", "is_not"]

/** The operators to choose from, with one that is stored and not among them. */
export const listOperators = (stored: string): readonly { readonly value: string; readonly label: string }[] =>
  OPERATORS.some(({ value }) => value === stored) ? OPERATORS : [...OPERATORS, { value: stored, label: stored }]

/** How a stored operator is called, its own name where the editor has no words for it. */
export const toOperatorLabel = (stored: string): string =>
  OPERATORS.find(({ value }) => value === stored.toLowerCase())?.label ?? stored.toLowerCase()

/** Whether a stored operator compares with a value. */
export const hasValue = (operator: string): boolean => !VALUELESS.includes(operator)

/** Whether a stored operator compares with each of several values. */
export const takesList = (operator: string): boolean => LISTING.includes(operator)

/** What a filter may be about. */
export type FilterKind = "person" | "cohort" | "flag" | `group ${number}`

/** What a filter is about; null for something that the editor does not know. */
export function toKind({ type, groupTypeIndex }: StoredFilter): FilterKind | null {
  if (type === "group") return groupTypeIndex === null ? null : `group ${groupTypeIndex}`
  return type === "person" || type === "cohort" || type === "flag" ? type : null
}

const PROPERTY = { key: "", operator: "exact", value: "", groupTypeIndex: null, stored: {} }

/** A new filter of a kind, in which nothing is chosen yet. */
export function toNewFilter(kind: FilterKind): StoredFilter {
  if (kind === "person") return { ...PROPERTY, type: "person" }
  if (kind === "cohort") return { ...PROPERTY, type: "cohort", key: "id", operator: "in", value: null }
  if (kind === "flag") return { ...PROPERTY, type: "flag", operator: "flag_evaluates_to", value: true }
  return { ...PROPERTY, type: "group", groupTypeIndex: Number(kind.slice("group ".length)) }
}

/** An object's fields; none of anything else. */
export const toStored = (value: unknown): Stored => (typeof value === "object" && value !== null ? { ...value } : {})

const toText = (value: unknown, fallback: string): string => (typeof value === "string" ? value : fallback)

/** Reads a filter as it is stored. */
export function readFilter(value: unknown): StoredFilter {
  const stored = toStored(value)
  const { type, key, operator, value: expected, group_type_index: index } = stored
  return {
    type: toText(type, "person"),
    key: String(key ?? ""),
    operator: toText(operator, type === "cohort" ? "in" : "exact"),
    value: expected,
    groupTypeIndex: typeof index === "number" ? index : null,
    stored,
  }
}

/** Writes a filter as it is stored. */
export const writeFilter = ({ type, key, operator, value, groupTypeIndex, stored }: StoredFilter): Stored => ({
  ...stored,
  type,
  key,
  operator,
  value: hasValue(operator) ? value : null,
  ...(groupTypeIndex !== null && { group_type_index: groupTypeIndex }),
})

/** Whether all of it is chosen, so that the server can understand it. */
export const isWhole = ({ key, operator, value }: StoredFilter): boolean =>
  key !== "" && (!hasValue(operator) || !(value === null || value === undefined || value === "" || isEmptyList(value)))

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** A filter as the graph takes it; null for one of a kind that it cannot be asked about. */
export function toGraphFilter(filter: StoredFilter): PropertyFilterInput | null {
  const { key, operator, value, groupTypeIndex } = filter
  if (filter.type === "cohort") return { cohort: { id: Number(value), isOutside: operator === "not_in" } }
  const known = OPERATORS.find((one) => one.value === operator)
  if (known === undefined) return null
  const condition = { key, operator: known.name, value: hasValue(operator) ? value : undefined }
  if (filter.type === "person") return { person: condition }
  return filter.type === "group" && groupTypeIndex !== null ? { group: { ...condition, groupTypeIndex } } : null
}

/** A value as a text of one line. */
export const toValueText = (value: unknown): string =>
  Array.isArray(value) ? value.join(", ") : value === null || value === undefined ? "" : String(value)

/** The values that are compared with, each as a text. */
export const toValueTexts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.map(String)
    : value === "" || value === null || value === undefined
      ? []
      : [String(value)]
