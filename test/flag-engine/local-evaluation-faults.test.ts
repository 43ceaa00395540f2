import { describe, expect, test } from "@jest/globals"
import { presentDefinitions } from "../../src/features/flags/present/definitions.js"
import type { Json, JsonObject } from "../../src/kernel/json.js"
import { type CallerSketch, evaluate, factsOf, rulesOf } from "./flag-builders.js"
import { LocalSdk } from "./local-evaluation-sdk.js"

interface Fault {
  /** What the server rule says that the SDK does not do. */
  readonly rule: string
  readonly filters: JsonObject
  readonly caller: CallerSketch
  readonly ours: Json
  readonly theirs: Json
}

const whenProperty = (operator: string, value: Json): JsonObject => ({
  groups: [{ properties: [{ key: "p", type: "person", operator, value }], rollout_percentage: 100 }],
})
const having = (value: Json): CallerSketch => ({ person_properties: { p: value } })
const share = (percentage: number): JsonObject => ({ groups: [{ properties: [], rollout_percentage: percentage }] })
const inCohort: JsonObject = {
  groups: [
    { properties: [{ key: "id", type: "cohort", operator: "in", value: 5 }], rollout_percentage: 100 },
  ] as JsonObject[],
}
const LONG_ID = `${"x".repeat(200)}-everything-from-here-on-is-cut`

const FAULTS: readonly Fault[] = [
  {
    rule: "numeric operators compare numbers only, never text",
    filters: whenProperty("gt", "abc"),
    caller: having("abd"),
    ours: false,
    theirs: true,
  },
  {
    rule: "text is a number only as a whole",
    filters: whenProperty("lt", 20),
    caller: having("12 monkeys"),
    ours: false,
    theirs: true,
  },
  {
    rule: "a pre-release comes before its release",
    filters: whenProperty("semver_lt", "2.0.0"),
    caller: having("2.0.0-beta.1"),
    ours: true,
    theirs: false,
  },
  {
    rule: "a version of four parts is none",
    filters: whenProperty("semver_eq", "1.2.3"),
    caller: having("1.2.3.4"),
    ours: false,
    theirs: true,
  },
  {
    rule: "a number beside a date operator is Unix seconds",
    filters: whenProperty("is_date_after", "2020-01-01"),
    caller: having(1_700_000_000),
    ours: true,
    theirs: false,
  },
  {
    rule: "the text form of a list is compact JSON",
    filters: whenProperty("icontains", '["a"]'),
    caller: having(["a"]),
    ours: true,
    theirs: false,
  },
  {
    rule: "an identifier is cut to 200 code points before it is hashed",
    filters: share(50),
    caller: { distinct_id: LONG_ID },
    ours: true,
    theirs: false,
  },
  {
    rule: "enrolment decides before the conditions",
    filters: { ...share(0), feature_enrollment: true },
    caller: { person_properties: { "$feature_enrollment/k": "true" } },
    ours: true,
    theirs: false,
  },
  {
    rule: "the older form of a holdout holds out as well",
    filters: { ...share(0), holdout_groups: [{ properties: [], rollout_percentage: 100, variant: "holdout-7" }] },
    caller: {},
    ours: "holdout-7",
    theirs: false,
  },
  {
    rule: "cohorts are about persons, also in a flag about groups",
    filters: { ...inCohort, aggregation_group_type_index: 0 },
    caller: {
      person_properties: { plan: "pro" },
      groups: { organization: "acme" },
      group_properties: { organization: { plan: "free" } },
    },
    ours: true,
    theirs: false,
  },
]

describe("where posthog-node 5.70 decides otherwise, because it departs from the server's rules", () => {
  const cohort = {
    id: 5,
    isStatic: false,
    filters: {
      properties: { type: "AND", values: [{ key: "plan", type: "person", operator: "exact", value: "pro" }] },
    },
  }

  test.each(FAULTS)("$rule", async ({ filters, caller, ours, theirs }) => {
    const rules = rulesOf({ flags: [{ key: "k", filters }], cohorts: [cohort] })
    const result = evaluate(rules, factsOf(caller)).get("k")
    const sdk = await LocalSdk.with(presentDefinitions(rules.document, true))
    const decision = await sdk.decide(caller)
    await sdk.close()
    expect({ ours: result?.variant ?? result?.enabled, theirs: decision.flags.k }).toEqual({ ours, theirs })
  })
})
