import { describe, expect, test } from "@jest/globals"
import {
  cutIdentifier,
  findVariant,
  isWithinRollout,
  toUpperBounds,
} from "../../../src/flag-engine/hashing/bucketing.js"
import type { HashInput } from "../../../src/flag-engine/hashing/hash-batch.types.js"
import { hashIdentifier } from "../../../src/flag-engine/hashing/hash-identifier.js"
import { readCases } from "../flag-builders.js"

interface Vectors {
  hash_vectors: {
    id: string
    prefix: string
    identifier: string
    salt: HashInput["salt"]
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
    expect(hashIdentifier({ prefix, salt }, identifier)).toBe(hash01)
    for (const check of rollout_checks) expect(isWithinRollout(hash01, check.rollout_percentage)).toBe(check.included)
  })

  test.each(vectors.threshold_vectors)("keeps the bound of $id", ({ hash01, rollout_percentage, included }) => {
    expect(isWithinRollout(hash01, rollout_percentage)).toBe(included)
  })

  test.each(vectors.variant_vectors)("picks the variant of $id", ({ hash01, variants, selected }) => {
    const bounds = toUpperBounds(variants.map(({ rollout_percentage }) => rollout_percentage))
    expect(variants[findVariant(hash01, bounds)]?.key ?? null).toBe(selected)
  })

  test("gives no variant to a hash beyond the last share", () => {
    expect(findVariant(0.9, toUpperBounds([50]))).toBe(-1)
  })

  test("cuts identifiers at 200 code points, not UTF-16 units", () => {
    expect(cutIdentifier("😀".repeat(201))).toBe("😀".repeat(200))
    expect(cutIdentifier("a".repeat(200))).toBe("a".repeat(200))
  })
})
