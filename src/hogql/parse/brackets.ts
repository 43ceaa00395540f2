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
  const open: number[] = []
  tokens.forEach((token, index) => {
    if (token.kind === "template" || (token.kind === "sign" && CLOSING[token.value] !== undefined)) {
      open.push(index)
      if (open.length > MAX_BRACKET_DEPTH) throw syntaxError("The query is too deeply nested.", token)
    } else if (token.kind === "templateEnd" || (token.kind === "sign" && ")]}".includes(token.value))) {
      const partner = open.pop()
      if (partner === undefined) throw syntaxError(`This ${token.value} closes nothing.`, token)
      const opening = tokens[partner] as Token
      if (opening.kind !== "template" && CLOSING[opening.value] !== token.value) {
        throw syntaxError(`This ${token.value} does not close the ${opening.value} before it.`, token)
      }
      partners[partner] = index
    }
  })
  const unclosed = open.pop()
  if (unclosed !== undefined) {
    const token = tokens[unclosed] as Token
    throw syntaxError(`This ${token.value} is never closed.`, token)
  }
  return partners
}
