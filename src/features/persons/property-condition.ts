import { AppError } from "../../kernel/errors.js"
import type { Json } from "../../kernel/json.js"

/** How a property condition compares, as filters of clients name it. */
export const PROPERTY_OPERATORS = [
  "exact",
  "is_not",
  "icontains",
  "not_icontains",
  "gt",
  "gte",
  "lt",
  "lte",
  "is_set",
  "is_not_set",
] as const
export type PropertyOperator = (typeof PROPERTY_OPERATORS)[number]

/** A condition on one property of a person, ready for a store. */
export type PropertyCondition =
  | { readonly kind: "set"; readonly key: string; readonly wanted: boolean }
  /** The value as text is (not) one of these. A property that is not set is none of them. */
  | { readonly kind: "one_of"; readonly key: string; readonly texts: readonly string[]; readonly wanted: boolean }
  /** The value as text does (not) contain one of these, in any case. */
  | { readonly kind: "contains"; readonly key: string; readonly texts: readonly string[]; readonly wanted: boolean }
  /** The value is a number, or the text of one, and compares so. */
  | { readonly kind: "number"; readonly key: string; readonly sign: ">" | ">=" | "<" | "<="; readonly bound: number }

/** A condition as a caller writes it. */
export interface RawPropertyCondition {
  readonly key: string
  readonly operator?: string | null
  readonly value?: Json
}

const SIGNS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const
const MAX_CONDITIONS = 50

/** @throws AppError invalid_input naming `properties` for an unknown operator or a value that does not fit it. */
export function toPropertyConditions(raw: readonly RawPropertyCondition[]): PropertyCondition[] {
  if (raw.length > MAX_CONDITIONS) throw invalid(`At most ${MAX_CONDITIONS} conditions may be given.`)
  return raw.map(toPropertyCondition)
}

function toPropertyCondition({ key, operator, value = null }: RawPropertyCondition): PropertyCondition {
  const known = PROPERTY_OPERATORS.find((name) => name === (operator ?? "exact"))
  switch (known) {
    case undefined:
      throw invalid(`There is no operator "${operator}" for persons. Use one of: ${PROPERTY_OPERATORS.join(", ")}.`)
    case "is_set":
    case "is_not_set":
      return { kind: "set", key, wanted: known === "is_set" }
    case "exact":
    case "is_not":
      return { kind: "one_of", key, texts: toTexts(key, value), wanted: known === "exact" }
    case "icontains":
    case "not_icontains":
      return { kind: "contains", key, texts: toTexts(key, value), wanted: known === "icontains" }
    default:
      return { kind: "number", key, sign: SIGNS[known], bound: toNumber(key, value) }
  }
}

function toTexts(key: string, value: Json): string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.map((one) => {
    if (one === null || typeof one === "object")
      throw invalid(`The value for "${key}" must be a text, number or boolean, or a list of them.`)
    return String(one)
  })
}

function toNumber(key: string, value: Json): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  if (typeof number === "number" && Number.isFinite(number)) return number
  throw invalid(`The value for "${key}" must be a number to be compared as greater or smaller.`)
}

const invalid = (detail: string): AppError => new AppError("invalid_input", { attr: "properties", detail })
