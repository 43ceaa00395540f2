import { describe, expect, test } from "@jest/globals"
import { readCallerVisit } from "../../../../src/features/flags/decide/caller-visit.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"

const NOW_MS = Date.parse("2026-11-21T23:30:00.000Z")
const EVERYBODY = "$posthog_cookieless"

const read = (body: JsonObject = {}, headers: Record<string, string> = {}, settings: JsonObject = {}, id = EVERYBODY) =>
  readCallerVisit(
    { projectId: asProjectId(7), token: "phc_TEST", settings },
    id,
    { body, headers: { "user-agent": "Firefox", origin: "http://shop.example.com:8080", ...headers }, clientIp: "::1" },
    NOW_MS,
  )

describe("who asks for flags without cookies", () => {
  test("is told by what their events tell too", () => {
    expect(read({ timezone: "Europe/Prague", cookieless_hash_extra: "x" })).toEqual({
      projectId: 7,
      ipAddress: "::1",
      rootDomain: "example.com",
      userAgent: "Firefox",
      extra: "x",
      day: "2026-11-22",
      timestampMs: NOW_MS,
      isStateless: false,
      isLogin: false,
    })
    expect(read({ ip_address: "203.0.113.7" })).toMatchObject({ ipAddress: "203.0.113.7", day: "2026-11-21" })
    expect(read({}, {}, { cookieless_mode: "stateless" })).toMatchObject({ isStateless: true })
    expect(read({}, { origin: "null", referer: "https://example.org/page" })).toMatchObject({
      rootDomain: "example.org",
    })
  })

  test("is nobody in particular with an id, without a site, and where the project has such events off", () => {
    expect(read({}, {}, {}, "ada")).toBeNull()
    expect(read({}, { origin: "null" })).toBeNull()
    expect(read({}, { "user-agent": "" })).toBeNull()
    expect(read({}, {}, { cookieless_mode: "off" })).toBeNull()
  })
})
