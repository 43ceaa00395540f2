import { describe, expect, test } from "@jest/globals"
import { parseExactJson } from "../../src/kernel/exact-json.js"

describe("JSON with long whole numbers", () => {
  test.each([
    '{"a":[9223372036854775807,-9223372036854775808,18446744073709551615]}',
    '[9007199254740993,{"b":340282366920938463463374607431768211455}]',
    '["9223372036854775807",0.1234567890123456,1.5]',
    "[9007199254740991,-9007199254740991,1709553600000000]",
  ])("is written again as it was: %s", (text) => {
    expect(JSON.stringify(parseExactJson(text))).toBe(text)
  })

  test("has plain numbers wherever a number holds them, and fractions as JSON.parse has them", () => {
    const text = "[1,-0.5,9007199254740991,1.2345678901234567890,1e300,12345678901234567890.5]"
    expect(parseExactJson(text)).toEqual(JSON.parse(text))
  })

  test("is refused where it is none", () => {
    expect(() => parseExactJson("[1234567890123456789")).toThrow(SyntaxError)
  })
})
