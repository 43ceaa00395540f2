import { syntaxError } from "../hogql-error.js"
import type { Expression, OrderItem } from "../nodes/nodes.js"
import { endsList } from "./lookahead.js"
import type { TokenReader } from "./token-reader.js"

/** Reads one expression or more with commas between them; one more comma may stand at the end. */
export function readExpressions(reader: TokenReader): Expression[] {
  return readList(reader, () => reader.rules.expression(reader))
}

/** Reads one item or more with commas between them; one more comma may stand at the end. */
export function readList<Item>(reader: TokenReader, readItem: () => Item): [Item, ...Item[]] {
  const items: [Item, ...Item[]] = [readItem()]
  while (reader.takeSign(",")) {
    if (endsList(reader)) break
    items.push(readItem())
  }
  return items
}

/** Reads what follows ORDER BY; a comma at its end is an error. */
export function readOrderItems(reader: TokenReader): OrderItem[] {
  const items = [readOrderItem(reader)]
  while (reader.takeSign(",")) items.push(readOrderItem(reader))
  return items
}

/**
 * Reads one item of ORDER BY: an expression, its direction and where nulls stand.
 * @throws HogqlError for COLLATE and WITH FILL.
 */
export function readOrderItem(reader: TokenReader): OrderItem {
  const from = reader.index
  const expression = reader.rules.expression(reader)
  const descending = reader.takeWord("desc") || reader.takeWord("descending")
  if (!descending && !reader.takeWord("asc")) reader.takeWord("ascending")
  const nulls = reader.takeWords("nulls", "first") ? "first" : reader.takeWords("nulls", "last") ? "last" : null
  if (reader.isWord("collate")) throw syntaxError("COLLATE is not supported: order by lower(…).", reader.peek())
  if (reader.isWord("with") && reader.isWord("fill", 1))
    throw syntaxError("WITH FILL is not supported: LEFT JOIN the rows to generateSeries(…).", reader.peek())
  return { kind: "order", at: reader.span(from), expression, descending, nulls }
}
