import type { FlagDefinition } from "../definition/read-definition.js"
import type { ScopeTest } from "../evaluation.types.js"
import { holdoutHash, isWithinRollout } from "../hashing/bucketing.js"
import { type Bucketing, holdoutIdentifier } from "./identifier.js"

/**
 * Compiles the test for who is held out of a flag (`docs/contract/flags.md#order-of-evaluation`); null when the flag
 * has no holdout.
 */
export function compileHoldout({ holdout, groupTypeIndex }: FlagDefinition, bucketing: Bucketing): ScopeTest | null {
  if (holdout === null) return null
  if (holdout.percentage >= 100) return () => true
  const percentage = Math.max(0, holdout.percentage)
  return (scope) => {
    const identifier = holdoutIdentifier(scope, bucketing, groupTypeIndex)
    return identifier !== null && isWithinRollout(holdoutHash(identifier), percentage)
  }
}
