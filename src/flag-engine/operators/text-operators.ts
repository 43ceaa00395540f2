import type { Json } from "../../kernel/json.js"
import { isBooleanLike, isTruthy, toAsciiLowerCase, toText } from "./property-value.js"

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
export function containsAny(filterValue: Json): PresentValueTest {
  const wanted = (Array.isArray(filterValue) ? filterValue : [filterValue]).map((one) => toAsciiLowerCase(toText(one)))
  return (value) => {
    const text = toAsciiLowerCase(toText(value))
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
