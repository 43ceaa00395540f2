import type { Lambda } from "../nodes/nodes.js"
import type { TokenReader } from "./token-reader.js"

/** Whether `x ->`, `x, y ->` or `(x, y) ->` begins here. */
export function beginsLambda(reader: TokenReader): boolean {
  return reader.isSign("(") ? reader.isSign("->", reader.closing() + 1) : reader.isLambdaHead()
}

/** `x -> body`, `x, y -> body`, `(x, y) -> body`, `() -> body`. */
export function readArrowLambda(reader: TokenReader): Lambda {
  const from = reader.index
  const args: string[] = []
  const inBrackets = reader.takeSign("(")
  if (!reader.isSign(")")) args.push(...readArguments(reader))
  if (inBrackets) reader.expectSign(")")
  reader.expectSign("->")
  return readBody(reader, from, args)
}

/** `LAMBDA x, y: body`. */
export function readColonLambda(reader: TokenReader): Lambda {
  const from = reader.index
  reader.expectWord("lambda")
  const args = readArguments(reader)
  reader.expectSign(":")
  return readBody(reader, from, args)
}

function readArguments(reader: TokenReader): string[] {
  const names = [reader.name()]
  while (reader.takeSign(",") && reader.isName()) names.push(reader.name())
  return names
}

function readBody(reader: TokenReader, from: number, args: readonly string[]): Lambda {
  const body = reader.rules.expression(reader)
  return { kind: "lambda", at: reader.span(from), args, body }
}
