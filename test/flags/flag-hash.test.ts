import { createHash } from "node:crypto"
import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { batchHashes, FlagHash, type Salt } from "../../src/flag-engine/hashing/flag-hash.js"
import { sha1Fraction } from "../../src/flag-engine/hashing/sha1-fraction.js"

const RUNS = 2_500
const HASHES_PER_RUN = 8
const IDENTIFIERS_PER_RUN = 5

const referenceOf = ({ prefix, salt }: FlagHash, identifier: string): number =>
  identifier === "" ? 0 : sha1Fraction(prefix, identifier, salt)

const exactOf = ({ prefix, salt }: FlagHash, identifier: string): number => {
  const hex = createHash("sha1").update(`${prefix}${identifier}${salt}`).digest("hex")
  return Number.parseInt(hex.slice(0, 15), 16) / 2 ** 60
}

/** Lengths around those at which a message takes one block, two, or more than lanes can hold. */
const anyText = fc.oneof(
  fc.string({ unit: "grapheme-ascii", maxLength: 60 }),
  fc.string({ unit: "grapheme-ascii", minLength: 45, maxLength: 130 }),
  fc.string({ unit: "binary", maxLength: 60 }),
)
const anyHash = fc.tuple(anyText, fc.constantFrom<Salt>("", "variant"))
const made = (parts: readonly (readonly [string, Salt])[]): FlagHash[] =>
  parts.map(([prefix, salt]) => new FlagHash(prefix, salt))
const madeGrouped = (count: number): FlagHash[] => {
  const hashes = made(Array.from({ length: count }, (_, index) => [`flag-${index}.`, index % 2 === 0 ? "" : "variant"]))
  batchHashes(hashes)
  return hashes
}

describe("hashes of flags in groups", () => {
  test("are those of one after the other, for 100,000 identifiers and flags", () => {
    fc.assert(
      fc.property(
        fc.array(anyHash, { minLength: HASHES_PER_RUN, maxLength: HASHES_PER_RUN }),
        fc.array(anyText, { minLength: IDENTIFIERS_PER_RUN, maxLength: IDENTIFIERS_PER_RUN }),
        (parts, identifiers) => {
          const hashes = made(parts)
          batchHashes(hashes)
          for (const identifier of identifiers)
            expect(hashes.map((hash) => hash.of(identifier))).toEqual(
              hashes.map((hash) => referenceOf(hash, identifier)),
            )
        },
      ),
      { numRuns: RUNS },
    )
  })

  test("are those of node:crypto at every length of prefix and identifier up to three blocks", () => {
    for (let prefixLength = 0; prefixLength <= 130; prefixLength++) {
      const prefix = "p".repeat(prefixLength)
      const hashes = made([
        [prefix, ""],
        [prefix, "variant"],
        ["short.", "variant"],
      ])
      batchHashes(hashes)
      for (let length = 1; length <= 130; length++) {
        const identifier = "i".repeat(length)
        for (const hash of hashes)
          if (hash.of(identifier) !== exactOf(hash, identifier)) throw new Error(`${prefixLength} ${length}`)
      }
    }
  })

  test("stay right when identifiers come in turn, as those of persons, devices and groups do", () => {
    const hashes = madeGrouped(9)
    for (const identifier of ["person", "device", "person", "gruppe-ä", "person", "device"])
      expect(hashes.map((hash) => hash.of(identifier))).toEqual(hashes.map((hash) => exactOf(hash, identifier)))
  })

  test("stay right when there are more groups than fit into memory at once", () => {
    const hashes = madeGrouped(5_000)
    for (const identifier of ["somebody", "somebody else"])
      for (const hash of hashes) if (hash.of(identifier) !== exactOf(hash, identifier)) throw new Error(hash.prefix)
  })

  test("may be grouped anew, as when one flag of a project changes", () => {
    const hashes = madeGrouped(6)
    const before = hashes.map((hash) => hash.of("somebody"))
    const added = new FlagHash("new.", "")
    batchHashes([added, ...hashes.slice(2)])
    expect([...hashes, added].map((hash) => hash.of("somebody"))).toEqual([...before, exactOf(added, "somebody")])
  })
})
