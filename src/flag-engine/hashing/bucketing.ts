import { sha1Fraction } from "./sha1-fraction.js"

const MAX_IDENTIFIER_CODE_POINTS = 200

/** A variant and its share, 0 to 100. */
export interface Variant {
  readonly key: string
  readonly rolloutPercentage: number
}

/** Cuts an identifier to 200 code points before it is hashed (`docs/contract/flags.md#hashing`). */
export function cutIdentifier(identifier: string): string {
  if (identifier.length <= MAX_IDENTIFIER_CODE_POINTS) return identifier
  return Array.from(identifier).slice(0, MAX_IDENTIFIER_CODE_POINTS).join("")
}

/** Where an identifier falls for every holdout alike; an empty one hashes the bare prefix. */
export const holdoutHash = (identifier: string): number => sha1Fraction("holdout-", identifier, "")

/** Whether a hash lies inside a rollout percentage; the bound is inclusive, so 0 % includes only hash 0. */
export const isWithinRollout = (hash01: number, percentage: number): boolean => hash01 <= percentage / 100

/** Where the shares of variants end when they lie one behind the other, 0 to 1. */
export function upperBoundsOf(variants: readonly Variant[]): number[] {
  let upperBound = 0
  return variants.map(({ rolloutPercentage }) => (upperBound += rolloutPercentage / 100))
}

/** The variant whose share of the running sum holds the hash; null when the shares end before it. */
export function pickVariant(hash01: number, variants: readonly Variant[]): string | null {
  let upperBound = 0
  for (const variant of variants) {
    upperBound += variant.rolloutPercentage / 100
    if (hash01 < upperBound) return variant.key
  }
  return null
}
