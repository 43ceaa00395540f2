import { describe, expect, test } from "@jest/globals"
import { readElements } from "../../../../src/features/persons/events/read-elements.js"

const NOTHING = { text: null, href: null, elementId: null, nthChild: null, nthOfType: null, attributes: [] }

describe("the chain of elements of an event", () => {
  test("has tags with classes, the innermost first, and none for an empty text", () => {
    expect(readElements("")).toEqual([])
    expect(readElements("a.big:flex.x:;div:;body")).toEqual([
      { ...NOTHING, tagName: "a", classes: ["big:flex", "x"] },
      { ...NOTHING, tagName: "div", classes: [] },
      { ...NOTHING, tagName: "body", classes: [] },
    ])
  })

  test("has attributes whose values may hold whatever separates others", () => {
    const [element] = readElements('a:attr__data-x="1;2=\\"3\\""attr_id="é:"nth-child="3"nth-of-type="no"text="a.b"')
    expect(element).toEqual({
      ...NOTHING,
      tagName: "a",
      classes: [],
      text: "a.b",
      elementId: "é:",
      nthChild: 3,
      attributes: [{ name: "data-x", value: '1;2="3"' }],
    })
  })

  test("is read in time that grows with its length, however it is broken", () => {
    const hostile = `${'a:x="'.repeat(20_000)}${"\\".repeat(20_001)}`
    expect(readElements(hostile).length).toBeGreaterThan(0)
    expect(readElements('"'.repeat(10_001)).length).toBeLessThan(2)
  })
})
