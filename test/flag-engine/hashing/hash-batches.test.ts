import { createHash } from "node:crypto"
import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import type { HashInput } from "../../../src/flag-engine/hashing/hash-batch.types.js"
import { createPlainHashBatch } from "../../../src/flag-engine/hashing/hash-identifier.js"
import { createSimdHashing } from "../../../src/flag-engine/hashing/simd-hash-batch.js"
import { readCases } from "../flag-builders.js"

const RUNS = 2_500
const HASHES_PER_RUN = 8
const IDENTIFIERS_PER_RUN = 5

const hashExactly = ({ prefix, salt }: HashInput, identifier: string): number => {
  const hex = createHash("sha1").update(`${prefix}${identifier}${salt}`).digest("hex")
  return Number.parseInt(hex.slice(0, 15), 16) / 2 ** 60
}

/** Lengths around those at which a message takes one block, two, or more than a batch can hold. */
const anyText = fc.oneof(
  fc.string({ unit: "grapheme-ascii", maxLength: 60 }),
  fc.string({ unit: "grapheme-ascii", minLength: 45, maxLength: 130 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "binary", minLength: 100, maxLength: 1_500 }),
)
const anyInput = fc.record({ prefix: anyText, salt: fc.constantFrom<HashInput["salt"]>("", "variant") })
const inputsOf = (count: number): HashInput[] =>
  Array.from({ length: count }, (_, index) => ({ prefix: `flag-${index}.`, salt: index % 2 === 0 ? "" : "variant" }))

const createSimdHashBatch = createSimdHashing()
if (createSimdHashBatch === null) throw new Error("this Node has no WebAssembly")
const { hash_vectors } = readCases<{
  hash_vectors: { id: string; prefix: string; identifier: string; salt: HashInput["salt"]; hash01: number }[]
}>("hash-and-bucketing")

describe.each([
  ["one by one", createPlainHashBatch],
  ["four at a time", createSimdHashBatch],
])("hashes that are made %s", (_, createHashBatch) => {
  test.each(hash_vectors)("are right for $id", ({ prefix, identifier, salt, hash01 }) => {
    expect(createHashBatch([{ prefix, salt }]).hash(0, identifier)).toBe(hash01)
  })

  test("are those of node:crypto, for 100,000 identifiers and flags", () => {
    fc.assert(
      fc.property(
        fc.array(anyInput, { minLength: HASHES_PER_RUN, maxLength: HASHES_PER_RUN }),
        fc.array(anyText, { minLength: IDENTIFIERS_PER_RUN, maxLength: IDENTIFIERS_PER_RUN }),
        (inputs, identifiers) => {
          const batch = createHashBatch(inputs)
          for (const identifier of identifiers)
            expect(inputs.map((_input, index) => batch.hash(index, identifier))).toEqual(
              inputs.map((input) => hashExactly(input, identifier)),
            )
        },
      ),
      { numRuns: RUNS },
    )
  })

  test("are right at every length of prefix and identifier up to three blocks", () => {
    for (let prefixLength = 0; prefixLength <= 130; prefixLength++) {
      const prefix = "p".repeat(prefixLength)
      const inputs: HashInput[] = [
        { prefix, salt: "" },
        { prefix, salt: "variant" },
        { prefix: "short.", salt: "variant" },
      ]
      const batch = createHashBatch(inputs)
      for (let length = 0; length <= 130; length++) {
        const identifier = "i".repeat(length)
        for (const [index, input] of inputs.entries())
          if (batch.hash(index, identifier) !== hashExactly(input, identifier)) throw new Error(`${prefix} ${length}`)
      }
    }
  })

  test("stay right when identifiers alternate, as those of persons, devices and groups do", () => {
    const inputs = inputsOf(9)
    const batch = createHashBatch(inputs)
    for (const identifier of ["person", "device", "person", "gruppe-ä", "person", "device"])
      expect(inputs.map((_input, index) => batch.hash(index, identifier))).toEqual(
        inputs.map((input) => hashExactly(input, identifier)),
      )
  })

  test("stay right when the rules of two projects are asked in turn, for the same identifier and for others", () => {
    const [few, many] = [inputsOf(3), inputsOf(70)]
    const batches = [few, many].map(createHashBatch)
    for (const identifier of ["somebody", "somebody", "somebody else", "somebody"])
      for (const [project, inputs] of [few, many].entries())
        for (const [index, input] of inputs.entries())
          expect(batches[project]?.hash(index, identifier)).toBe(hashExactly(input, identifier))
  })

  test("stay right for more inputs than fit into memory at once", () => {
    const inputs = inputsOf(20_000)
    const batch = createHashBatch(inputs)
    for (const [index, input] of inputs.entries())
      if (batch.hash(index, "somebody") !== hashExactly(input, "somebody")) throw new Error(input.prefix)
  })
})
