import type { Json } from "../../kernel/json.js"
import { isBooleanLike, isTruthy, toAsciiLowerCase, toText } from "./property-value.js"
import { spendWork, type WorkBudget } from "./work-budget.js"

/** A text is looked through so much faster than a pattern takes a step. */
const CHARACTERS_PER_STEP = 500

type PresentValueTest = (value: Json) => boolean

/** `exact`: truth against truth when the filter is boolean-like, else equal text in full Unicode lower case. */
export function equals(filterValue: Json): PresentValueTest {
  if (isBooleanLike(filterValue)) {
    const wanted = isTruthy(filterValue)
    return (value) => isTruthy(value) === wanted
  }
  const wanted = new Set(
    (Array.isArray(filterValue) ? filterValue : [filterValue]).map((one) => toText(one).toLowerCase()),
  )
  return (value) => wanted.has(toText(value).toLowerCase())
}

/** `icontains`: ASCII case is ignored. */
export function contains(filterValue: Json): PresentValueTest {
  const wanted = toAsciiLowerCase(toText(filterValue))
  return (value) => toAsciiLowerCase(toText(value)).includes(wanted)
}

/** `icontains_multi`: any element of the filter's list; an empty list contains nothing. */
export function containsAny(filterValue: Json): (value: Json, budget: WorkBudget) => boolean {
  const wanted = (Array.isArray(filterValue) ? filterValue : [filterValue]).map((one) => toAsciiLowerCase(toText(one)))
  return (value, budget) => {
    const text = toAsciiLowerCase(toText(value))
    if (!spendWork(budget, (wanted.length * text.length) / CHARACTERS_PER_STEP)) return false
    return wanted.some((part) => text.includes(part))
  }
}

/** `starts_with`, in any ASCII case. */
export function startsWith(filterValue: Json): PresentValueTest {
  const wanted = toAsciiLowerCase(toText(filterValue))
  return (value) => toAsciiLowerCase(toText(value)).startsWith(wanted)
}

/** `ends_with`, in any ASCII case. */
export function endsWith(filterValue: Json): PresentValueTest {
  const wanted = toAsciiLowerCase(toText(filterValue))
  return (value) => toAsciiLowerCase(toText(value)).endsWith(wanted)
}
