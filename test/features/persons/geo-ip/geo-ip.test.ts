import { describe, expect, test } from "@jest/globals"
import { enrich } from "../../../../src/features/ingestion/enrich/index.js"
import { MaxMindGeoIp } from "../../../../src/features/persons/index.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"

const geoIp = new MaxMindGeoIp("test/features/persons/GeoIP2-City-Test.mmdb", silentLogger)

const located = (properties: JsonObject, clientIp = "81.2.69.142") =>
  enrich(
    {
      projectId: asProjectId(1),
      uuid: "0198f7c0-0000-7000-8000-000000000001",
      event: "$pageview",
      distinctId: "user",
      properties,
      timestamp: "2025-06-01T12:00:00.000Z",
      clientTimestamp: null,
      receivedAtMs: 0,
      clientIp,
      historicalMigration: false,
    },
    { lookUp: (address) => geoIp.lookUp(address), logMiss: () => undefined },
  )

describe("the place of an event", () => {
  test("comes from the client's address and goes to the event and its person", () => {
    const { properties, foundProperties } = located({})
    expect(properties).toMatchObject({
      $ip: "81.2.69.142",
      $geoip_city_name: "London",
      $geoip_country_code: "GB",
      $geoip_continent_code: "EU",
      $geoip_subdivision_1_code: "ENG",
      $geoip_time_zone: "Europe/London",
    })
    expect(properties).not.toHaveProperty("$geoip_subdivision_2_code")
    expect(foundProperties?.set).toMatchObject({ $geoip_city_name: "London", $geoip_subdivision_2_code: null })
    expect(foundProperties?.setOnce).toMatchObject({ $initial_geoip_country_name: "United Kingdom" })
  })

  test("comes from the event's own $ip when it has one", () => {
    expect(located({ $ip: "89.160.20.112" }).properties).toMatchObject({ $geoip_country_code: "SE" })
  })

  test.each([
    ["is switched off by $geoip_disable", { $geoip_disable: true }, "81.2.69.142"],
    ["is not known for a private address", {}, "10.0.0.1"],
    ["is not known for what is no address", { $ip: "somewhere" }, "81.2.69.142"],
    ["is not known without an address", {}, ""],
  ])("%s", (_what, properties, clientIp) => {
    const event = located(properties, clientIp)
    expect(event.foundProperties).toBeUndefined()
    expect(
      Object.keys(event.properties).filter((name) => name.startsWith("$geoip_") && name !== "$geoip_disable"),
    ).toEqual([])
  })
})
