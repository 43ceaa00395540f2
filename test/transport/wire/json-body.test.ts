import { describe, expect, test } from "@jest/globals"
import { AppError } from "../../../src/kernel/errors.js"
import { parseJsonBody } from "../../../src/transport/wire/json-body.js"

const PROPERTY = "Expecting property name enclosed in double quotes"

function faultOf(body: Buffer): AppError {
  try {
    parseJsonBody(body)
  } catch (fault) {
    if (fault instanceof AppError) return fault
    throw fault
  }
  throw new Error("the body was parsed")
}

describe("a body that is not JSON", () => {
  test.each([
    ["", "Expecting value: line 1 column 1 (char 0)"],
    ['{"name":', "Expecting value: line 1 column 9 (char 8)"],
    ['{\n  "name": "x",\n  "about": oops\n}', "Expecting value: line 3 column 12 (char 28)"],
    ["{'a': 1}", `${PROPERTY}: line 1 column 2 (char 1)`],
    ['{"a": 1,}', `${PROPERTY}: line 1 column 9 (char 8)`],
    ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
    ['{"a": 1 "b": 2}', "Expecting ',' delimiter: line 1 column 9 (char 8)"],
    ["[1, 2", "Expecting ',' delimiter: line 1 column 6 (char 5)"],
    ["[1,]", "Expecting value: line 1 column 4 (char 3)"],
    ['{"a": 1} {}', "Extra data: line 1 column 10 (char 9)"],
    ["01", "Extra data: line 1 column 2 (char 1)"],
    ["[1e]", "Expecting ',' delimiter: line 1 column 3 (char 2)"],
    ['{"a": NaN}', "Expecting value: line 1 column 7 (char 6)"],
    ['["open', "Unterminated string starting at: line 1 column 2 (char 1)"],
    ['["a\tb"]', "Invalid control character at: line 1 column 4 (char 3)"],
    ['["a\\xb"]', "Invalid escape: line 1 column 4 (char 3)"],
    ['["\\u12G4"]', "Invalid escape: line 1 column 3 (char 2)"],
    ['{"😀": "😀"x}', "Expecting ',' delimiter: line 1 column 10 (char 9)"],
    ["\ufeff{}", "Expecting value: line 1 column 1 (char 0)"],
    ["[]]", "Extra data: line 1 column 3 (char 2)"],
  ])("%j: %s", (text, detail) => {
    const { code, message } = faultOf(Buffer.from(text))
    expect({ code, message }).toEqual({ code: "parse_error", message: `JSON parse error - ${detail}` })
  })

  test("is refused when its bytes are no UTF-8, rather than read as something else", () => {
    const bytes = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')])
    expect(faultOf(bytes).message).toBe("JSON parse error - the body is no UTF-8 text")
  })

  test("is described to its end, however long and deep it is", () => {
    const long = `["${"x".repeat(15_000_000)}"`
    expect(faultOf(Buffer.from(long)).message).toMatch(
      /^JSON parse error - Expecting ',' delimiter: line 1 column 1500000/,
    )
    expect(faultOf(Buffer.from("[".repeat(100_000))).message).toBe("JSON parse error - more than 100 nested levels")
    expect(faultOf(Buffer.from(`${"]".repeat(99)}${"[".repeat(99)}`)).message).toContain(
      "Expecting value: line 1 column 1",
    )
  })
})

test("every text that JSON allows is still taken", () => {
  const text = ' { "a" : [ -0.5e+2, true, null, "\\u00e5\\n\\"\u007f\u2028" , {} , [ ] ] } \n'
  expect(parseJsonBody(Buffer.from(text))).toEqual({ a: [-50, true, null, 'å\n"\u007f\u2028', {}, []] })
})
