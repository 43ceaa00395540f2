import { describe, expect, test } from "@jest/globals"
import type { Json } from "../../../src/kernel/json.js"
import { evaluate, factsOf, rulesOf } from "../flag-builders.js"

const flagAbout = (key: string, operator: string, value: Json) => ({
  key,
  filters: { groups: [{ properties: [{ key: "text", type: "person", operator, value }], rollout_percentage: 100 }] },
})
const decide = (flags: ReturnType<typeof flagAbout>[], text: string) => {
  const results = evaluate(rulesOf({ flags }), factsOf({ distinct_id: "ada", person_properties: { text } }, []))
  return [...results.values()].map(({ key, enabled, error }) => [key, enabled, error])
}

/** Some 600 instructions each. */
const HEAVY = Array.from({ length: 10 }, (_, index) => `(x?y?${index}?){200}z`)
const plain = flagAbout("plain", "regex", "^x")

describe("patterns of a decision", () => {
  test("have a budget together: flags beyond it fail by name, and the others are decided", () => {
    const heavy = HEAVY.map((pattern, index) => flagAbout(`heavy-${index}`, "regex", pattern))
    const decided = decide([plain, ...heavy, flagAbout("exact", "exact", "other")], "x".repeat(1_000))
    expect(decided.at(0)).toEqual(["plain", true, null])
    expect(decided.at(-1)).toEqual(["exact", false, null])
    const failed = decided.filter(([, , error]) => error === "timeout_error")
    expect(failed.length).toBeGreaterThan(5)
    expect(failed.every(([, enabled]) => enabled === false)).toBe(true)
  })

  test("that are ordinary never reach it, fifty flags with texts of a page each", () => {
    const flags = Array.from({ length: 50 }, (_, index) => flagAbout(`flag-${index}`, "regex", `^user-${index}@.+$`))
    expect(decide(flags, "x".repeat(500)).every(([, , error]) => error === null)).toBe(true)
  })

  test("fail whichever way the operator asks, and for a text that is too long at once", () => {
    const text = "x".repeat(1_000_000)
    expect(decide([flagAbout("not", "not_regex", "abc")], text)).toEqual([["not", false, "timeout_error"]])
  })

  test("share it with long lists of parts", () => {
    const parts = Array.from({ length: 10_000 }, (_, index) => `needle ${index}`)
    const flag = flagAbout("list", "icontains_multi", parts)
    expect(decide([flag], "x".repeat(500_000))).toEqual([["list", false, "timeout_error"]])
    expect(decide([flag], "has needle 9999 in it")).toEqual([["list", true, null]])
  })

  test("have all of it again in the next decision", () => {
    const rules = rulesOf({ flags: [flagAbout("one", "regex", HEAVY[0] ?? "")] })
    const facts = factsOf({ distinct_id: "ada", person_properties: { text: "x".repeat(1_000) } }, [])
    const errors = Array.from({ length: 5 }, () => evaluate(rules, facts).get("one")?.error)
    expect(new Set(errors)).toEqual(new Set([null]))
  })
})
