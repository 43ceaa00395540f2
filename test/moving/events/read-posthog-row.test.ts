import { describe, expect, test } from "@jest/globals"
import { parseTime } from "../../../src/features/capture/index.js"
import { toSortedTime } from "../../../src/moving/events/event-to-send.js"
import { findUnknownColumns, readPosthogRow } from "../../../src/moving/events/read-posthog-row.js"

const rules = { parseTime, findDropReason: () => null }
const UUID = "0195a000-0000-7000-8000-000000000001"

/** As `SELECT *` gives it of PostHog's table of events. */
const ofClickHouse = {
  uuid: UUID.toUpperCase(),
  event: "bought",
  properties: '{"amount":7,"$groups":{"company":"acme"},"$group_0":"acme"}',
  timestamp: "2025-03-01 10:00:00.123456",
  team_id: 2,
  distinct_id: "ada",
  elements_chain: "",
  created_at: "2025-03-01 10:00:01.000000",
  person_id: UUID,
  person_mode: "full",
  group0_properties: "{}",
  $group_0: "acme",
  $session_id: "",
  mat_plan: "team",
  elements_chain_href: "",
  _timestamp: "2025-03-01 10:00:02",
}

describe("a row of PostHog", () => {
  test("of its table in ClickHouse becomes the event, without what the server works out itself", () => {
    expect(findUnknownColumns(ofClickHouse)).toEqual([])
    expect(readPosthogRow(ofClickHouse, new Map(), rules)).toEqual({
      uuid: UUID,
      isOfPerson: false,
      time: "2025-03-01T10:00:00.123456Z",
      item: {
        event: "bought",
        distinct_id: "ada",
        timestamp: "2025-03-01T10:00:00.123Z",
        properties: { amount: 7, $groups: { company: "acme" } },
      },
    })
  })

  test("with an id that is no uuid gets the same uuid each time, and another id another one", () => {
    const uuidOf = (id: string) => readPosthogRow({ ...ofClickHouse, uuid: id }, new Map(), rules)
    expect(uuidOf("order-1")).toEqual(uuidOf("order-1"))
    expect(uuidOf("order-1")).not.toEqual(uuidOf("order-2"))
  })

  test("is placed by its microseconds, in whatever zone it says its time", () => {
    const times = ["2025-03-01T12:00:00.000002+02:00", "2025-03-01 10:00:00.000001", "2025-03-01T10:00:00Z"]
    expect(times.map((time) => toSortedTime(time, parseTime))).toEqual([
      "2025-03-01T10:00:00.000002Z",
      "2025-03-01T10:00:00.000001Z",
      "2025-03-01T10:00:00.000000Z",
    ])
    expect(toSortedTime("+012025-03-01T10:00:00Z", parseTime)).toBeNull()
  })

  test("has no time where a number is beyond every date", () => {
    expect(readPosthogRow({ ...ofClickHouse, timestamp: 1e20 }, new Map(), rules)).toEqual({
      leftOut: "invalid_timestamp",
    })
  })

  test("is left out where its properties are nested deeper than a request may be", () => {
    const properties = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`
    expect(readPosthogRow({ ...ofClickHouse, properties }, new Map(), rules)).toEqual({ leftOut: "invalid_properties" })
  })
})
