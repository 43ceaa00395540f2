import { describe, expect, test } from "@jest/globals"
import { readSelection, type WantedEvents } from "../../../src/features/ageing/event-deletions/read-selection.js"

const FIRST = new Date("2026-11-01T00:00:00Z")
const LAST = new Date("2026-11-28T00:00:00Z")

describe("which events are to be deleted", () => {
  test.each<[string, WantedEvents, string]>([
    ["nothing at all", {}, "names"],
    ["an empty list of properties", { properties: [] }, "names"],
    ["no names", { names: [] }, "names"],
    ["more names than are compared", { names: Array.from({ length: 101 }, String) }, "names"],
    ["a property without values", { properties: [{ name: "plan", values: [] }] }, "properties__0__values"],
    ["a year that no event is of", { from: new Date("9999-01-01T00:00:00Z") }, "from"],
    ["times the wrong way round", { from: LAST, before: FIRST }, "before"],
    ["a stretch without length", { from: FIRST, before: FIRST }, "before"],
  ])("is refused for %s, by the name of the field", (_, wanted, attr) => {
    expect(() => readSelection(wanted)).toThrow(expect.objectContaining({ details: expect.objectContaining({ attr }) }))
  })

  test("is kept as it is compared", () => {
    expect(readSelection({ from: FIRST, before: LAST, properties: [{ name: "plan" }] })).toEqual({
      names: null,
      from: "2026-11-01T00:00:00.000Z",
      before: "2026-11-28T00:00:00.000Z",
      properties: [{ name: "plan", values: null }],
    })
  })
})
