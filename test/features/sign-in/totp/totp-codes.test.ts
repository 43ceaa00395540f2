import { describe, expect, test } from "@jest/globals"
import { findStep } from "../../../../src/features/sign-in/totp/totp-codes.js"

/** Base32 of the secret of RFC 6238 appendix B, `12345678901234567890`. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

describe("codes of authenticators", () => {
  // The last six of the eight digits that the appendix has.
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [2_000_000_000, "279037"],
  ])("are those of RFC 6238 at second %i", (second, code) => {
    expect(findStep(SECRET, code, second * 1000)).toBe(Math.floor(second / 30))
  })

  test("count for one stretch of 30 seconds before and after, and no longer", () => {
    const step = Math.floor(1_111_111_109 / 30)
    const at = (steps: number) => findStep(SECRET, "081804", (step + steps) * 30_000)
    expect([at(-2), at(-1), at(0), at(1), at(2)]).toEqual([null, step, step, step, null])
  })

  test("have six digits and nothing else", () => {
    for (const text of ["", "28708", "2870820", "28708x", " 287082", "-87082"])
      expect(findStep(SECRET, text, 59_000)).toBeNull()
  })
})
