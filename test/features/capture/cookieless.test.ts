import { describe, expect, test } from "@jest/globals"
import { COOKIELESS_SETTING_CHECKS } from "../../../src/features/cookieless/index.js"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import { createInMemoryDriver, keysWithSettings } from "./cases/in-memory-driver.js"

const visit = (event: string, properties: JsonObject = {}): JsonObject => ({
  event,
  distinct_id: "$posthog_cookieless",
  properties: { $cookieless_mode: true, $raw_user_agent: "Firefox", $host: "example.com", ...properties },
})

/** Sends events under settings; answers what was stored and why the rest was not. */
async function capture(settings: JsonObject, ...batch: Json[]) {
  const driver = createInMemoryDriver(keysWithSettings(settings))
  const body = Buffer.from(JSON.stringify({ api_key: "phc_test", batch }))
  const headers = { "Content-Type": "application/json" }
  const { status, headers: answered } = await driver.send({ method: "POST", url: "/batch/", body, headers })
  expect(status).toBe(200)
  const stored = await driver.stored()
  const warnings = driver.warnings.map(({ severity, reason, event }) => [severity, reason, event])
  return { stored, warnings, dropped: answered["x-dropped-events"] }
}

describe("events without cookies", () => {
  test("are taken as they are by a project that has set nothing", async () => {
    const { stored, warnings } = await capture({}, visit("$pageview"), visit("$identify"))
    expect(stored.map(({ event, properties }) => [event, properties.$cookieless_mode])).toEqual([
      ["$pageview", true],
      ["$identify", true],
    ])
    expect(warnings).toEqual([])
  })

  test("are dropped one by one for what they lack, and told", async () => {
    const { stored, warnings, dropped } = await capture(
      {},
      visit("a", { $raw_user_agent: null }),
      visit("b", { $host: null }),
      visit("c", { $ip: "" }),
      visit("$create_alias", { alias: "x" }),
      { ...visit("d"), timestamp: "2020-01-01T00:00:00.000Z" },
      visit("kept"),
    )
    expect(stored.map(({ event }) => event)).toEqual(["kept"])
    expect(dropped).toBe("5")
    expect(warnings).toEqual([
      ["dropped", "cookieless_missing_user_agent", "a"],
      ["dropped", "cookieless_missing_host", "b"],
      ["dropped", "cookieless_missing_ip", "c"],
      ["dropped", "cookieless_unsupported_event", "$create_alias"],
      ["dropped", "cookieless_timestamp_out_of_range", "d"],
    ])
  })

  test("say that nothing is kept of visitors where the project wants it so, and cannot log in there", async () => {
    const { stored, warnings } = await capture({ cookieless_mode: "stateless" }, visit("$pageview"), visit("$identify"))
    expect(stored.map(({ event, properties }) => [event, properties.$cookieless_mode])).toEqual([
      ["$pageview", "stateless"],
    ])
    expect(warnings).toEqual([["dropped", "cookieless_stateless_identify", "$identify"]])
  })

  test("are dropped where the project has them off, and no others", async () => {
    const { stored, warnings } = await capture(
      { cookieless_mode: "off" },
      visit("$pageview"),
      visit("b", { $cookieless_mode: false }),
    )
    expect(stored.map(({ event }) => event)).toEqual(["b"])
    expect(warnings).toEqual([["dropped", "cookieless_mode_off", "$pageview"]])
  })
})

test.each([true, "always", null])("the setting cookieless_mode cannot be %p", (value) => {
  expect(() => COOKIELESS_SETTING_CHECKS.cookieless_mode?.(value)).toThrow(
    "cookieless_mode must be one of stateful, stateless, off.",
  )
})
