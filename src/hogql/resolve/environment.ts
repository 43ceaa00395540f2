import type { CommonTable, CommonValue } from "../nodes/nodes.js"
import type { ResolvedColumn } from "./typed.js"

type Common = CommonTable | CommonValue

/** A recursive WITH item as it is read inside its own query: the rows that it gave before. */
export interface OwnRows {
  readonly kind: "ownRows"
  readonly name: string
  readonly sqlName: string
  readonly columns: readonly ResolvedColumn[]
}

/** All items of the WITH list that an item belongs to, for names that are found nowhere else. */
interface Siblings {
  readonly kind: "siblings"
  readonly items: readonly Common[]
}

/** Names given by WITH, innermost first. */
export interface Environment {
  readonly item: Common | OwnRows | Siblings
  readonly outer: Environment | null
  /** The WITH list that a table or value is of. */
  readonly siblings: readonly Common[]
}

/** The nearest WITH item that is a value, or the nearest one that is a table, of a name. */
export function findCommon(
  environment: Environment | null,
  kind: "table" | "value",
  name: string,
): Environment | undefined {
  for (let at = environment; at !== null; at = at.outer) {
    if (at.item.kind === "siblings" || at.item.name !== name) continue
    if ((at.item.kind === "commonValue") === (kind === "value")) return at
  }
  return undefined
}

/** The table of this name in a WITH list around here, before or after the item that reads it. */
export function findSibling(environment: Environment | null, name: string): Environment | undefined {
  for (let at = environment; at !== null; at = at.outer) {
    if (at.item.kind !== "siblings") continue
    const found = findCommon(extend(at.outer, at.item.items), "table", name)
    if (found !== undefined) return found
  }
  return undefined
}

/** The environment with the items of a WITH list added, each of which hides earlier ones of the same name. */
export function extend(outer: Environment | null, items: readonly Common[]): Environment | null {
  return items.reduce<Environment | null>((environment, item) => ({ item, outer: environment, siblings: items }), outer)
}

/** What the query of a WITH item sees: the items before it and, only for names found nowhere else, all of its list. */
export const inside = ({ outer, siblings }: Environment): Environment => ({
  item: { kind: "siblings", items: siblings },
  outer,
  siblings,
})
