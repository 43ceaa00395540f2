import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import pg from "pg"
import type { JsonObject } from "../../src/kernel/json.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { WaymarkProcess } from "../support/waymark-process.js"

const FLAGS = "/api/projects/@current/feature_flags/"
const directory = copyOfTemplate("server")
let postgres: EmbeddedPostgres
let server: WaymarkProcess
let api: WaymarkApi
const ids = new Map<string, number>()

const create = async (key: string, filters: JsonObject, more: JsonObject = {}): Promise<void> => {
  const { status, body } = await api.post<{ id: number }>(FLAGS, { key, filters, ...more })
  expect(status).toBe(201)
  ids.set(key, body.id)
}

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDirectory: directory.path, logger: silentLogger })
  server = new WaymarkProcess(directory.path, { DATABASE_URL: postgres.url })
  api = new WaymarkApi(await server.ready())
  const { cohort } = await api.changed<{ cohort: { id: number } }>(
    `mutation ($input: CreateCohortInput!) {
      cohort: createCohort(input: $input) { cohort { id: number } userErrors { message } } }`,
    {
      input: {
        name: "payers",
        filters: { all: [{ person: { key: "plan", value: "team" } }] },
      },
    },
  )
  await create("base", { groups: [{ properties: [] }] })
  await create("explained", {
    groups: [
      { properties: [{ key: "plan", type: "person", operator: "exact", value: "team" }], rollout_percentage: 0 },
      {
        properties: [
          { key: "id", type: "cohort", value: cohort.id },
          { key: String(ids.get("base")), type: "flag", operator: "flag_evaluates_to", value: true },
          { key: "age", type: "person", operator: "gt", value: 17 },
        ],
        rollout_percentage: 100,
      },
    ],
    multivariate: { variants: [{ key: "blue", rollout_percentage: 100 }] },
  })
  await create("asleep", { groups: [{ properties: [] }] }, { active: false })
})
afterAll(async () => {
  await server.stop()
  await postgres.stop()
  directory.remove()
})

const EXPLAIN = `query ($flag: ID!, $for: FlagExplanationInput!) {
  explainFlag(flag: $flag, for: $for) {
    key active decision { enabled variant reason { code conditionIndex } }
    conditions { index matched outcome rolloutPercentage identifier bucket
      filters { type key operator expected actual isSet matched error } } } }`

async function explain(flag: string, caller: JsonObject): Promise<JsonObject> {
  return (await api.graphql<{ explainFlag: JsonObject }>(EXPLAIN, { flag, for: { distinctId: "ada", ...caller } }))
    .explainFlag
}

describe("explainFlag", () => {
  test("says what was so at a past moment: the rules of then, the person as their last event until then has them", async () => {
    const on = (plan: string) => ({
      groups: [{ properties: [{ key: "plan", type: "person", operator: "exact", value: plan }] }],
    })
    const identify = async (plan: string): Promise<void> => {
      await api.capture({ event: "identified", distinct_id: "grace", properties: { $set: { plan } } })
      await api.drained()
    }
    const ask = async (at: string | null, distinctId = "grace"): Promise<JsonObject> => {
      const query = `query ($flag: ID!, $for: FlagExplanationInput!, $at: DateTimeISO) {
        explainFlag(flag: $flag, for: $for, at: $at) {
          active personAt decision { enabled } conditions { filters { expected actual } } } }`
      return (await api.graphql<{ explainFlag: JsonObject }>(query, { flag: "former", for: { distinctId }, at }))
        .explainFlag
    }
    const before = new Date().toISOString()
    await create("former", on("team"))
    await identify("team")
    const then = new Date().toISOString()
    await identify("solo")
    await api.patch(`${FLAGS}${ids.get("former")}/`, { filters: on("solo"), key: "renamed" })
    await api.patch(`${FLAGS}${ids.get("former")}/`, { key: "former", active: false })

    expect(await ask(null)).toMatchObject({ active: false, personAt: null, decision: null })
    expect(await ask(then)).toEqual({
      active: true,
      personAt: expect.any(String),
      decision: { enabled: true },
      conditions: [{ filters: [{ expected: "team", actual: "team" }] }],
    })
    // Nobody has heard of this one, then or now.
    expect(await ask(then, "nobody")).toMatchObject({ personAt: null, decision: { enabled: false } })
    await expect(ask(before)).rejects.toThrow("There was no such flag then.")
    await expect(ask("2999-01-01T00:00:00Z")).rejects.toThrow("must not be in the future")
    await api.patch(`${FLAGS}${ids.get("former")}/`, { deleted: true })
  })

  test("shows each condition and filter, the value compared, the bucket and the reason", async () => {
    const shown = await explain("explained", { personProperties: { plan: "team", age: 20 } })
    expect(shown).toMatchObject({
      active: true,
      decision: { enabled: true, variant: "blue", reason: { code: "CONDITION_MATCH", conditionIndex: 1 } },
      conditions: [
        {
          index: 0,
          matched: false,
          outcome: "OUT_OF_ROLLOUT_BOUND",
          identifier: "ada",
          filters: [{ key: "plan", expected: "team", actual: "team", isSet: true, matched: true }],
        },
        {
          index: 1,
          matched: true,
          outcome: "CONDITION_MATCH",
          filters: [
            { type: "COHORT", operator: "IN", actual: true, matched: true },
            { type: "FLAG", actual: true, matched: true },
            { key: "age", expected: 17, actual: 20, matched: true },
          ],
        },
      ],
    })
    const [first] = shown.conditions as { bucket: number }[]
    expect(first?.bucket).toBeGreaterThan(0)
    expect(first?.bucket).toBeLessThan(1)
  })

  test("agrees with what is decided, from stored properties too", async () => {
    await api.capture({ event: "$set", distinct_id: "grace", properties: { $set: { plan: "free", age: 12 } } })
    const shown = await explain(String(ids.get("explained")), { distinctId: "grace" })
    expect(shown).toMatchObject({
      decision: { enabled: false, reason: { code: "NO_CONDITION_MATCH" } },
      conditions: [
        { filters: [{ actual: "free", matched: false }] },
        { filters: [{ actual: false, matched: false }, { matched: true }, { actual: 12, matched: false }] },
      ],
    })
    const absent = await explain("explained", { distinctId: "nobody" })
    expect(absent.conditions).toMatchObject([{ filters: [{ actual: null, isSet: false, matched: false }] }, {}])
  })

  test("explains an inactive flag without a decision, and knows no other project's or unknown flags", async () => {
    expect(await explain("asleep", {})).toMatchObject({
      active: false,
      decision: null,
      conditions: [{ matched: true }],
    })
    await expect(explain("nothing", {})).rejects.toThrow("NOT_FOUND")
  })
})

describe("staleFeatureFlags", () => {
  const stale = async () => {
    const { staleFeatureFlags } = await api.graphql<{
      staleFeatureFlags: { flag: { key: string }; reasons: string[]; lastCalledAt: string | null }[]
    }>("{ staleFeatureFlags(days: 30) { flag { key } reasons unchangedSince lastCalledAt } }")
    return staleFeatureFlags.map(({ flag, reasons, lastCalledAt }) => [flag.key, reasons, lastCalledAt !== null])
  }

  test("lists nothing young, and old flags by what SDKs reported of them", async () => {
    expect(await stale()).toEqual([])
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query("UPDATE feature_flag SET updated_at = now() - interval '40 days' - make_interval(secs => id)")
    await client.end()
    await api.capture({ event: "$feature_flag_called", distinct_id: "ada", properties: { $feature_flag: "base" } })
    await api.drained()
    expect(await stale()).toEqual([
      ["asleep", ["INACTIVE"], false],
      ["explained", ["NOT_CALLED"], false],
      ["base", ["SAME_FOR_EVERYBODY"], true],
    ])
  })
})
