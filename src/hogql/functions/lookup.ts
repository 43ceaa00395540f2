import { hint } from "../suggest.js"
import { AGGREGATES, EXPANDED_AGGREGATES, WINDOW_FUNCTIONS } from "./aggregates.js"
import { findCombined } from "./combinators.js"
import type { FunctionDefinition } from "./definition.js"
import { OWN_FUNCTIONS } from "./own-functions.js"
import { PLAIN_FUNCTIONS } from "./plain-functions.js"
import { REWRITTEN_FUNCTIONS } from "./rewritten-functions.js"

const FUNCTIONS = [...PLAIN_FUNCTIONS, ...REWRITTEN_FUNCTIONS, ...OWN_FUNCTIONS, ...AGGREGATES]

/** Names of all functions and aggregates that a query may call, in order. */
export const FUNCTION_NAMES: readonly string[] = [...new Set(FUNCTIONS.map(({ name }) => name))].sort()

const CALLABLE = new Map(FUNCTIONS.map((item) => [item.name, item]))
const WINDOW_ONLY = new Map(WINDOW_FUNCTIONS.map((item) => [item.name, item]))
const ANY_CASE = new Map(
  [...CALLABLE.values(), ...WINDOW_ONLY.values()]
    .filter((item) => item.anyCase)
    .map((item) => [item.name.toLowerCase(), item]),
)
const LOWER_CASE = new Map([...CALLABLE.keys()].map((name) => [name.toLowerCase(), name]))

/** What may have a suffix: aggregates that the engine itself has. */
const SUFFIXABLE = new Map(
  AGGREGATES.filter((item) => !EXPANDED_AGGREGATES.includes(item)).map((item) => [item.name, item]),
)
const findPlain = (name: string) => SUFFIXABLE.get(name)

/** The function a query names; with `isWindow` the ones that only stand before an OVER too. */
export function findFunction(name: string, isWindow: boolean): FunctionDefinition | undefined {
  const known = CALLABLE.get(name) ?? (isWindow ? WINDOW_ONLY.get(name) : undefined) ?? findCombined(name, findPlain)
  if (known !== undefined) return known
  const sameInAnyCase = ANY_CASE.get(name.toLowerCase())
  if (sameInAnyCase === undefined || isWindow) return sameInAnyCase
  return CALLABLE.has(sameInAnyCase.name) ? sameInAnyCase : undefined
}

/** The sentence for a function that is not allowed, with the one that was meant if there is one near. */
export function unsupported(name: string): string {
  const sentence = `Unsupported function call '${name}(...)'`
  const sameLetters = LOWER_CASE.get(name.toLowerCase())
  if (sameLetters !== undefined) return `${sentence}. Perhaps you meant '${sameLetters}(...)'?`
  if (WINDOW_ONLY.has(name)) return `${sentence}. It needs an OVER (...) after it.`
  const near = hint(name, CALLABLE.keys()).replace(/'\?$/, "(...)'?")
  return near === "" ? sentence : `${sentence}.${near}`
}
