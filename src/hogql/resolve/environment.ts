import type { CommonTable, CommonValue } from "../nodes/nodes.js"
import type { ResolvedColumn } from "./typed.js"

type Common = CommonTable | CommonValue

/** A recursive WITH item inside of itself: the rows that it gave before. */
export interface OwnRows {
  readonly kind: "ownRows"
  readonly name: string
  readonly sqlName: string
  readonly columns: readonly ResolvedColumn[]
}

/** Inside a WITH item all items of its list, itself included: for names that nothing else has. */
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

/** A table of a WITH list that the name stands in, whether before or behind it. */
export function findSibling(environment: Environment | null, name: string): Environment | undefined {
  for (let at = environment; at !== null; at = at.outer) {
    if (at.item.kind !== "siblings") continue
    const found = findCommon(extend(at.outer, at.item.items), "table", name)
    if (found !== undefined) return found
  }
  return undefined
}

/** The environment inside which the items of one WITH list are known, each behind those before it. */
export function extend(outer: Environment | null, items: readonly Common[]): Environment | null {
  return items.reduce<Environment | null>((environment, item) => ({ item, outer: environment, siblings: items }), outer)
}

/** What the query of a WITH item sees: the items before it, and behind all other names those of its whole list. */
export const inside = ({ outer, siblings }: Environment): Environment => ({
  item: { kind: "siblings", items: siblings },
  outer,
  siblings,
})
