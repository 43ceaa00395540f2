import { AppError } from "../../../kernel/errors.js"
import type { Json } from "../../../kernel/json.js"
import type { PersonPropertyFilterInput } from "./persons.graphql.js"
import { type PostgresRegex, toPostgresRegex, UntranslatableRegex } from "./postgres-regex.js"
import { PROPERTY_OPERATORS } from "./property-operators.js"

/**
 * A condition on one property of a person, ready for a store. `wanted: false` is the negative twin, which a property that is
 * not set satisfies, as in flags.
 */
export type PropertyCondition =
  | { readonly kind: "set"; readonly key: string; readonly wanted: boolean }
  /** The value as text is one of these, in any case. */
  | { readonly kind: "one_of"; readonly key: string; readonly texts: readonly string[]; readonly wanted: boolean }
  /** The value as text has one of these, in any case: anywhere, at its start or at its end. */
  | {
      readonly kind: "part"
      readonly key: string
      readonly texts: readonly string[]
      readonly place: "anywhere" | "start" | "end"
      readonly wanted: boolean
    }
  | { readonly kind: "regex"; readonly key: string; readonly regex: PostgresRegex; readonly wanted: boolean }
  /** The value is a number, or the text of one, and compares so. */
  | { readonly kind: "number"; readonly key: string; readonly sign: ">" | ">=" | "<" | "<="; readonly bound: number }
  /** The value is a moment and lies so to the bound. Times without an offset are local to the zone. */
  | {
      readonly kind: "date"
      readonly key: string
      readonly sign: "<" | ">" | "="
      readonly boundSeconds: number
      readonly timeZone: string
    }

/** What flags understand by the value of a filter. */
export interface FilterRules {
  /** The moment that a text names, in milliseconds; null when it names none. */
  dateBoundMs(text: string, timeZone: string, nowMs: number): number | null
  /** Why a regular expression is refused; null for one that can be used. */
  findPatternFault(pattern: string): string | null
}

/** What conditions are read with. */
export interface ConditionContext {
  readonly rules: FilterRules
  /** IANA name of the project's zone. */
  readonly timeZone: string
  readonly nowMs: number
}

const SIGNS = { gt: ">", gte: ">=", min: ">=", lt: "<", lte: "<=", max: "<=" } as const
const DATE_SIGNS = { is_date_before: "<", is_date_after: ">", is_date_exact: "=" } as const
const PLACES = { icontains: "anywhere", icontains_multi: "anywhere", starts_with: "start", ends_with: "end" } as const

/** @throws AppError invalid_input naming `properties` for an unknown operator or a value that does not fit it. */
export function toPropertyCondition(
  { key, operator, value = null }: PersonPropertyFilterInput,
  context: ConditionContext,
): PropertyCondition {
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
    case "regex":
    case "not_regex":
      return { kind: "regex", key, regex: toRegex(key, value, context), wanted: known === "regex" }
    case "is_date_before":
    case "is_date_after":
    case "is_date_exact":
      return { kind: "date", key, sign: DATE_SIGNS[known], ...toBound(key, value, context) }
    case "gt":
    case "gte":
    case "min":
    case "lt":
    case "lte":
    case "max":
      return { kind: "number", key, sign: SIGNS[known], bound: toNumber(key, value) }
    default: {
      const name = known.replace("not_", "") as keyof typeof PLACES
      return { kind: "part", key, texts: toTexts(key, value), place: PLACES[name], wanted: name === known }
    }
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

function toRegex(key: string, value: Json, { rules }: ConditionContext): PostgresRegex {
  if (typeof value !== "string") throw invalid(`The value for "${key}" must be a regular expression as text.`)
  const refusal = rules.findPatternFault(value)
  if (refusal !== null) throw invalid(`The regular expression for "${key}" ${refusal}.`)
  try {
    return toPostgresRegex(value)
  } catch (fault) {
    if (fault instanceof UntranslatableRegex) throw invalid(`The regular expression for "${key}" ${fault.message}.`)
    throw fault
  }
}

function toBound(key: string, value: Json, { rules, timeZone, nowMs }: ConditionContext) {
  const boundMs = typeof value === "string" ? rules.dateBoundMs(value, timeZone, nowMs) : null
  if (boundMs === null) throw invalid(`The value for "${key}" must be an ISO 8601 time or a relative one such as -7d.`)
  return { boundSeconds: boundMs / 1000, timeZone }
}

const invalid = (detail: string): AppError => new AppError("invalid_input", { attr: "properties", detail })
