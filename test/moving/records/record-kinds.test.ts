import { describe, expect, test } from "@jest/globals"
import { translateReferences } from "../../../src/moving/records/record-kinds.js"

const known = {
  cohorts: { 7: "1", 8: "2" },
  actions: { 9: "3" },
  feature_flags: { 10: "4" },
  insights: {},
  dashboards: {},
  session_recording_playlists: {},
}

describe("what records name", () => {
  test("gets the numbers of the project in filters, conditions of cohorts, series and breakdowns", () => {
    const written = {
      properties: [
        { key: "id", type: "cohort", value: [7, "8"] },
        { key: "7", type: "person", value: 7 },
        { key: "10", type: "flag", value: true },
      ],
      values: [{ type: "behavioral", event_type: "actions", key: 9, seq_event_type: "actions", seq_event: "9" }],
      series: [{ kind: "ActionsNode", id: 9, name: "Paid" }],
      breakdownFilter: { breakdown_type: "cohort", breakdown: ["all", 8] },
    }
    expect(translateReferences(written, known)).toEqual({
      properties: [
        { key: "id", type: "cohort", value: [1, 2] },
        { key: "7", type: "person", value: 7 },
        { key: "4", type: "flag", value: true },
      ],
      values: [{ type: "behavioral", event_type: "actions", key: 3, seq_event_type: "actions", seq_event: 3 }],
      series: [{ kind: "ActionsNode", id: 3, name: "Paid" }],
      breakdownFilter: { breakdown_type: "cohort", breakdown: ["all", 2] },
    })
  })

  test("is refused by its number when it did not come over", () => {
    const series = [{ kind: "ActionsNode", id: 99 }]
    expect(() => translateReferences({ series }, known)).toThrow("refers to actions 99, which did not come over")
  })
})
