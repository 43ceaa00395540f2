import * as make from "../nodes/make.js"
import type { Expression } from "../nodes/nodes.js"
import type { TokenReader } from "./token-reader.js"

/** `f'… {expression} …'`, read as a call of concat when it has more than one part. */
export function readTemplate(reader: TokenReader): Expression {
  const from = reader.index
  reader.next()
  const parts: Expression[] = []
  while (reader.peek().kind !== "templateEnd") {
    const place = reader.index
    const { kind, value } = reader.next()
    if (kind === "templateText") parts.push(make.constant(value, reader.span(place)))
    else {
      parts.push(reader.rules.expression(reader))
      reader.expectSign("}")
    }
  }
  reader.next()
  const [only, ...others] = parts
  if (only === undefined) return make.constant("", reader.span(from))
  return others.length === 0 ? only : make.call("concat", parts, {}, reader.span(from))
}
