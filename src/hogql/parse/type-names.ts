import { endsList } from "./lookahead.js"
import type { TokenReader } from "./token-reader.js"

/** Reads a type such as `Decimal(10, 2)`, `Array(Nullable(String))`, `double precision` or `int[]`, in lower case. */
export function readTypeName(reader: TokenReader): string {
  const words = [reader.name("a type").toLowerCase()]
  if (reader.isSign("(")) words[0] += readArguments(reader)
  else while (reader.isName()) words.push(reader.name().toLowerCase())
  let name = words.join(" ")
  while (reader.takeSign("[")) {
    const size = reader.peek().kind === "number" ? reader.next().value : ""
    reader.expectSign("]")
    name += `[${size}]`
  }
  return name
}

/** Inner types, with the name of a tuple's element before each; or numbers and texts. */
function readArguments(reader: TokenReader): string {
  reader.expectSign("(")
  const parts: string[] = []
  while (!endsList(reader)) {
    const element = reader.isName() && reader.isName(1) ? `${reader.name().toLowerCase()} ` : ""
    parts.push(element + (reader.isName() ? readTypeName(reader) : readParameter(reader)))
    if (!reader.takeSign(",")) break
  }
  reader.expectSign(")")
  return `(${parts.join(", ")})`
}

/** A number or text that belongs to a type, as it was written. */
function readParameter(reader: TokenReader): string {
  const sign = reader.takeSign("-") ? "-" : ""
  const token = reader.peek()
  if (token.kind !== "number" && token.kind !== "text") throw reader.expected("a type, a number or a text")
  reader.next()
  return sign + reader.source(token)
}
