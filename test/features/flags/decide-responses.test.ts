import { describe, expect, test } from "@jest/globals"
import type { JsonObject } from "../../../src/kernel/json.js"
import type { FlagSketch } from "../../flag-engine/flag-builders.js"
import { createDecideHarness, EVERYBODY, NOBODY, REQUEST_ID, TOKEN, when } from "./decide/decide-harness.js"

const FLAGS: readonly FlagSketch[] = [
  { id: 1, key: "on", version: 3, filters: { ...(EVERYBODY as JsonObject), payloads: { true: '"hello"' } } },
  { id: 2, key: "off", filters: NOBODY },
  {
    id: 3,
    key: "split",
    filters: { ...(EVERYBODY as JsonObject), multivariate: { variants: [{ key: "a", rollout_percentage: 100 }] } },
  },
  { id: 4, key: "broken", filters: "x" },
  { id: 5, key: "gone", active: false, filters: EVERYBODY },
]
const harness = () => createDecideHarness({ flags: FLAGS })
const EVALUATED_AT = Date.parse("2026-03-01T12:00:00Z")

describe("the answer to /decide", () => {
  test("without a version lists the keys of enabled flags", async () => {
    const body = await harness().askFor({}, "")
    expect(body.featureFlags).toEqual(["on", "split"])
    expect(body).not.toHaveProperty("errorsWhileComputingFlags")
    expect((await harness().askFor({}, "v=1")).featureFlags).toEqual(["on", "split"])
  })

  test("in version 2, and for a version that is a word, maps enabled flags to their values", async () => {
    for (const query of ["v=2", "v=abc"])
      expect((await harness().askFor({}, query)).featureFlags).toEqual({ on: true, split: "a" })
  })

  test("in version 3 maps every computed flag, with payloads and configuration, and leaves out the failed one", async () => {
    expect(await harness().askFor({}, "v=3")).toMatchObject({
      config: { enable_collect_everything: true },
      toolbarParams: {},
      isAuthenticated: false,
      supportedCompression: ["gzip", "gzip-js", "lz64"],
      autocapture_opt_out: false,
      hasFeatureFlags: true,
      featureFlags: { on: true, off: false, split: "a" },
      featureFlagPayloads: { on: '"hello"' },
      errorsWhileComputingFlags: true,
      requestId: REQUEST_ID,
      evaluatedAt: EVALUATED_AT,
    })
    const { featureFlags } = await harness().askFor({}, "v=3")
    expect(Object.keys(featureFlags as object)).toEqual(["on", "off", "split"])
  })

  test("from version 4 on shows flags in detail, the failed one too", async () => {
    const { flags, errorsWhileComputingFlags } = await harness().askFor({}, "v=999999")
    expect(errorsWhileComputingFlags).toBe(true)
    expect(flags).toEqual({
      on: {
        key: "on",
        enabled: true,
        variant: null,
        reason: { code: "condition_match", condition_index: 0, description: "Matched condition set 1" },
        metadata: { id: 1, version: 3, description: null, payload: '"hello"' },
      },
      off: {
        key: "off",
        enabled: false,
        variant: null,
        reason: { code: "out_of_rollout_bound", condition_index: 0, description: "Out of rollout bound" },
        metadata: { id: 2, version: 1, description: null, payload: null },
      },
      split: {
        key: "split",
        enabled: true,
        variant: "a",
        reason: { code: "condition_match", condition_index: 0, description: "Matched condition set 1" },
        metadata: { id: 3, version: 1, description: null, payload: null },
      },
      broken: expect.objectContaining({
        enabled: false,
        failed: true,
        reason: expect.objectContaining({ code: "flag_data_parsing_error" }),
      }),
    })
  })

  test("repeats the request id that was sent when it is a UUID", async () => {
    const id = "0190a1b2-0000-7000-8000-000000000001"
    expect((await harness().askFor({}, "v=3", { requestId: id })).requestId).toBe(id)
    expect((await harness().askFor({}, "v=3", { requestId: "mine" })).requestId).toBe(REQUEST_ID)
  })

  test("leaves configuration out when it is asked to", async () => {
    expect(await harness().askFor({}, "v=3&config=false")).not.toHaveProperty("supportedCompression")
  })
})

describe("the answer to /flags", () => {
  const askFlags = (query: string) => harness().askFor({}, query, { path: "flags" })

  test("is detailed from version 2 on, and brings configuration only when asked", async () => {
    const plain = await askFlags("v=2")
    expect(plain.flags).toHaveProperty("on")
    expect(plain).not.toHaveProperty("supportedCompression")
    expect(await askFlags("v=2&config=true")).toHaveProperty("hasFeatureFlags", true)
  })

  test("without any parameter is version 2 with configuration", async () => {
    const body = await askFlags("")
    expect(body.flags).toHaveProperty("on")
    expect(body).toHaveProperty("sessionRecording")
  })

  test("in version 1 is the map with payloads", async () => {
    for (const query of ["v=1", "config", "v=word"])
      expect((await askFlags(query)).featureFlags).toMatchObject({ on: true, off: false })
  })
})

describe("a GET", () => {
  test("answers configuration and empty maps without a key", () => {
    const { service } = harness()
    const ask = (path: "decide" | "flags", query: Record<string, string>) =>
      service.answerWithoutEvaluation({ path, query, requestId: "" })
    expect(ask("decide", { v: "3" })).toMatchObject({
      featureFlags: {},
      featureFlagPayloads: {},
      errorsWhileComputingFlags: false,
      sessionRecording: false,
    })
    expect(ask("flags", { v: "2" })).toMatchObject({ flags: {}, requestId: REQUEST_ID, evaluatedAt: EVALUATED_AT })
  })
})

describe("quota and switches", () => {
  test("an exceeded quota answers empty maps and says so", async () => {
    const { world, askFor } = harness()
    world.isQuotaExceeded = true
    expect(await askFor({}, "v=3")).toMatchObject({
      featureFlags: {},
      featureFlagPayloads: {},
      quotaLimited: ["feature_flags"],
      errorsWhileComputingFlags: false,
    })
    expect(await askFor({}, "v=2", { path: "flags" })).toMatchObject({ flags: {}, quotaLimited: ["feature_flags"] })
  })

  test("disable_flags answers empty maps, even over quota, and needs no distinct id", async () => {
    const { world, ask } = harness()
    world.isQuotaExceeded = true
    const body = await ask({ token: TOKEN, disable_flags: true })
    expect(body).toMatchObject({ featureFlags: {}, hasFeatureFlags: true })
    expect(body).not.toHaveProperty("quotaLimited")
  })

  test("flags with the names of built-in members are plain data", async () => {
    const keys = ["toString", "__proto__", "constructor"]
    const { askFor } = createDecideHarness({ flags: keys.map((key, id) => ({ id, key, filters: EVERYBODY })) })
    const { featureFlags } = await askFor({})
    expect(Object.keys(featureFlags as object).sort()).toEqual([...keys].sort())
  })

  test("session recording is offered unless the project switched it off", async () => {
    expect(await createDecideHarness({ flags: [{ key: "k", filters: when("a", 1) }] }).askFor({})).toHaveProperty(
      "sessionRecording.endpoint",
      "/s/",
    )
  })
})
