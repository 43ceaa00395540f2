import { sha1Fraction } from "./sha1-fraction.js"

const MAX_IDENTIFIER_CODE_POINTS = 200

export interface Variant {
  readonly key: string
  readonly rolloutPercentage: number
}

/** Cuts an identifier to 200 code points before it is hashed (`reference/flags.md` 4.2). */
export function cutIdentifier(identifier: string): string {
  if (identifier.length <= MAX_IDENTIFIER_CODE_POINTS) return identifier
  return Array.from(identifier).slice(0, MAX_IDENTIFIER_CODE_POINTS).join("")
}

/**
 * Makes the rollout hash of one flag: where an identifier falls, 0 to 1. An empty identifier is always 0
 * (`reference/flags.md` 4.4). Remembers the last answer, because a flag's conditions ask for the same identifier in turn.
 */
export function createRolloutHash(flagPrefix: string): (identifier: string) => number {
  let lastIdentifier = ""
  let lastHash = 0
  return (identifier) => {
    if (identifier !== lastIdentifier) {
      lastHash = identifier === "" ? 0 : sha1Fraction(flagPrefix, identifier, "")
      lastIdentifier = identifier
    }
    return lastHash
  }
}

/** Where an identifier falls among a flag's variants, 0 to 1. */
export const variantHash = (flagPrefix: string, identifier: string): number =>
  identifier === "" ? 0 : sha1Fraction(flagPrefix, identifier, "variant")

/** Where an identifier falls for every holdout alike; an empty one hashes the bare prefix. */
export const holdoutHash = (identifier: string): number => sha1Fraction("holdout-", identifier, "")

/** Whether a hash lies inside a rollout percentage; the bound is inclusive, so 0 % includes only hash 0. */
export const isWithinRollout = (hash01: number, percentage: number): boolean => hash01 <= percentage / 100

/** The variant whose share of the running sum holds the hash; null when the shares end before it. */
export function pickVariant(hash01: number, variants: readonly Variant[]): string | null {
  let upperBound = 0
  for (const variant of variants) {
    upperBound += variant.rolloutPercentage / 100
    if (hash01 < upperBound) return variant.key
  }
  return null
}
