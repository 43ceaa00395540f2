import type { Json } from "../../../kernel/json.js"

/** How queries read a property. */
export type PropertyType = "String" | "Numeric" | "Boolean" | "DateTime"

const ISO_DATE_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
const LONGEST_DATE_TIME = 35

/** The type that a value suggests; null for null, which suggests none. */
export function guessPropertyType(value: Json | undefined): PropertyType | null {
  switch (typeof value) {
    case "number":
      return "Numeric"
    case "boolean":
      return "Boolean"
    case "string":
      return value.length <= LONGEST_DATE_TIME && ISO_DATE_TIME.test(value) ? "DateTime" : "String"
    default:
      return value == null ? null : "String"
  }
}

/** The type that fits all values seen: two different ones have only text in common. */
export const widen = (known: PropertyType | undefined, seen: PropertyType): PropertyType =>
  known === undefined || known === seen ? seen : "String"
