import type { CommonTable, CommonValue } from "../nodes/nodes.js"

/** Names given by WITH, innermost first. What a WITH item names sees only the items before it. */
export interface Environment {
  readonly item: CommonTable | CommonValue
  readonly outer: Environment | null
}

/** The nearest WITH item of a kind and name. */
export function findCommon(
  environment: Environment | null,
  kind: "commonTable" | "commonValue",
  name: string,
): Environment | undefined {
  for (let at = environment; at !== null; at = at.outer) {
    if (at.item.kind === kind && at.item.name === name) return at
  }
  return undefined
}

export function extend(outer: Environment | null, items: readonly (CommonTable | CommonValue)[]): Environment | null {
  return items.reduce<Environment | null>((environment, item) => ({ item, outer: environment }), outer)
}
