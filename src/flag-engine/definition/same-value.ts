import type { Json } from "../../kernel/json.js"
import { type Condition, type FlagDefinition, tryReadFlagDefinition } from "./read-definition.js"

/**
 * The value that a definition gives to every person, whoever asks: true, a variant, or false; null when it depends on who
 * asks or cannot be read. Flags about groups depend on who asks, as some callers send no group.
 */
export function sameValueForEverybody(filters: Json): boolean | string | null {
  const definition = tryReadFlagDefinition(filters)
  if (definition === null || definition.featureEnrollment || definition.superCondition !== null) return null
  if (definition.holdout !== null && definition.holdout.percentage > 0) return null
  // The first that anybody can match decides.
  const first = definition.conditions.find(({ rolloutPercentage }) => rolloutPercentage > 0)
  if (first === undefined) return false
  if (first.groupTypeIndex !== null || first.filters.length > 0 || first.rolloutPercentage < 100) return null
  return variantForEverybody(definition, first)
}

function variantForEverybody({ variants }: FlagDefinition, { variant }: Condition): boolean | string | null {
  if (variants.length === 0) return true
  if (variant !== null && variants.some(({ key }) => key === variant)) return variant
  const served = variants.filter(({ rolloutPercentage }) => rolloutPercentage > 0)
  const [only] = served
  if (only === undefined) return true
  return served.length === 1 && only.rolloutPercentage >= 100 ? only.key : null
}
