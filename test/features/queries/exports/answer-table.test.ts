import { describe, expect, test } from "@jest/globals"
import { toTable } from "../../../../src/features/queries/exports/answer-table.js"

describe("an answer as a table", () => {
  test("is itself when it is one", () => {
    expect(toTable({ columns: ["a", "b"], results: [[1, [2]]] })).toEqual({ columns: ["a", "b"], rows: [[1, [2]]] })
  })

  test("has a row per point of each line, with what the line is of", () => {
    const line = (label: string, data: number[]) => ({
      label,
      breakdown_value: label,
      data,
      days: ["d1", "d2"],
      action: {},
    })
    expect(toTable({ results: [line("x", [1, 2]), line("y", [3, 4])] })).toEqual({
      columns: ["label", "breakdown_value", "day", "value"],
      rows: [
        ["x", "x", "d1", 1],
        ["x", "x", "d2", 2],
        ["y", "y", "d1", 3],
        ["y", "y", "d2", 4],
      ],
    })
  })

  test("has one row per total, step, bin, cohort's return, item and field", () => {
    expect(toTable({ results: [{ label: "x", aggregated_value: 5, data: [], days: [] }] }).rows).toEqual([["x", 5]])
    expect(toTable({ results: [[{ order: 0, count: 2 }], [{ order: 0, count: 3 }]] }).rows).toEqual([
      [0, 2],
      [0, 3],
    ])
    expect(toTable({ results: { bins: [[1, 2]], average_conversion_time: 1 } })).toEqual({
      columns: ["from_second", "conversions"],
      rows: [[1, 2]],
    })
    const event = { event: "watch", properties: {}, elements: [] }
    expect(toTable({ results: { events: [{ event, success_count: 3, odds_ratio: 2.5 }], skewed: false } })).toEqual({
      columns: ["event", "success_count", "odds_ratio"],
      rows: [["watch", 3, 2.5]],
    })
    expect(toTable({ results: [{ label: "Day 0", date: "d", values: [{ count: 4 }, { count: 1 }] }] })).toEqual({
      columns: ["label", "date", "interval", "count"],
      rows: [
        ["Day 0", "d", 0, 4],
        ["Day 0", "d", 1, 1],
      ],
    })
    expect(toTable({ results: [{ a: 1 }, { b: 2 }] }).rows).toEqual([
      [1, null],
      [null, 2],
    ])
    expect(toTable({ results: { sample_values: ["a"], sample_count: 1 } }).rows).toEqual([[["a"], 1]])
    expect(toTable({ errors: [{ message: "no" }] })).toEqual({ columns: ["message"], rows: [["no"]] })
    expect(toTable({ tables: { events: { fields: { uuid: { name: "uuid", type: "string" } } } } }).rows).toEqual([
      ["events", "uuid", "string"],
    ])
    expect(toTable({ results: [] })).toEqual({ columns: ["value"], rows: [] })
  })
})
