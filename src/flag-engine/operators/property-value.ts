import type { Json } from "../../kernel/json.js"

/**
 * Text form of a property or filter value: text as it is, anything else as compact JSON
 * (`docs/contract/flags.md#property-operators`).
 */
export const toText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))

/** Lower case of A to Z only, as the containment operators compare. */
export const toAsciiLowerCase = (text: string): string =>
  /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (run) => run.toLowerCase()) : text

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** A number, or text that is a number as a whole; null otherwise. */
export function toNumber(value: Json): number | null {
  if (typeof value === "number") return value
  if (typeof value !== "string" || !NUMBER.test(value)) return null
  return Number(value)
}

/** Whether a filter value compares as truth: a boolean, `true` or `false` in any case, or a list of only such. */
export function isBooleanLike(value: Json): boolean {
  if (typeof value === "boolean") return true
  if (typeof value === "string") return isWord(value, "true") || isWord(value, "false")
  return Array.isArray(value) && value.every(isBooleanLike)
}

/** Truth of a value beside a boolean-like filter: true, the text `true`, or a list of only such. */
export function isTruthy(value: Json): boolean {
  if (typeof value === "boolean") return value
  if (typeof value === "string") return isWord(value, "true")
  return Array.isArray(value) && value.every(isTruthy)
}

const isWord = (text: string, word: string): boolean => text.length === word.length && text.toLowerCase() === word
