import { describe, expect, test } from "@jest/globals"
import { sipHash } from "../../../../src/features/cookieless/process/sip-hash.js"

/** 00 01 02 … */
const rising = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index)

/** The paper's example, and entries of its authors' table `vectors_sip64` (there lowest byte first). */
const VECTORS: readonly [length: number, hash: string][] = [
  [0, "726fdb47dd0e0e31"],
  [1, "74f839c593dc67fd"],
  [2, "0d6c8009d9a94f5a"],
  [3, "85676696d7fb7e2d"],
  [4, "cf2794e0277187b7"],
  [5, "18765564cd99a68d"],
  [6, "cbc9466e58fee3ce"],
  [7, "ab0200f58b01d137"],
  [8, "93f5f5799a932462"],
  [15, "a129ca6149be45e5"],
]

describe("SipHash-2-4", () => {
  test.each(VECTORS)("of %i rising bytes under the rising key is as published", (length, hash) => {
    expect(sipHash(rising(16), rising(length))).toBe(hash)
  })

  test("reads key and message from the middle of a larger memory", () => {
    const memory = new Uint8Array(64)
    memory.set(rising(16), 3)
    memory.set(rising(15), 21)
    expect(sipHash(memory.subarray(3, 19), memory.subarray(21, 36))).toBe("a129ca6149be45e5")
  })
})
