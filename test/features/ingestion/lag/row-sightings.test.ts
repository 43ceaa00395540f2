import { describe, expect, test } from "@jest/globals"
import { RowSightings } from "../../../../src/features/ingestion/lag/row-sightings.js"

describe("the age of the oldest row, whatever the clock of the machine says", () => {
  test("is the time since a reading first reached as far as that row", () => {
    const sightings = new RowSightings()
    expect(sightings.note(1, 10, 0)).toBe(0)
    expect(sightings.note(1, 20, 30_000)).toBe(30_000)
    // The rows up to 10 are stored; the next ones came between the two readings.
    expect(sightings.note(11, 30, 50_000)).toBe(20_000)
    expect(sightings.note(25, 30, 60_000)).toBe(10_000)
    expect(sightings.note(31, 40, 70_000)).toBe(0)
  })

  test("begins anew once nothing waits", () => {
    const sightings = new RowSightings()
    sightings.note(1, 10, 0)
    expect(sightings.note(null, null, 10_000)).toBe(0)
    expect(sightings.note(11, 11, 20_000)).toBe(0)
  })

  test("is still right to a few minutes after a day of readings of a row that is stuck", () => {
    const sightings = new RowSightings()
    for (let second = 0; second < 86_400; second++) sightings.note(1, 1 + second, second * 1_000)
    expect(sightings.note(1, 86_400, 86_400_000)).toBe(86_400_000)
    const waited = sightings.note(43_200, 86_400, 86_400_000)
    expect(waited).toBeLessThanOrEqual(43_201_000)
    expect(waited).toBeGreaterThan(42_900_000)
  })
})
