import type { EvaluationScope } from "../evaluation.types.js"
import { pickVariant, type Variant } from "../hashing/bucketing.js"
import { FlagHash } from "../hashing/flag-hash.js"
import { type Bucketing, rolloutIdentifier } from "./identifier.js"

/** How a flag's variants are drawn. */
export interface VariantDraw {
  /** Where identifiers fall among the variants; null when the flag has none. */
  readonly hash: FlagHash | null
  /** The variant of the caller, or of their group; null when the shares of the variants leave them out. */
  readonly variantFor: (scope: EvaluationScope, groupTypeIndex: number | null) => string | null
}

/** Compiles the draw of a flag's variants (`docs/contract/flags.md#rollout-and-variants`). */
export function compileVariantDraw(variants: readonly Variant[], bucketing: Bucketing): VariantDraw {
  if (variants.length === 0) return { hash: null, variantFor: () => null }
  const hash = new FlagHash(`${bucketing.flagKey}.`, "variant")
  return {
    hash,
    variantFor: (scope, groupTypeIndex) => {
      const identifier = rolloutIdentifier(scope, bucketing, groupTypeIndex)
      return identifier === null ? null : pickVariant(hash.of(identifier), variants)
    },
  }
}
