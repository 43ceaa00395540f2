import type { CommonTable, CommonValue } from "../nodes/nodes.js"
import type { ResolvedColumn } from "./typed.js"

/** A recursive WITH item inside of itself: the rows that it gave before. */
export interface OwnRows {
  readonly kind: "ownRows"
  readonly name: string
  readonly sqlName: string
  readonly columns: readonly ResolvedColumn[]
}

/** Names given by WITH, innermost first. What a WITH item names sees only the items before it, and itself if it is recursive. */
export interface Environment {
  readonly item: CommonTable | CommonValue | OwnRows
  readonly outer: Environment | null
}

/** The nearest WITH item that is a value, or the nearest one that is a table, of a name. */
export function findCommon(
  environment: Environment | null,
  kind: "table" | "value",
  name: string,
): Environment | undefined {
  for (let at = environment; at !== null; at = at.outer) {
    if ((at.item.kind === "commonValue") === (kind === "value") && at.item.name === name) return at
  }
  return undefined
}

export function extend(outer: Environment | null, items: readonly (CommonTable | CommonValue)[]): Environment | null {
  return items.reduce<Environment | null>((environment, item) => ({ item, outer: environment }), outer)
}
