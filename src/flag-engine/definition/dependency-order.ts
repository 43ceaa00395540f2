import { type FlagNames, resolveFlagReference } from "./flag-reference.js"
import type { StoredFlag } from "./rule-document.types.js"
import { listFilters } from "./stored-filters.js"

export interface OrderedDependencies {
  readonly flag: StoredFlag
  /** Ids of the flags it depends on that exist. */
  readonly dependencyIds: readonly number[]
  readonly dependencyFault: "missing" | "cycle" | null
}

/** What dependency filters need to know of a set of flags. */
export const toFlagNames = (flags: readonly StoredFlag[]): FlagNames => ({
  ids: new Set(flags.map((flag) => flag.id)),
  idsByKey: new Map(flags.map((flag) => [flag.key, flag.id])),
})

/** Ids of the flags a definition depends on; null stands for one that does not exist. */
export const findDependencies = (flag: Pick<StoredFlag, "filters">, names: FlagNames): (number | null)[] => [
  ...new Set(
    listFilters(flag.filters)
      .filter((filter) => filter.type === "flag")
      .map((filter) => resolveFlagReference(String(filter.key), filter.dependency_chain !== undefined, names)),
  ),
]

/**
 * Sorts flags so that each comes after what it depends on. Members of a circle and everything depending on them cannot be
 * sorted; they come last, marked. A missing dependency marks the flag and everything depending on it.
 */
export function orderByDependency(flags: readonly StoredFlag[]): OrderedDependencies[] {
  const names = toFlagNames(flags)
  const byId = new Map(flags.map((flag) => [flag.id, flag]))
  const dependencies = new Map(flags.map((flag) => [flag.id, findDependencies(flag, names)]))
  const dependants = new Map<number, number[]>()
  const waitingFor = new Map<number, number>()
  for (const [id, wanted] of dependencies) {
    const existing = wanted.filter((one) => one !== null)
    waitingFor.set(id, existing.length)
    for (const one of existing) dependants.set(one, [...(dependants.get(one) ?? []), id])
  }

  const missing = new Set<number>()
  const ordered: OrderedDependencies[] = []
  const ready = flags.filter((flag) => waitingFor.get(flag.id) === 0).map((flag) => flag.id)
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    const wanted = dependencies.get(id) ?? []
    if (wanted.some((one) => one === null || missing.has(one))) missing.add(id)
    ordered.push(entry(byId, id, wanted, missing.has(id) ? "missing" : null))
    waitingFor.delete(id)
    for (const dependant of dependants.get(id) ?? []) {
      const left = (waitingFor.get(dependant) ?? 0) - 1
      waitingFor.set(dependant, left)
      if (left === 0) ready.push(dependant)
    }
  }
  for (const id of waitingFor.keys()) ordered.push(entry(byId, id, [], "cycle"))
  return ordered
}

function entry(
  byId: ReadonlyMap<number, StoredFlag>,
  id: number,
  wanted: readonly (number | null)[],
  dependencyFault: OrderedDependencies["dependencyFault"],
): OrderedDependencies {
  return { flag: byId.get(id) as StoredFlag, dependencyIds: wanted.filter((one) => one !== null), dependencyFault }
}
