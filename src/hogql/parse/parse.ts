import { HogqlError, syntaxError } from "../hogql-error.js"
import type { Expression, OrderItem, Query } from "../nodes/nodes.js"
import { readExpression, readValue } from "./expressions.js"
import { readOrderItem } from "./lists.js"
import { readQuery } from "./queries.js"
import { type Rules, TokenReader } from "./token-reader.js"
import { checkDepth } from "./tree-depth.js"

const RULES: Rules = { expression: readExpression, value: readValue, query: readQuery }

/**
 * Reads a query text into nodes, in time that grows with its length only.
 *
 * @throws HogqlError of kind `syntax`, with the place in the text; of kind `query` for a given name with `%`
 */
export function parse(text: string): Query {
  return readWhole(text, (reader) => {
    if (reader.peek().kind === "end") throw syntaxError("Empty query")
    const query = readQuery(reader)
    reader.takeSign(";")
    return query
  })
}

/**
 * Reads one expression, such as a column of an insight: `properties.$browser`, `count()`, `a AS b`.
 *
 * @throws HogqlError of kind `syntax`, with the place in this text
 */
export function parseExpression(text: string): Expression {
  return readWhole(text, readExpression)
}

/**
 * Reads one item of an ORDER BY: `timestamp DESC`.
 *
 * @throws HogqlError of kind `syntax`
 */
export function parseOrder(text: string): OrderItem {
  return readWhole(text, readOrderItem)
}

function readWhole<Node extends object>(text: string, read: (reader: TokenReader) => Node): Node {
  const reader = new TokenReader(text, RULES)
  try {
    const node = read(reader)
    if (reader.peek().kind !== "end") throw reader.expected("the end of the text")
    checkDepth(node)
    return node
  } catch (failure) {
    throw failure instanceof HogqlError ? reader.furthest(failure) : failure
  }
}
