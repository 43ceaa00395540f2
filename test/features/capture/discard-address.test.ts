import { describe, expect, test } from "@jest/globals"
import { runSteps } from "../../../src/features/capture/steps/index.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import { NOW_MS } from "./cases/in-memory-driver.js"

const ADDRESS = "203.0.113.7"
const findPlace = (address: string) => (address === ADDRESS ? { city_name: "Kőszeg" } : null)

/** The event that a request from `ADDRESS` to a project becomes that keeps no addresses. */
function keep(properties: JsonObject) {
  const { kept } = runSteps(
    { event: "e", distinct_id: "u", properties },
    {
      receivedAtMs: NOW_MS,
      sentAtMs: null,
      historicalMigration: false,
      defaultEventName: null,
      newUuid: () => "00000000-0000-7000-8000-000000000001",
      anonymous: { clientIp: ADDRESS, findPlace },
    },
  )
  return { place: kept?.place, properties: kept?.properties }
}

describe("an event of a project that keeps no addresses", () => {
  test("has the place of the address that it came from", () => {
    expect(keep({ a: 1 })).toEqual({ place: { city_name: "Kőszeg" }, properties: { a: 1 } })
  })

  test("has the place of the address that the client wrote, which goes wherever it stands", () => {
    const holders = {
      $set: { $ip: "x", a: 1 },
      $set_once: { $initial_ip: "x" },
      $group_set: { $ip: "x", $initial_ip: "x" },
    }
    expect(keep({ $ip: "198.51.100.1", $initial_ip: "x", ...holders })).toEqual({
      place: null,
      properties: { $set: { a: 1 }, $set_once: {}, $group_set: {} },
    })
    expect(keep({ $ip: ADDRESS }).place).toEqual({ city_name: "Kőszeg" })
  })

  test("has no place where the client wants none, or came from within", () => {
    expect(keep({ $geoip_disable: true }).place).toBeNull()
    expect(keep({ $ip: null })).toEqual({ place: null, properties: {} })
    expect(keep({ capture_internal: true })).toEqual({ place: null, properties: { capture_internal: true } })
  })

  test("keeps what its client sent as it was", () => {
    const sent = Object.freeze({ $ip: ADDRESS, $set: Object.freeze({ $ip: ADDRESS }) })
    keep(sent)
    expect(sent).toEqual({ $ip: ADDRESS, $set: { $ip: ADDRESS } })
  })

  test("has its address until ingestion when its visitor is told by it", () => {
    const visit = { $cookieless_mode: true, $raw_user_agent: "UA", $host: "a.example" }
    expect(keep(visit).properties).toMatchObject({ $ip: ADDRESS })
    expect(keep({ ...visit, $ip: "198.51.100.1" }).properties).toMatchObject({ $ip: "198.51.100.1" })
  })
})
