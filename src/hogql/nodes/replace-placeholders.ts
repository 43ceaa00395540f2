import type { Expression, Placeholder, Query, Select, TableSource } from "./nodes.js"

/** What placeholders become. */
export interface PlaceholderValues {
  /** @param around the SELECT that the placeholder stands in */
  expression(placeholder: Placeholder, around: Select | null): Expression
  table(placeholder: Placeholder): TableSource["table"]
}

/**
 * The query with something in the place of each `{…}`. What is put there is not searched, so nothing that it holds is ever
 * read as a placeholder. Parts without placeholders are shared with the given query, as nodes never change.
 */
export const replacePlaceholders = (query: Query, values: PlaceholderValues): Query =>
  replaceIn(query, values, null) as Query

function replaceIn(part: unknown, values: PlaceholderValues, around: Select | null): unknown {
  if (typeof part !== "object" || part === null) return part
  if (Array.isArray(part)) {
    const items = part.map((item) => replaceIn(item, values, around))
    return items.some((item, index) => item !== part[index]) ? items : part
  }
  if (isKind("placeholder", part)) return values.expression(part, around)
  const inside = isKind("select", part) ? part : around
  let copy = part
  for (const [key, value] of Object.entries(part)) {
    if (key === "at") continue
    const isTable = key === "table" && isKind("placeholder", value)
    const replaced = isTable ? values.table(value) : replaceIn(value, values, inside)
    if (replaced !== value) copy = { ...copy, [key]: replaced }
  }
  return copy
}

const isKind = <Kind extends Expression["kind"]>(kind: Kind, part: unknown): part is Expression & { kind: Kind } =>
  typeof part === "object" && part !== null && "kind" in part && part.kind === kind
