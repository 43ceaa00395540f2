import { describe, expect, test } from "@jest/globals"
import { markList, readCursor, writeCursor } from "../../../src/platform/graphql/cursor.js"

const MARK = markList(["things", 1])
const refusal = (detail: string) =>
  expect.objectContaining({ code: "invalid_input", details: expect.objectContaining({ attr: "after", detail }) })
const cursorOf = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString("base64url")

describe("a cursor", () => {
  test.each([[[]], [["ünï", 1.5, true, null]], [[0.1 + 0.2, -1]]])("is read as it was written, %j", (key) => {
    expect(readCursor(MARK, writeCursor(MARK, key), "after")).toEqual(key)
  })

  test.each(["", "!", "e30", cursorOf(MARK), cursorOf([]), cursorOf([MARK, {}]), cursorOf([1, 2]), "A".repeat(20_000)])(
    "that is none is refused, %#",
    (text) => {
      expect(() => readCursor(MARK, text, "after")).toThrow(refusal("after is not a cursor."))
    },
  )

  test("of another list is refused as that", () => {
    const other = writeCursor(markList(["things", 2]), [1])
    const detail = "after is a cursor of another list, or of this one with another filter or order."
    expect(() => readCursor(MARK, other, "after")).toThrow(refusal(detail))
  })
})
