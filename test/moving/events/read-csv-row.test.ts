import { describe, expect, test } from "@jest/globals"
import { requireColumns } from "../../../src/moving/events/read-csv-row.js"

const columns = { distinct_id: "who", timestamp: "when", event: null, uuid: null }

describe("a table", () => {
  test("without a column that was named is refused with those that it has", () => {
    const found = { place: "a.csv line 2", row: { "who;when": "ada;2026-11-28" } }
    expect(() => requireColumns(found, columns)).toThrow(
      'There is no column "who" in a.csv line 2. Its columns are: who;when.',
    )
  })

  test("may have more columns than were named, and rows that cannot be read", () => {
    requireColumns({ place: "a.csv line 2", row: { who: "ada", when: "", plan: "" } }, columns)
    requireColumns({ place: "a.csv line 3", row: null }, columns)
  })
})
