import type { GroupType } from "../../../flag-engine/index.js"
import { AppError } from "../../../kernel/errors.js"

/**
 * Index per index of the group types of the same name. A type that the other project has not seen yet keeps its index while
 * that is free there; a flag on companies must never become one on teams.
 * @throws AppError invalid_input naming the type that cannot be matched.
 */
export function matchGroupTypes(
  indexes: ReadonlySet<number>,
  from: readonly GroupType[],
  to: readonly GroupType[],
): Map<number, number> {
  const matched = new Map<number, number>()
  for (const index of indexes) {
    const name = from.find((type) => type.index === index)?.name
    const same = to.find((type) => type.name === name)?.index
    const other = to.find((type) => type.index === index)?.name
    if (same === undefined && other !== undefined && other !== name)
      throw new AppError("invalid_input", {
        attr: "filters",
        detail: `The project has no group type ${name ?? index}; what has its number there is ${other}.`,
      })
    matched.set(index, same ?? index)
  }
  return matched
}
