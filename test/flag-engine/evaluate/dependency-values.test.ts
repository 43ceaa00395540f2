import { describe, expect, test } from "@jest/globals"
import { matchesDependencyValue } from "../../../src/flag-engine/definition/flag-reference.js"
import type { Json } from "../../../src/kernel/json.js"
import { readCases } from "../flag-builders.js"

const { cases } = readCases<{ cases: { expected_value: Json; flag_value: boolean | string; matches: boolean }[] }>(
  "dependency-values",
)

describe("a dependency on a flag's value", () => {
  test.each(cases)(
    "expecting $expected_value of $flag_value is $matches",
    ({ expected_value, flag_value, matches }) => {
      expect(matchesDependencyValue(expected_value, flag_value)).toBe(matches)
    },
  )
})
