import type { FactNeeds } from "../definition/rule-document.types.js"
import type { CompiledFlag, FlagList, ListNeeds } from "./compiled-rules.types.js"

/** Makes a list of flags that are evaluated together, in dependency order. */
export const toFlagList = (flags: readonly CompiledFlag[]): FlagList => ({
  flags,
  needs: joinNeeds(flags),
  hasCycle: flags.some((flag) => flag.isInCycle),
})

/** Joins the facts that flags ask for. */
export function joinNeeds(flags: readonly { readonly key: string; readonly needs: FactNeeds }[]): ListNeeds {
  const groupKeys = new Map<number, Set<string>>()
  for (const { needs } of flags)
    for (const { groupTypeIndex, keys } of needs.groupProperties) {
      const known = groupKeys.get(groupTypeIndex) ?? new Set()
      for (const key of keys) known.add(key)
      groupKeys.set(groupTypeIndex, known)
    }
  const personProperties = [...new Set(flags.flatMap((flag) => flag.needs.personProperties))]
  const continuityFlagKeys = flags.filter((flag) => flag.needs.hashKeys).map((flag) => flag.key)
  return {
    personProperties,
    groupProperties: [...groupKeys].map(([groupTypeIndex, keys]) => ({ groupTypeIndex, keys: [...keys] })),
    personCreatedAt: flags.some((flag) => flag.needs.personCreatedAt),
    staticCohorts: flags.some((flag) => flag.needs.staticCohorts),
    hashKeys: continuityFlagKeys.length > 0,
    continuityFlagKeys,
    geoIp: personProperties.some((key) => key.includes("$geoip_")),
  }
}
