import { describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import { createDecideHarness, EVERYBODY, NOBODY, when } from "./decide/decide-harness.js"

const PERSON = { properties: { plan: "pro" }, createdAt: "2024-01-01T00:00:00.000Z" }
const inCohort = when("id", 5, { type: "cohort", operator: "in" })
const STATIC = [{ id: 5, isStatic: true, filters: null }]
const goldGroup = {
  aggregation_group_type_index: 0,
  groups: [
    { properties: [{ key: "tier", type: "group", group_type_index: 0, value: "gold" }], rollout_percentage: 100 },
  ],
}
const flagsOf = (body: JsonObject) => body.featureFlags

describe("facts for a decision", () => {
  test("are not read at all when no flag needs them or the request brings them", async () => {
    const { world, askFor } = createDecideHarness({
      flags: [
        { key: "k", filters: when("plan", "pro") },
        { key: "all", filters: EVERYBODY },
      ],
    })
    expect(flagsOf(await askFor({ person_properties: { plan: "pro" } }))).toEqual({ k: true, all: true })
    expect(world.reads).toEqual([])
  })

  test("come from the store where the request lacks them, and the request wins key by key", async () => {
    const { world, askFor } = createDecideHarness({ flags: [{ key: "k", filters: when("plan", "pro") }] })
    world.persons.set("u", PERSON)
    expect(flagsOf(await askFor({ person_properties: { other: 1 } }))).toEqual({ k: true })
    expect(flagsOf(await askFor({ person_properties: { plan: "free" } }))).toEqual({ k: false })
    expect(flagsOf(await askFor({ distinct_id: "stranger" }))).toEqual({ k: false })
    expect(world.reads).toEqual(["person", "person"])
  })

  test("come from the request alone for who asks for that", async () => {
    const { world, askFor } = createDecideHarness({ flags: [{ key: "k", filters: when("plan", "pro") }] })
    world.persons.set("u", PERSON)
    const query = "v=3&only_use_override_person_properties=true"
    expect(flagsOf(await askFor({}, query))).toEqual({ k: false })
    expect(flagsOf(await askFor({ person_properties: { plan: "pro" } }, query))).toEqual({ k: true })
    expect(world.reads).toEqual([])
    expect(flagsOf(await askFor({}, "v=3&only_use_override_person_properties=false"))).toEqual({ k: true })
  })

  test("that cannot be read fail only the flags that need them", async () => {
    const flags = [
      { key: "all", filters: EVERYBODY },
      { key: "person", filters: when("plan", "pro") },
      { key: "cohort", filters: inCohort },
      { key: "group", filters: goldGroup },
    ]
    const { world, askFor } = createDecideHarness({ flags, cohorts: STATIC })
    world.groups.set("0:acme", { tier: "gold" })
    world.failing = new Set(["person", "cohorts"])
    const body = await askFor({ groups: { organization: "acme" } })
    expect(flagsOf(body)).toEqual({ all: true, group: true })
    expect(body.errorsWhileComputingFlags).toBe(true)
    world.failing = new Set()
    const detailed = await askFor({ groups: { organization: "acme" } }, "v=4")
    expect(detailed.errorsWhileComputingFlags).toBe(false)
  })

  test("about a type that is newer than the rules fail flags about such types while it cannot be read", async () => {
    const shop = { properties: [{ key: "tier", type: "group", group_type_index: 1, value: "gold" }] }
    const flags: { key: string; filters: Json }[] = [
      { key: "all", filters: EVERYBODY },
      { key: "group", filters: goldGroup },
      { key: "shop", filters: { groups: [shop], aggregation_group_type_index: 1 } },
      { key: "mixed", filters: { groups: [shop] } },
    ]
    const { world, clock, askFor } = createDecideHarness({ flags })
    world.groups.set("1:s", { tier: "gold" })
    let asked = 0
    world.newGroupTypes = () => {
      asked++
      return Promise.reject(new Error("the store is down"))
    }
    const named = { groups: { shop: "s" } }
    for (let turn = 0; turn < 5; turn++)
      expect(await askFor(named)).toMatchObject({
        featureFlags: { all: true, group: false },
        errorsWhileComputingFlags: true,
      })
    expect(flagsOf(await askFor(named))).not.toHaveProperty("shop")
    expect(flagsOf(await askFor(named))).not.toHaveProperty("mixed")
    expect(asked).toBe(3)
    expect((await askFor({})).errorsWhileComputingFlags).toBe(false)
    clock.advance(1_500)
    world.newGroupTypes = async () => new Map([["shop", 1]])
    expect(flagsOf(await askFor(named))).toEqual({ all: true, group: false, shop: true, mixed: true })
  })

  test("are not asked for again for a while after three failures in a row", async () => {
    const { world, clock, askFor } = createDecideHarness({ flags: [{ key: "k", filters: when("plan", "pro") }] })
    world.failing.add("person")
    for (let turn = 0; turn < 5; turn++) await askFor({})
    expect(world.reads).toHaveLength(3)
    world.failing.clear()
    world.persons.set("u", PERSON)
    clock.advance(1_500)
    expect(flagsOf(await askFor({}))).toEqual({ k: true })
  })

  test("about groups use the request's properties first, and an unknown group is a reason, not an error", async () => {
    const { world, askFor } = createDecideHarness({ flags: [{ key: "g", filters: goldGroup }] })
    const groups = { organization: 42 }
    world.groups.set("0:42", { tier: "gold" })
    expect(flagsOf(await askFor({ groups }))).toEqual({ g: true })
    expect(flagsOf(await askFor({ groups, group_properties: { organization: { tier: "lead" } } }))).toEqual({
      g: false,
    })
    expect(await askFor({}, "v=4")).toMatchObject({
      flags: { g: { enabled: false, reason: { code: "no_group_type", condition_index: 0 } } },
      errorsWhileComputingFlags: false,
    })
  })

  test("about the caller's place are added unless the request gives or refuses them", async () => {
    const { world, askFor } = createDecideHarness({
      flags: [{ key: "uk", filters: when("$geoip_country_code", "GB") }],
    })
    world.location = { country_code: "GB" }
    world.failing.add("person")
    expect(flagsOf(await askFor({}))).toEqual({ uk: true })
    expect(flagsOf(await askFor({ person_properties: { $geoip_country_code: null } }))).toEqual({ uk: true })
    expect(flagsOf(await askFor({ person_properties: { $geoip_country_code: "FR" } }))).toEqual({ uk: false })
    world.failing.clear()
    expect(flagsOf(await askFor({ geoip_disable: true }))).toEqual({ uk: false })
  })
})

describe("which flags a request is about", () => {
  const FLAG_IS = { type: "flag", operator: "flag_evaluates_to" }
  const flags = [
    { id: 1, key: "base", filters: EVERYBODY },
    { id: 2, key: "top", filters: when("1", true, FLAG_IS) },
    { id: 3, key: "browser", filters: EVERYBODY, evaluationRuntime: "client" as const },
    { id: 4, key: "docs", filters: EVERYBODY, evaluationContexts: ["docs"] },
    { id: 5, key: "survey-targeting-a", filters: NOBODY },
  ]
  const keysFor = async (caller: JsonObject, query?: string, headers = {}) =>
    Object.keys((await createDecideHarness({ flags }).askFor(caller, query, { headers })).featureFlags as object).sort()

  test("named flags bring what they depend on along", async () => {
    expect(await keysFor({ flag_keys: ["top"] })).toEqual(["base", "top"])
    expect(await keysFor({ flag_keys_to_evaluate: ["docs", "unknown"] })).toEqual(["docs"])
  })

  test("a named flag that is not for the caller brings nothing along", async () => {
    const serverOnly = { id: 6, key: "server", filters: when("1", true, FLAG_IS), evaluationRuntime: "server" as const }
    const { askFor } = createDecideHarness({ flags: [...flags, serverOnly] })
    const asked = { flag_keys: ["server"] }
    expect(flagsOf(await askFor({ ...asked, evaluation_runtime: "client" }))).toEqual({})
    expect(flagsOf(await askFor({ ...asked, evaluation_runtime: "server" }))).toEqual({ base: true, server: true })
  })

  test("a flag for another runtime is left out; the runtime is stated or told by headers", async () => {
    const all = ["base", "browser", "docs", "survey-targeting-a", "top"]
    expect(await keysFor({})).toEqual(all.filter((key) => key !== "browser"))
    expect(await keysFor({ evaluation_runtime: "ALL" })).toEqual(all)
    expect(await keysFor({}, "v=3", { "user-agent": "Mozilla/5.0" })).toEqual(all)
    expect(await keysFor({}, "v=3", { "user-agent": "posthog-node/5.0.0" })).not.toContain("browser")
    expect(await keysFor({}, "v=3", { origin: "https://a.test" })).toEqual(all)
  })

  test("contexts keep flags without one and flags with one of them", async () => {
    expect(await keysFor({ evaluation_contexts: ["app"] })).toEqual(["base", "survey-targeting-a", "top"])
    expect(await keysFor({ evaluation_environments: ["docs"] })).toContain("docs")
  })

  test("a survey request sees only survey flags", async () => {
    expect(await keysFor({}, "v=3&only_evaluate_survey_feature_flags=true")).toEqual(["survey-targeting-a"])
  })
})

describe("experience continuity", () => {
  const variants = Array.from({ length: 20 }, (_, index) => ({ key: `v${index}`, rollout_percentage: 5 }))
  const flags = [
    { key: "k", filters: { ...(EVERYBODY as object), multivariate: { variants } }, ensure_experience_continuity: true },
  ]
  const servedValue = (body: JsonObject) => (body.featureFlags as JsonObject).k

  test("keeps the anonymous value through a login, from the very request that names both ids", async () => {
    const { world, askFor } = createDecideHarness({ flags })
    const before = servedValue(await askFor({ distinct_id: "anonymous-1" }))
    expect(servedValue(await askFor({ distinct_id: "me@x.test" }))).not.toBe(before)
    expect(servedValue(await askFor({ distinct_id: "me@x.test", $anon_distinct_id: "anonymous-1" }))).toBe(before)
    expect([...world.hashKeys.keys()].sort()).toEqual(["anonymous-1", "me@x.test"])
    expect(servedValue(await askFor({ distinct_id: "me@x.test" }))).toBe(before)
    expect(servedValue(await askFor({ distinct_id: "me@x.test", $anon_distinct_id: "anonymous-2" }))).toBe(before)
  })

  test("fails its flags, and only them, when the stored values cannot be reached", async () => {
    const { world, askFor } = createDecideHarness({ flags: [...flags, { key: "all", filters: EVERYBODY }] })
    world.failing.add("hashKeys")
    expect(await askFor({})).toMatchObject({ featureFlags: { all: true }, errorsWhileComputingFlags: true })
  })
})
