import { syntaxError } from "../hogql-error.js"
import type { Token } from "./tokens.js"

const MAX_BRACKET_DEPTH = 100

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/**
 * Index of the closing token of every opening bracket and template text, at the index of the opening one. Throws
 * HogqlError when brackets do not match or stand too deep in each other.
 */
export function matchBrackets(tokens: readonly Token[]): Int32Array {
  const partners = new Int32Array(tokens.length)
  const open: { readonly token: Token; readonly index: number }[] = []
  tokens.forEach((token, index) => {
    if (token.kind === "template" || (token.kind === "sign" && CLOSING[token.value] !== undefined)) {
      open.push({ token, index })
      if (open.length > MAX_BRACKET_DEPTH) throw syntaxError("The query is too deeply nested.", token)
    } else if (token.kind === "templateEnd" || (token.kind === "sign" && ")]}".includes(token.value))) {
      const opening = open.pop()
      if (opening === undefined) throw syntaxError(`This ${token.value} closes nothing.`, token)
      if (opening.token.kind !== "template" && CLOSING[opening.token.value] !== token.value) {
        throw syntaxError(`This ${token.value} does not close the ${opening.token.value} before it.`, token)
      }
      partners[opening.index] = index
    }
  })
  const unclosed = open.pop()?.token
  if (unclosed !== undefined) throw syntaxError(`This ${unclosed.value} is never closed.`, unclosed)
  return partners
}
