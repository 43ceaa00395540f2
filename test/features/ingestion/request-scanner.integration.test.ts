import { describe, expect, test } from "@jest/globals"
import type { LoggedRequest } from "../../../src/features/ingestion/ingestion.types.js"
import { RequestScanner } from "../../../src/features/ingestion/reading/scan-requests.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import type { Json } from "../../../src/kernel/json.js"
import { NOW_MS, type SentEvent, sent } from "./batches/journey.js"

const request = (events: Json | readonly SentEvent[], projectId = 1): LoggedRequest => ({
  projectId: asProjectId(projectId),
  receivedAtMs: NOW_MS,
  clientIp: "203.0.113.7",
  historicalMigration: false,
  eventsJson: JSON.stringify(events),
})

describe("a scanner of logged requests", () => {
  test("counts places over all events of all parts, usable or not", async () => {
    const scanner = new RequestScanner()
    const first = await scanner.scan([request([sent("a", "u"), { no: "event" }] as Json), request([sent("b", "u")])])
    const second = await scanner.scan([request([sent("c", "u")])])
    expect([...first.events, ...second.events].map(({ event, position }) => [event, position])).toEqual([
      ["a", 0],
      ["b", 2],
      ["c", 3],
    ])
    expect(second.requests[0]?.firstPosition).toBe(3)
  })

  test("drops a uuid that comes again in the batch, in whatever case, and keeps it in another project", async () => {
    const scanner = new RequestScanner()
    const uuid = "0198f7c0-0000-7000-8000-00000000abcd"
    const again = sent("again", "u", { uuid: uuid.toUpperCase() })
    const first = await scanner.scan([request([sent("first", "u", { uuid })]), request([again], 2)])
    const second = await scanner.scan([request([again])])
    expect(first.events.map(({ event }) => event)).toEqual(["first", "again"])
    expect(second.events).toEqual([])
    expect(scanner.duplicateCount).toBe(1)
  })

  test("keeps what is no event, and what is no list of events, with the reason", async () => {
    const scanner = new RequestScanner()
    const { events } = await scanner.scan([
      request([{ ...sent("e", "u"), uuid: "none" }] as Json),
      request({ no: "list" }),
      { ...request([]), eventsJson: "[{" },
    ])
    expect(events).toEqual([])
    expect(scanner.deadLetters).toHaveLength(3)
    expect(scanner.deadLetters.map(({ reason }) => reason)).toEqual([
      "not_an_event",
      "unreadable_request",
      "unreadable_request",
    ])
    expect(scanner.deadLetters.every(({ detail, projectId }) => detail !== "" && projectId === 1)).toBe(true)
  })
})
