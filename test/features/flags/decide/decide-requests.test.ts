import { describe, expect, test } from "@jest/globals"
import { readDecideRequest, requireDistinctId } from "../../../../src/features/flags/decide/decide-request.js"
import { AppError, ERRORS } from "../../../../src/kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../../../src/kernel/json.js"
import { readCases } from "../../../flag-engine/flag-builders.js"
import { createDecideHarness, EVERYBODY, when } from "./decide-harness.js"

interface DecodingCase {
  readonly id: string
  readonly body?: Json
  readonly status?: number
  readonly flags_empty?: boolean
  readonly normalized?: JsonObject
}
const decoding = readCases<{ cases: DecodingCase[] }>("request-decoding").cases.filter((one) => isJsonObject(one.body))

const NORMALIZED_NAMES: Record<string, string> = {
  distinct_id: "distinctId",
  anon_distinct_id: "anonymousDistinctId",
  device_id: "deviceId",
  evaluation_contexts: "evaluationContexts",
}

const statusOf = async (answer: Promise<unknown>): Promise<number> => {
  try {
    await answer
    return 200
  } catch (error) {
    if (error instanceof AppError) return ERRORS[error.code].status
    throw error
  }
}

describe("a decision request", () => {
  test.each(decoding.map((one) => [one.id, one] as const))(
    "%s",
    async (_, { body, status, normalized, flags_empty }) => {
      if (normalized !== undefined) {
        const request = readDecideRequest(body, {})
        const wanted = Object.entries(normalized).map(([name, value]) => [NORMALIZED_NAMES[name] ?? name, value])
        expect(request).toMatchObject(Object.fromEntries(wanted))
        return
      }
      const { ask } = createDecideHarness({ flags: [{ key: "k", filters: EVERYBODY }] })
      const withKnownKey = JSON.parse(JSON.stringify(body).replace("phc_test", "phc_TEST"))
      expect(await statusOf(ask(withKnownKey))).toBe(status)
      if (flags_empty === true) expect((await ask(withKnownKey)).featureFlags).toEqual({})
    },
  )

  test("prints large whole numbers in decimal and cuts ids at 200 code points", () => {
    const idOf = (distinct_id: Json) => requireDistinctId(readDecideRequest({ token: "t", distinct_id }, {}))
    expect(idOf(1e21)).toBe("1000000000000000000000")
    expect(idOf("😀".repeat(300))).toBe("😀".repeat(200))
    expect(idOf("")).toBe("")
    expect(idOf("a\u0000b")).toBe("a\uFFFDb")
  })

  // posthog-js 1.299.0 and 1.449.2 with `cookieless_mode: "always"`, right after `identify`.
  test("names no anonymous id where that is the one of all visitors without cookies", () => {
    const body = { token: "t", distinct_id: "ada", $anon_distinct_id: "$posthog_cookieless" }
    expect(readDecideRequest(body, {}).anonymousDistinctId).toBeNull()
    expect(readDecideRequest({ ...body, $anon_distinct_id: "anon-1" }, {}).anonymousDistinctId).toBe("anon-1")
  })

  describe("of a visitor without cookies", () => {
    const world = () => {
      const harness = createDecideHarness({ flags: [{ key: "k", filters: when("plan", "team") }] })
      harness.world.persons.set("cookieless_visitor", { properties: { plan: "team" }, createdAt: "" })
      return harness
    }
    const visitor = { distinct_id: "$posthog_cookieless", timezone: "UTC" }
    const browser = { headers: { "user-agent": "Firefox", origin: "https://shop.example.com" } }

    test("is decided for the id that the visitor's events have", async () => {
      const { askFor, world: stored } = world()
      expect((await askFor(visitor, "v=3", browser)).featureFlags).toEqual({ k: true })
      expect(stored.reads).toEqual(["visitor", "person"])
    })

    test("is decided as everybody without cookies when it tells too little", async () => {
      const { askFor } = world()
      expect(await askFor(visitor)).toMatchObject({ featureFlags: { k: false }, errorsWhileComputingFlags: false })
    })

    test("is so decided with an error when the visitor cannot be told in time", async () => {
      const { askFor, world: stored } = world()
      stored.failing.add("visitor")
      const answer = await askFor(visitor, "v=3", browser)
      expect(answer).toMatchObject({ featureFlags: { k: false }, errorsWhileComputingFlags: true })
    })

    test("costs nobody else a look-up", async () => {
      const { askFor, world: stored } = world()
      await askFor({ distinct_id: "ada" }, "v=3", browser)
      expect(stored.reads).toEqual(["person"])
    })
  })

  test("with several keys prefers token, then $token, then api_key", () => {
    expect(readDecideRequest({ token: "a", $token: "b", api_key: "c" }, {}).token).toBe("a")
    expect(readDecideRequest({ $token: "b", api_key: "c" }, {}).token).toBe("b")
  })

  test("with an unknown key is refused before its distinct id is looked at, and a personal key is named as such", async () => {
    const { ask } = createDecideHarness({ flags: [] })
    await expect(ask({ api_key: "phc_other" })).rejects.toMatchObject({ code: "invalid_project_key" })
    await expect(ask({ api_key: "phx_mine", distinct_id: "u" })).rejects.toThrow("personal API key")
    await expect(ask({ api_key: "phc_TEST" })).rejects.toMatchObject({ code: "missing_distinct_id" })
    await expect(ask({ api_key: "phc_TEST", distinct_id: null })).rejects.toMatchObject({ code: "missing_distinct_id" })
    await expect(ask({})).rejects.toMatchObject({ code: "no_project_key" })
    await expect(ask([])).rejects.toMatchObject({ code: "malformed_data" })
  })
})

describe("a hostile decision request never harms other flags", () => {
  interface HostileBody {
    readonly id: string
    readonly path: string
    readonly pathOverride?: string
    readonly body: Json
    readonly expect: string
    readonly method?: string
    readonly headers?: Record<string, string>
  }
  const entries = readCases<{ entries: HostileBody[] }>("hostile-decide-bodies").entries.filter(
    (one) => one.method === undefined,
  )

  test.each(entries.map((one) => [one.id, one] as const))(
    "%s",
    async (_, { body, path, pathOverride, headers, expect: expected }) => {
      const { askFor, ask } = createDecideHarness({
        flags: [
          { key: "all", filters: EVERYBODY },
          { key: "some", filters: when("a", "x") },
        ],
      })
      const query = new URL(pathOverride ?? path, "http://h").search
      const generated = isJsonObject(body) && body.generator !== undefined
      const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_unused, index) => [`key-${index}`, index]))
      const more = { headers: headers ?? {}, clientIp: headers?.["X-Forwarded-For"] ?? "" }
      const answer = generated ? askFor({ person_properties: properties }, query) : ask(body, query, more)
      const status = await statusOf(answer)
      if (expected === "4xx") expect(status).toBeGreaterThanOrEqual(400)
      if (expected === "200") expect(status).toBe(200)
      expect(status).toBeLessThan(500)
      if (status !== 200) return
      const { featureFlags, flags, errorsWhileComputingFlags } = (await answer) as JsonObject
      expect(errorsWhileComputingFlags ?? false).toBe(false)
      const all = Array.isArray(featureFlags)
        ? featureFlags.includes("all")
        : JSON.stringify(featureFlags ?? flags).includes('"all":')
      expect(all).toBe(true)
    },
  )
})
