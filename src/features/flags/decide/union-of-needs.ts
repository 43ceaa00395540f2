import type { CompiledFlag, FactNeeds } from "../../../flag-engine/index.js"

/** Facts needed by a selection of flags, and the keys of those that keep their value over a login. */
export interface SelectionNeeds {
  readonly needs: FactNeeds
  readonly continuityFlagKeys: readonly string[]
  readonly usesGeoIp: boolean
}

export interface ListNeeds extends SelectionNeeds {
  /** Whether one of the flags is in a circle of dependencies or behind one. */
  readonly hasCycle: boolean
}

const remembered = new WeakMap<readonly CompiledFlag[], ListNeeds>()

/** Joins the needs of flags. Remembered per list, because nearly every request is about the rules' own list. */
export function unionOfNeeds(flags: readonly CompiledFlag[]): ListNeeds {
  let union = remembered.get(flags)
  if (union === undefined) {
    union = { ...joinNeeds(flags), hasCycle: flags.some((flag) => flag.isInCycle) }
    remembered.set(flags, union)
  }
  return union
}

/** Joins the needs of flags; not remembered. */
export function joinNeeds(flags: readonly Pick<CompiledFlag, "key" | "needs">[]): SelectionNeeds {
  const groupKeys = new Map<number, Set<string>>()
  for (const { groupTypeIndex, keys } of flags.flatMap((flag) => flag.needs.groupProperties)) {
    const known = groupKeys.get(groupTypeIndex) ?? new Set()
    for (const key of keys) known.add(key)
    groupKeys.set(groupTypeIndex, known)
  }
  const personProperties = [...new Set(flags.flatMap((flag) => flag.needs.personProperties))]
  return {
    needs: {
      personProperties,
      groupProperties: [...groupKeys].map(([groupTypeIndex, keys]) => ({ groupTypeIndex, keys: [...keys] })),
      personCreatedAt: flags.some((flag) => flag.needs.personCreatedAt),
      staticCohorts: flags.some((flag) => flag.needs.staticCohorts),
      hashKeys: flags.some((flag) => flag.needs.hashKeys),
    },
    continuityFlagKeys: flags.filter((flag) => flag.needs.hashKeys).map((flag) => flag.key),
    usesGeoIp: personProperties.some((key) => key.includes("$geoip_")),
  }
}
