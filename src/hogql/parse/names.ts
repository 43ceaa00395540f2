import { queryError, syntaxError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import { RESERVED_NAMES } from "./keywords.js"
import { readList } from "./lists.js"
import type { TokenReader } from "./token-reader.js"

/** A name that the query gives to something. Throws HogqlError of kind `query` for one with `%`, as clients expect. */
export function givenName(name: string, at: Span): string {
  if (!name.includes("%")) return name
  throw queryError(`The HogQL identifier "${name}" is not permitted as it contains the "%" character`, at)
}

/** Reads the name given to a column or a table; without quotes it must not be a reserved one. `from` as in `span`. */
export function readAlias(reader: TokenReader, from: number): string {
  const isText = reader.peek().kind === "text"
  if (!isText && !reader.isName()) throw reader.expected("a name")
  const token = reader.next()
  const name = reader.written(token)
  const at = reader.span(from)
  if (token.kind === "name" || !RESERVED_NAMES.has(name.toLowerCase())) return givenName(name, at)
  throw syntaxError(`"${name}" cannot be an alias or identifier, as it's a reserved keyword`, at)
}

/** Reads the names of columns in brackets: `(a, b)`. */
export function readColumnNames(reader: TokenReader): string[] {
  reader.expectSign("(")
  const names = readList(reader, () => {
    const place = reader.index
    return givenName(reader.name(), reader.span(place))
  })
  reader.expectSign(")")
  return names
}
