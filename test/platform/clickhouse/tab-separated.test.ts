import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { escapeField, NULL_FIELD, readFields } from "../../../src/kernel/tab-separated.js"

describe("fields between tabs", () => {
  test("give back every text", () => {
    const special = fc.string({ unit: fc.constantFrom("\\", "'", "\t", "\n", "\r", "N", "a") })
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: "binary" }), special), { minLength: 1 }), (texts) => {
        const row = texts.map(escapeField).join("\t")
        expect(readFields(row)).toEqual(texts)
        expect(row).not.toMatch(/[\n\r]/)
      }),
    )
  })

  test("hold no apostrophe that is not escaped, and no text that is read as null", () => {
    expect(escapeField("it's \\'")).toBe("it\\'s \\\\\\'")
    expect(escapeField(NULL_FIELD)).toBe("\\\\N")
  })
})
