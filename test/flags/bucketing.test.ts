import { createHash } from "node:crypto"
import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { cutIdentifier, isWithinRollout, pickVariant } from "../../src/flag-engine/hashing/bucketing.js"
import { sha1Fraction } from "../../src/flag-engine/hashing/sha1-fraction.js"
import { readCases } from "./flag-builders.js"

interface Vectors {
  hash_vectors: {
    id: string
    prefix: string
    identifier: string
    salt: string
    hash01: number
    rollout_checks: { rollout_percentage: number; included: boolean }[]
  }[]
  threshold_vectors: { id: string; hash01: number; rollout_percentage: number; included: boolean }[]
  variant_vectors: {
    id: string
    hash01: number
    variants: { key: string; rollout_percentage: number }[]
    selected: string | null
  }[]
}

const vectors = readCases<Vectors>("hash-and-bucketing")

describe("bucketing", () => {
  test.each(vectors.hash_vectors)("hashes $id", ({ prefix, identifier, salt, hash01, rollout_checks }) => {
    expect(sha1Fraction(prefix, identifier, salt)).toBe(hash01)
    for (const check of rollout_checks) expect(isWithinRollout(hash01, check.rollout_percentage)).toBe(check.included)
  })

  test.each(vectors.threshold_vectors)("keeps the bound of $id", ({ hash01, rollout_percentage, included }) => {
    expect(isWithinRollout(hash01, rollout_percentage)).toBe(included)
  })

  test.each(vectors.variant_vectors)("picks the variant of $id", ({ hash01, variants, selected }) => {
    const shares = variants.map(({ key, rollout_percentage }) => ({ key, rolloutPercentage: rollout_percentage }))
    expect(pickVariant(hash01, shares)).toBe(selected)
  })

  test("gives no variant to a hash beyond the last share", () => {
    expect(pickVariant(0.9, [{ key: "a", rolloutPercentage: 50 }])).toBeNull()
  })

  test("hashes any text as node:crypto does", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 1500 }),
        fc.string({ maxLength: 90 }),
        (identifier, prefix) => {
          const hex = createHash("sha1").update(`${prefix}${identifier}variant`).digest("hex")
          expect(sha1Fraction(prefix, identifier, "variant")).toBe(Number.parseInt(hex.slice(0, 15), 16) / 2 ** 60)
        },
      ),
    )
  })

  test("cuts identifiers at 200 code points, not UTF-16 units", () => {
    expect(cutIdentifier("😀".repeat(201))).toBe("😀".repeat(200))
    expect(cutIdentifier("a".repeat(200))).toBe("a".repeat(200))
  })
})
