import { describe, expect, test } from "@jest/globals"
import { toParameterText } from "../../../src/platform/clickhouse/parameter-text.js"

describe("the text of a query parameter", () => {
  test.each([
    ["plain", "plain"],
    ["it's\t\n\r\0\b\f\\", "it\\'s\\t\\n\\r\\0\\b\\f\\\\"],
    [1.5, "1.5"],
    [10n ** 20n, "100000000000000000000"],
    [Number.NaN, "nan"],
    [Number.NEGATIVE_INFINITY, "-inf"],
    [true, "1"],
    [null, "\\N"],
    [undefined, "\\N"],
    [["a'b", null, true, [1]], "['a\\'b',NULL,true,[1]]"],
    [{ "k'": "v" }, "{'k\\'':'v'}"],
    [new Map([[1, "v"]]), "{1:'v'}"],
    [new Date("2026-01-01T00:00:00.250Z"), "1767225600.250"],
  ])("of %p is %p", (value, text) => {
    expect(toParameterText(value)).toBe(text)
  })

  test.each([[() => 1], [Symbol("x")], [new Date(Number.NaN)]])("does not exist for %p", (value) => {
    expect(() => toParameterText(value)).toThrow(TypeError)
  })
})
