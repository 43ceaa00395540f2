import { beforeAll, describe, expect, test } from "@jest/globals"
import type { JsonObject } from "../../src/kernel/json.js"
import { createFlagProject, type FlagProject } from "../support/flag-projects.js"
import { ownServer } from "../support/own-server.js"
import { wholeDecision } from "../support/whole-decision.js"

const ROUNDS = 200
const PERSON_FLAGS = ["has-plan", "has-source"]
const { api } = ownServer()
let project: FlagProject

beforeAll(async () => {
  project = await createFlagProject(api, "own writes")
  const conditions = { plan: "team", source: "advert" }
  for (const [key, value] of Object.entries(conditions)) {
    const properties = [{ key, type: "person", operator: "exact", value }]
    const flag = { key: `has-${key}`, filters: { groups: [{ properties }] } }
    expect((await api.post(`/api/projects/${project.id}/feature_flags/`, flag)).status).toBe(201)
  }
  await identifyGroup("first", {})
  await api.drained()
  const properties = [{ key: "tier", type: "group", group_type_index: 0, operator: "exact", value: "gold" }]
  const byTier = { key: "gold-company", filters: { groups: [{ properties }], aggregation_group_type_index: 0 } }
  expect((await api.post(`/api/projects/${project.id}/feature_flags/`, byTier)).status).toBe(201)
})

async function capture(event: string, distinctId: string, properties: JsonObject): Promise<void> {
  const { status } = await api.capture({ event, distinct_id: distinctId, properties }, project.token)
  expect(status).toBe(200)
}

const identifyGroup = (key: string, set: JsonObject): Promise<void> =>
  capture("$groupidentify", `$company_${key}`, { $group_type: "company", $group_key: key, $group_set: set })

async function flagsOf(distinctId: string, groups: JsonObject = {}): Promise<JsonObject> {
  const asked = {
    api_key: project.token,
    distinct_id: distinctId,
    groups,
    flag_keys: groups.company ? [] : PERSON_FLAGS,
  }
  return (await wholeDecision(api, asked)).featureFlags
}

describe("a decision right after the 200 of a capture call", () => {
  test(`sees what was set, ${ROUNDS} persons after each other and side by side`, async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async (_unused, lane) => {
        const seen: unknown[] = []
        for (let round = 0; round < ROUNDS / 8; round++) {
          const id = `set-${lane}-${round}`
          await capture("signed up", id, { $set: { plan: "team" } })
          seen.push((await flagsOf(id))["has-plan"])
        }
        return seen
      }),
    )
    expect(outcomes.flat().filter((seen) => seen !== true)).toEqual([])
  })

  test("sees each change of one person, however fast they follow each other", async () => {
    const seen: unknown[] = []
    for (let round = 0; round < 60; round++) {
      const plan: JsonObject =
        round % 3 === 0
          ? { $set: { plan: "team" } }
          : round % 3 === 1
            ? { $unset: ["plan"] }
            : { $set: { plan: "free" } }
      await capture("$set", "changing", plan)
      seen.push((await flagsOf("changing"))["has-plan"] === (round % 3 === 0))
    }
    expect(seen.filter((right) => !right)).toEqual([])
  })

  test("sees what an anonymous id had set once it is identified, stored or not", async () => {
    for (let round = 0; round < 20; round++) {
      await capture("landed", `anonymous-${round}`, { $set_once: { source: "advert" } })
      if (round % 2 === 0) await api.drained()
      await capture("$identify", `user-${round}`, { $anon_distinct_id: `anonymous-${round}`, $set: { plan: "team" } })
      expect(await flagsOf(`user-${round}`)).toEqual({ "has-plan": true, "has-source": true })
    }
  })

  test("sees what was set by another id of the same person", async () => {
    await capture("$create_alias", "phone", { alias: "laptop" })
    await api.drained()
    await capture("upgraded", "phone", { $set: { plan: "team" } })
    expect((await flagsOf("laptop"))["has-plan"]).toBe(true)
  })

  test("goes on seeing it after it was stored, and sees later changes", async () => {
    await capture("signed up", "stored", { $set: { plan: "team" } })
    await api.drained()
    expect((await flagsOf("stored"))["has-plan"]).toBe(true)
    await capture("left", "stored", { $set: { plan: "free" } })
    expect((await flagsOf("stored"))["has-plan"]).toBe(false)
    await api.drained()
    expect((await flagsOf("stored"))["has-plan"]).toBe(false)
  })

  test("sees what was set of a group, new or stored, in each of several changes", async () => {
    const seen: unknown[] = []
    for (let round = 0; round < 40; round++) {
      const company = round % 4 === 3 ? "first" : `company-${round}`
      await identifyGroup(company, { tier: "gold", round })
      seen.push((await flagsOf("u", { company }))["gold-company"])
      await identifyGroup(company, { tier: "free" })
      seen.push((await flagsOf("u", { company }))["gold-company"])
    }
    expect(seen).toEqual(Array.from({ length: 80 }, (_unused, at) => at % 2 === 0))
    await api.drained()
    expect((await flagsOf("u", { company: "first" }))["gold-company"]).toBe(false)
  })

  test("sees a group whose type nobody had named before, stored or not", async () => {
    const properties = [{ key: "tier", type: "group", group_type_index: 1, operator: "exact", value: "gold" }]
    const filters = { groups: [{ properties }], aggregation_group_type_index: 1 }
    await api.post(`/api/projects/${project.id}/feature_flags/`, { key: "gold-shop", filters })
    const flag = async () => (await flagsOf("u", { company: "first", shop: "s" }))["gold-shop"]
    expect(await flag()).toBe(false)
    const set = { $group_type: "shop", $group_key: "s", $group_set: { tier: "gold" } }
    await capture("$groupidentify", "$shop_s", set)
    expect(await flag()).toBe(true)
    await api.drained()
    for (let round = 0; round < 40; round++) expect(await flag()).toBe(true)
  })

  test("gives new types of groups the places that ingestion gives them, whatever named them first", async () => {
    const { id, token } = await createFlagProject(api, "types by any event")
    for (const index of [0, 1, 2]) {
      const properties = [{ key: "tier", type: "group", group_type_index: index, operator: "exact", value: "gold" }]
      const filters = { groups: [{ properties }], aggregation_group_type_index: index }
      const flag = { key: `gold-${index}`, filters }
      expect((await api.post(`/api/projects/${id}/feature_flags/`, flag)).status).toBe(201)
    }
    const $group_set = { tier: "gold" }
    const batch = [
      { event: "bought", distinct_id: "u", properties: { $groups: { region: "north", team: "t" } } },
      { event: "$groupidentify", distinct_id: "u", properties: { $group_type: "shop", $group_key: "s", $group_set } },
    ]
    expect((await api.post("/batch/", { api_key: token, batch })).status).toBe(200)
    const decided = async () =>
      (await wholeDecision(api, { api_key: token, distinct_id: "u", groups: { shop: "s" } })).featureFlags
    const expected = { "gold-0": false, "gold-1": false, "gold-2": true }
    expect(await decided()).toEqual(expected)
    await api.drained()
    expect(await decided()).toEqual(expected)
  })
})
