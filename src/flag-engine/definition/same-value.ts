import type { Json } from "../../kernel/json.js"
import { type Condition, DefinitionFault, type FlagDefinition, readFlagDefinition } from "./read-definition.js"

/**
 * The value that a definition gives to every person, whoever asks: true, a variant, or false; null when it depends on who
 * asks or cannot be read. Flags about groups depend on who asks, as some callers send no group.
 */
export function sameValueForEverybody(filters: Json): boolean | string | null {
  const definition = read(filters)
  if (definition === null || definition.featureEnrollment || definition.superCondition !== null) return null
  if (definition.holdout !== null && definition.holdout.percentage > 0) return null
  const { conditions } = definition
  if (conditions.every(({ rolloutPercentage }) => rolloutPercentage === 0)) return false
  // The first that anybody can match decides; those before it must match nobody.
  const first = conditions.find(({ rolloutPercentage }) => rolloutPercentage > 0) as Condition
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

function read(filters: Json): FlagDefinition | null {
  try {
    return readFlagDefinition(filters)
  } catch (error) {
    if (error instanceof DefinitionFault) return null
    throw error
  }
}
