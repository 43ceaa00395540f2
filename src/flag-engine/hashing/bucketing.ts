const MAX_IDENTIFIER_CODE_POINTS = 200

/** Cuts an identifier to 200 code points before it is hashed (`docs/contract/flags.md#hashing`). */
export function cutIdentifier(identifier: string): string {
  if (identifier.length <= MAX_IDENTIFIER_CODE_POINTS) return identifier
  return Array.from(identifier).slice(0, MAX_IDENTIFIER_CODE_POINTS).join("")
}

/** Whether a hash lies inside a rollout percentage; the bound is inclusive, so 0 % includes only hash 0. */
export const isWithinRollout = (hash: number, percentage: number): boolean => hash <= percentage / 100

/** Where the shares of variants end when they lie one behind the other, 0 to 1. */
export function toUpperBounds(percentages: readonly number[]): number[] {
  let upperBound = 0
  return percentages.map((percentage) => (upperBound += percentage / 100))
}

/** Position of the variant whose share holds a hash; -1 when the shares end before it. */
export function findVariant(hash: number, upperBounds: readonly number[]): number {
  for (let index = 0; index < upperBounds.length; index++) if (hash < (upperBounds[index] ?? 0)) return index
  return -1
}
