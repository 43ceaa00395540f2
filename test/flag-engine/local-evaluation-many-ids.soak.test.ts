import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { presentDefinitions } from "../../src/features/flags/present/definitions.js"
import { evaluateFlags } from "../../src/flag-engine/evaluate/evaluate-flags.js"
import { factsOf, rulesOf } from "./flag-builders.js"
import { MANY_FLAGS, requireCaller } from "./local-evaluation-many-flags.js"
import { hashWithoutThreads, LocalSdk } from "./local-evaluation-sdk.js"

const IDS = 100_000
/** Each hundred ids are asked about one part of the flags, in turn: the SDK needs two minutes for all of them. */
const PARTS = 8
/** As many differences as a failure shows. */
const SHOWN = 20

describe(`${MANY_FLAGS.flags.length} flags for ${IDS.toLocaleString("en")} ids`, () => {
  const rules = rulesOf(MANY_FLAGS)
  const nowMs = Date.now()
  let sdk: LocalSdk
  let hashAsBefore: () => void
  beforeAll(async () => {
    hashAsBefore = hashWithoutThreads()
    sdk = await LocalSdk.with(presentDefinitions(rules.document, true))
  })
  afterAll(async () => {
    await sdk.close()
    hashAsBefore()
  })

  test("get the value and the payload that posthog-node works out by itself", async () => {
    const keysOfPart = Array.from({ length: PARTS }, (_, part) =>
      rules.flags.map(({ key }) => key).filter((_key, index) => index % PARTS === part),
    )
    const differences: object[] = []
    const decided = new Map<string, number>()
    const seen = new Map<string, Set<unknown>>()
    for (let number = 0; number < IDS; number++) {
      const { deviceId, ...caller } = requireCaller(number, nowMs)
      const facts = factsOf(caller, rules.document.groupTypes, { nowMs, deviceId })
      const part = keysOfPart[Math.floor(number / 100) % PARTS] ?? []
      const ours = evaluateFlags(rules, rules.flags, facts)
      const theirs = await sdk.decide(caller, part)
      for (const { key, variant, enabled, payload } of ours) {
        const theirValue = theirs.flags[key]
        if (theirValue === undefined) continue
        const value = variant ?? enabled
        const parsed = typeof payload === "string" ? JSON.stringify(JSON.parse(payload)) : undefined
        if (value !== theirValue || parsed !== JSON.stringify(theirs.payloads[key]))
          differences.push({ key, number, caller, ours: { value, payload }, theirs: theirValue })
        decided.set(key, (decided.get(key) ?? 0) + 1)
        const values = seen.get(key) ?? new Set()
        seen.set(key, values.add(value))
      }
    }
    expect({ count: differences.length, first: differences.slice(0, SHOWN) }).toEqual({ count: 0, first: [] })

    // The comparison would be empty if the SDK left most of it undecided, or if a flag had one answer for everybody.
    const rarelyDecided = MANY_FLAGS.flags.filter(({ key }) => (decided.get(key ?? "") ?? 0) < IDS / PARTS / 2)
    expect(rarelyDecided.map(({ key }) => key)).toEqual([])
    const constant = [...seen].filter(([, values]) => values.size === 1).map(([key]) => key)
    expect(constant.sort()).toEqual(["nobody", "pattern-of-nothing", "rollout-without-number"])
  }, 400_000)
})
