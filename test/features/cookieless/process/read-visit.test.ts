import { describe, expect, test } from "@jest/globals"
import { readVisit } from "../../../../src/features/cookieless/index.js"
import { canonicalAddress } from "../../../../src/features/cookieless/process/canonical-address.js"
import { toRootDomain } from "../../../../src/features/cookieless/process/root-domain.js"
import { dayIn } from "../../../../src/features/cookieless/process/visit-day.js"
import type { JsonObject } from "../../../../src/kernel/json.js"

const NOON_MS = Date.parse("2026-11-21T12:00:00.000Z")
const HOUR_MS = 3_600_000
const PROPERTIES: JsonObject = { $cookieless_mode: true, $raw_user_agent: "Firefox", $host: "shop.example.com:8080" }
const REQUEST = { clientIp: "203.0.113.7", receivedAtMs: NOON_MS }

const read = (
  properties: JsonObject = {},
  { event = "$pageview", distinctId = "$posthog_cookieless", atMs = NOON_MS } = {},
) =>
  readVisit(
    { event, distinctId, properties: { ...PROPERTIES, ...properties }, timestamp: new Date(atMs).toISOString() },
    REQUEST,
  )

describe("a visit without cookies", () => {
  test("is told by address, site, browser and what the site adds", () => {
    expect(
      read({ $cookieless_extra: "é".repeat(101), $timezone: "Asia/Tokyo" }, { atMs: NOON_MS + 4 * HOUR_MS }),
    ).toEqual({
      ipAddress: "203.0.113.7",
      rootDomain: "example.com",
      userAgent: "Firefox",
      extra: "é".repeat(100),
      day: "2026-11-22",
      timestampMs: NOON_MS + 4 * HOUR_MS,
      isStateless: false,
      isLogin: false,
    })
  })

  test("is told by no more than a thousand characters of anything, so that nobody is kept busy by hashing", () => {
    const long = "x".repeat(900_000)
    const visit = read({ $raw_user_agent: long, $host: `${long}.com`, $ip: long })
    expect(visit).toMatchObject({
      userAgent: "x".repeat(1000),
      rootDomain: "x".repeat(1000),
      ipAddress: "x".repeat(1000),
    })
  })

  test("is at the address that the client names, if it does", () => {
    expect(read({ $ip: "198.51.100.1" })).toMatchObject({ ipAddress: "198.51.100.1" })
  })

  test.each<[string, JsonObject, object, string]>([
    ["has no user agent", { $raw_user_agent: " " }, {}, "cookieless_missing_user_agent"],
    ["hides its address", { $ip: null }, {}, "cookieless_missing_ip"],
    ["is of no site", { $host: 7 }, {}, "cookieless_missing_host"],
    ["joins ids for good", {}, { event: "$create_alias" }, "cookieless_unsupported_event"],
    ["joins persons for good", {}, { event: "$merge_dangerously" }, "cookieless_unsupported_event"],
    [
      "logs in where nothing is kept",
      { $cookieless_mode: "stateless" },
      { event: "$identify" },
      "cookieless_stateless_identify",
    ],
  ])("cannot be used when it %s", (_what, properties, event, reason) => {
    expect(read(properties, event)).toBe(reason)
  })

  // Received on the 21st at noon, when it is the 22nd in the zone that is first.
  test.each<[string, string, number]>([
    ["tomorrow, where that has begun", "2026-11-22", 13],
    ["the last day that ended everywhere less than 72 hours ago", "2026-11-18", -84],
  ])("may be of %s", (_what, day, hours) => {
    expect(read({}, { atMs: NOON_MS + hours * HOUR_MS })).toMatchObject({ day })
  })
  test.each<[string, number]>([
    ["a day that has begun nowhere", 36],
    ["a day that ended everywhere 72 hours ago", -85],
  ])("may not be of %s", (_what, hours) => {
    expect(read({}, { atMs: NOON_MS + hours * HOUR_MS })).toBe("cookieless_timestamp_out_of_range")
  })

  test.each<[string, string, JsonObject, boolean]>([
    ["$identify", "ada", { $anon_distinct_id: "$posthog_cookieless" }, true],
    ["$identify", "ada", {}, false],
    ["$identify", "$posthog_cookieless", { $anon_distinct_id: "$posthog_cookieless" }, false],
    ["$set", "ada", { $anon_distinct_id: "$posthog_cookieless" }, false],
  ])("is a login when %s of %s names nobody before: %j", (event, distinctId, properties, isLogin) => {
    expect(read(properties, { event, distinctId })).toMatchObject({ isLogin })
  })
})

describe("the root domain of a host", () => {
  test.each([
    ["example.com", "example.com"],
    ["www.Example.com.:443", "example.com"],
    ["a.b.example.co.uk", "example.co.uk"],
    ["example.com.br", "example.com.br"],
    ["web.de", "web.de"],
    ["www.web.de", "web.de"],
    ["shop.example.org.au", "example.org.au"],
    ["a.b.c.kobe.jp", "b.c.kobe.jp"],
    ["one.github.io", "github.io"],
    ["shop.intranet.local", "intranet.local"],
    ["co.uk", "co.uk"],
    ["localhost:8000", "localhost"],
    ["127.0.0.1:33793", "127.0.0.1"],
    ["[2001:db8::1]:8000", "[2001:db8::1]"],
    ["", ""],
  ])("%s is %s", (host, domain) => {
    expect(toRootDomain(host)).toBe(domain)
  })
})

describe("an address", () => {
  test.each([
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["203.0.113.7", "203.0.113.7"],
    ["not:an:address", "not:an:address"],
  ])("%s counts as %s", (written, canonical) => {
    expect(canonicalAddress(written)).toBe(canonical)
  })
})

describe("the day of a moment", () => {
  const lateMs = Date.parse("2026-11-21T23:30:00.000Z")
  test.each<[unknown, string]>([
    ["UTC", "2026-11-21"],
    ["Europe/Prague", "2026-11-22"],
    ["America/Los_Angeles", "2026-11-21"],
    ["Nowhere/Land", "2026-11-21"],
    ["+01:00", "2026-11-21"],
    [undefined, "2026-11-21"],
  ])("in the zone %p is %s", (zone, day) => {
    expect(dayIn(zone, lateMs)).toBe(day)
  })
})
