import { afterAll, describe, expect, test } from "@jest/globals"
import { PostHog } from "posthog-node"
import { presentDefinitions } from "../../src/features/flags/present/definitions.js"
import type { Json, JsonObject } from "../../src/kernel/json.js"
import {
  type CallerSketch,
  evaluate,
  type FlagSketch,
  factsOf,
  type RulesSketch,
  readCases,
  rulesOf,
} from "./flag-builders.js"

/** A real SDK that is fed with our definitions and may ask nobody else. */
class LocalSdk {
  readonly #clients: PostHog[] = []

  async flagsOf(definitions: JsonObject, caller: CallerSketch): Promise<Record<string, Json | undefined>> {
    const client = new PostHog("phc_TEST", {
      host: "http://127.0.0.1:9",
      personalApiKey: "phx_TEST",
      fetch: async () => new Response(JSON.stringify(definitions), { status: 200 }),
    })
    this.#clients.push(client)
    await client.reloadFeatureFlags()
    const groups = Object.fromEntries(Object.entries(caller.groups ?? {}).map(([type, key]) => [type, String(key)]))
    return client.getAllFlags(caller.distinct_id ?? "user-1", {
      onlyEvaluateLocally: true,
      disableGeoip: true,
      groups,
      personProperties: caller.person_properties as Record<string, string>,
      groupProperties: caller.group_properties as Record<string, Record<string, string>>,
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.shutdown()))
  }
}

interface EvaluationCase {
  readonly id: string
  readonly definitions: { readonly flags: FlagSketch[]; readonly group_type_mapping?: Record<string, string> }
  readonly context: CallerSketch
  readonly expected: { readonly flags: Record<string, { local_evaluation: string }> }
}

describe("a real SDK that evaluates our definitions itself", () => {
  const sdk = new LocalSdk()
  afterAll(() => sdk.close())

  const expectAgreement = async (sketch: RulesSketch, caller: CallerSketch) => {
    const rules = rulesOf(sketch)
    const ours = [...evaluate(rules, factsOf(caller, rules.document.groupTypes)).values()]
    const theirs = await sdk.flagsOf(presentDefinitions(rules.document, true), caller)
    const decided = ours.filter(({ key }) => theirs[key] !== undefined)
    expect(Object.fromEntries(decided.map(({ key }) => [key, theirs[key]]))).toEqual(
      Object.fromEntries(decided.map(({ key, variant, enabled }) => [key, variant ?? enabled])),
    )
    return decided.length
  }

  const { cases } = readCases<{ cases: EvaluationCase[] }>("flag-evaluation")
  const conclusive = cases.filter(({ expected }) =>
    Object.values(expected.flags).every(({ local_evaluation }) => local_evaluation === "conclusive"),
  )
  test.each(conclusive.map((one) => [one.id, one] as const))("agrees on %s", async (_, { definitions, context }) => {
    const mapping = Object.entries(definitions.group_type_mapping ?? {})
    const groupTypes = mapping.map(([index, name]) => ({ index: Number(index), name }))
    const decided = await expectAgreement({ flags: definitions.flags, groupTypes }, context)
    expect(decided).toBe(definitions.flags.length)
  })

  test("agrees on rollouts, variants, cohorts and dependencies of many users", async () => {
    const property = (key: string, value: Json): Json => ({ key, type: "person", operator: "exact", value })
    const cohort = {
      id: 5,
      isStatic: false,
      filters: { properties: { type: "OR", values: [property("plan", "pro")] } },
    }
    const inCohort = { key: "id", type: "cohort", operator: "in", value: 5 }
    const onBase = { key: "1", type: "flag", operator: "flag_evaluates_to", value: "b" }
    const variants = ["a", "b", "c"].map((key) => ({ key, rollout_percentage: 30 }))
    const flags: FlagSketch[] = [
      {
        id: 1,
        key: "base",
        filters: { groups: [{ properties: [], rollout_percentage: 80 }], multivariate: { variants } },
      },
      { id: 2, key: "top", filters: { groups: [{ properties: [onBase], rollout_percentage: 50 }] } },
      { id: 3, key: "paying", filters: { groups: [{ properties: [inCohort], rollout_percentage: 100 }] } },
    ]
    for (let user = 0; user < 40; user++) {
      const caller = { distinct_id: `žluťoučký-${user}`, person_properties: { plan: user % 2 === 0 ? "pro" : "free" } }
      expect(await expectAgreement({ flags, cohorts: [cohort] }, caller)).toBe(3)
    }
  })
})
