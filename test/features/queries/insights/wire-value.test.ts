import { describe, expect, test } from "@jest/globals"
import { toWireRows } from "../../../../src/features/queries/insights/wire-value.js"

const show = (value: unknown, type: string, timezone: string) =>
  toWireRows([[value as string]], [type], timezone)[0]?.[0]

describe("a value in an answer", () => {
  test("of a time is ISO, Z for UTC and the offset of the day otherwise", () => {
    expect(show("2024-03-04T12:00:00.000000Z", "DateTime64(6, 'UTC')", "UTC")).toBe("2024-03-04T12:00:00Z")
    expect(show("2024-03-04T12:00:00.120000Z", "DateTime64(6)", "Europe/Berlin")).toBe("2024-03-04T13:00:00.12+01:00")
    expect(show("2024-07-04T12:00:00Z", "Nullable(DateTime)", "America/St_Johns")).toBe("2024-07-04T09:30:00-02:30")
    expect(show(null, "Nullable(DateTime)", "UTC")).toBeNull()
  })

  test("tells the two hours of a clock set back apart", () => {
    const hours = ["2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z"].map((at) => show(at, "DateTime", "Europe/Berlin"))
    expect(hours).toEqual(["2024-10-27T02:30:00+02:00", "2024-10-27T02:30:00+01:00"])
  })

  test("is found in arrays, tuples and maps, in the zone of its type if it has one, and texts that look like times stay", () => {
    const at = "2024-03-04T12:00:00Z"
    const type = "Array(Tuple(name String, `at` DateTime64(3, 'Asia/Tokyo'), String))"
    expect(toWireRows([[[["a", at, at]]]], [type], "Europe/Berlin")).toEqual([
      [[["a", "2024-03-04T21:00:00+09:00", at]]],
    ])
    expect(toWireRows([[{ k: at }]], ["Map(String, DateTime)"], "Asia/Tokyo")).toEqual([
      [{ k: "2024-03-04T21:00:00+09:00" }],
    ])
    expect(show(at, "String", "Asia/Tokyo")).toBe(at)
  })
})
