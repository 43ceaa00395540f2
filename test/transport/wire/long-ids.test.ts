import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { quoteLongIds } from "../../../src/transport/wire/long-ids.js"

const LONG = "12345678901234567890"
const ID_FIELDS = ["distinct_id", "$distinct_id", "$anon_distinct_id", "alias", "$group_key"]

describe("an id that is written as a number with more digits than a double has", () => {
  test.each(ID_FIELDS)("is read to the last digit from %s", (field) => {
    const text = `[{"${field}" : ${LONG}, "n": ${LONG}}, {"${field}":-${LONG}}]`
    expect(quoteLongIds(text)).toBe(`[{"${field}" : "${LONG}", "n": ${LONG}}, {"${field}":"-${LONG}"}]`)
  })

  test.each(["groups", "$groups"])(
    "is read to the last digit from each key in %s, and from nothing inside of one",
    (field) => {
      const text = `{"${field}":{"a":${LONG},"b }: 1":"x: ${LONG}, \\" : ${LONG},","c":{"d":${LONG}},"e": ${LONG}},"n":${LONG}}`
      const quoted = `{"${field}":{"a":"${LONG}","b }: 1":"x: ${LONG}, \\" : ${LONG},","c":{"d":${LONG}},"e": "${LONG}"},"n":${LONG}}`
      expect(quoteLongIds(text)).toBe(quoted)
    },
  )
})

describe("nothing else is changed", () => {
  test.each([
    ["a number with a fraction or an exponent", `{"distinct_id":${LONG}.5,"alias":${LONG}e3}`],
    ["a short number", '{"distinct_id":123456789012345}'],
    ["a text", `{"distinct_id":"${LONG}"}`],
    ["what a text says", String.raw`{"a":"\"distinct_id\":${LONG},","b\"alias":${LONG}}`],
    ["a field of which the name only ends so", `{"my_distinct_id":${LONG}}`],
  ])("%s", (_what, text) => {
    expect(quoteLongIds(text)).toBe(text)
  })

  test("in any JSON", () => {
    const name = fc.oneof(fc.string(), fc.constantFrom(...ID_FIELDS, "groups", "$groups", '"alias', "\\"))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.string(),
        fc.constantFrom(`"distinct_id":${LONG},`, "\\", '"', "{", "}"),
        fc.integer(),
        fc.array(tie("value")),
        fc.dictionary(name, tie("value")),
      ),
    }))
    fc.assert(
      fc.property(value, (given) => {
        const text = JSON.stringify(given)
        expect(quoteLongIds(text)).toBe(text)
      }),
    )
  })
})

test.each([
  ["white space", `{"groups":{"a":${" ".repeat(2_000_000)}1}}`],
  ["backslashes", `{"groups":{"a":"${"\\\\".repeat(1_000_000)}"}}`],
  ["nested groups", `${'{"groups":'.repeat(60)}{}${"}".repeat(60)}`],
  ["digits", `{"distinct_id":${"1".repeat(2_000_000)}}`],
])("a body of %s is left as it is", (_what, text) => {
  expect(quoteLongIds(text)).toBe(text)
})
