import { describe, expect, test } from "@jest/globals"
import { toRecordingsQuery } from "../../../../src/features/playlists/match-counts/to-recordings-query.js"
import type { Json } from "../../../../src/kernel/json.js"

const PAGEVIEW = { type: "events", id: "$pageview", name: "$pageview" }
const GERMAN = { type: "person", key: "country", value: ["de"], operator: "exact" }
const ERRORS = { type: "log_entry", key: "level", value: ["error"], operator: "exact" }
const LONG = { type: "recording", key: "active_seconds", value: 5, operator: "gt" }
const group = (type: string, ...values: Json[]) => ({ type, values })

describe("saved filters in nested groups", () => {
  test("are the same conditions side by side, with how long recordings have to be", () => {
    expect(
      toRecordingsQuery({
        date_from: "-7d",
        date_to: null,
        filter_test_accounts: true,
        order: "start_time",
        duration: [LONG],
        filter_group: group("AND", group("AND", PAGEVIEW, GERMAN, ERRORS)),
      }),
    ).toEqual({
      date_from: "-7d",
      date_to: null,
      filter_test_accounts: true,
      operand: "AND",
      events: [PAGEVIEW],
      actions: [],
      properties: [GERMAN, ERRORS],
      having_predicates: [LONG],
    })
  })

  test("without events stay groups, and the length holds whatever joins the rest", () => {
    const { type: _, ...untyped } = LONG
    expect(toRecordingsQuery({ duration: [untyped], filter_group: group("AND", group("OR", GERMAN, ERRORS)) })).toEqual(
      {
        properties: group("AND", group("OR", GERMAN, ERRORS), LONG),
      },
    )
    const two = group("OR", group("AND", GERMAN), group("AND", ERRORS))
    expect(toRecordingsQuery({ filter_group: two })).toEqual({ properties: group("AND", two) })
  })

  test("name actions beside events", () => {
    const action = { type: "actions", id: 3 }
    expect(toRecordingsQuery({ filter_group: group("AND", group("OR", action)) })).toMatchObject({
      operand: "OR",
      actions: [action],
      events: [],
    })
  })

  test.each([
    ["events or a length", { duration: [LONG], filter_group: group("OR", PAGEVIEW, GERMAN) }],
    ["events beside groups", { filter_group: group("AND", PAGEVIEW, group("OR", GERMAN, ERRORS)) }],
    ["a group that is none", { filter_group: "all" }],
  ])("are not counted where a query cannot say them: %s", (_why, filters) => {
    expect(toRecordingsQuery(filters as Json)).toBeNull()
  })
})

describe("saved filters in lists", () => {
  test("have their length and their console as conditions like others", () => {
    expect(
      toRecordingsQuery({
        events: [PAGEVIEW],
        properties: [GERMAN],
        date_from: "-3d",
        session_recording_duration: { type: "recording", key: "duration", value: 60, operator: "gt" },
        duration_type_filter: "inactive_seconds",
        console_logs: ["error", "warn"],
        console_search_query: "kaputt",
      }),
    ).toEqual({
      events: [PAGEVIEW],
      properties: [GERMAN],
      date_from: "-3d",
      having_predicates: [{ type: "recording", key: "inactive_seconds", value: 60, operator: "gt" }],
      console_log_filters: [
        { key: "level", operator: "exact", value: ["error", "warn"] },
        { key: "message", operator: "icontains", value: "kaputt" },
      ],
    })
  })

  test.each([null, "x", 7, [PAGEVIEW]])("are none where they are no object: %j", (filters) => {
    expect(toRecordingsQuery(filters as Json)).toBeNull()
  })
})
