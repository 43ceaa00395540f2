import type { Json, JsonObject } from "../../src/kernel/json.js"
import type { CallerSketch, FlagSketch, RulesSketch } from "./flag-builders.js"

const person = (key: string, operator: string, value: Json): JsonObject => ({ key, type: "person", operator, value })
const ofCompany = (key: string, operator: string, value: Json): JsonObject => ({
  key,
  type: "group",
  group_type_index: 0,
  operator,
  value,
})
const inCohort = (id: number, operator = "in"): JsonObject => ({ key: "id", type: "cohort", operator, value: id })
const onFlag = (id: number, value: Json): JsonObject => ({
  key: String(id),
  type: "flag",
  operator: "flag_evaluates_to",
  value,
})
const all = (...properties: JsonObject[]): JsonObject => ({ properties, rollout_percentage: 100 })
const share = (percentage: number, ...properties: JsonObject[]): JsonObject => ({
  properties,
  rollout_percentage: percentage,
})
const variants = (...shares: number[]): JsonObject => ({
  variants: shares.map((percentage, index) => ({ key: `variant-${index}`, rollout_percentage: percentage })),
})

const FILTERS: Record<string, JsonObject> = {
  "rollout-half": { groups: [share(50)], payloads: { true: '{"color":"blå"}' } },
  "rollout-nearly-nobody": { groups: [share(0.05)] },
  "rollout-fraction": { groups: [share(33.33)] },
  "rollout-without-number": { groups: [{ properties: [], rollout_percentage: null }] },
  nobody: { groups: [] },
  "three-variants": {
    groups: [share(80)],
    multivariate: variants(33, 33, 34),
    payloads: { "variant-0": "[1,2]", "variant-2": '"tre"' },
  },
  "variants-below-hundred": { groups: [share(100)], multivariate: variants(12.5, 0, 30) },
  "forced-variant": {
    groups: [
      { ...all(person("plan", "exact", "team")), variant: "variant-1" },
      { ...share(60), variant: "no-such-variant" },
    ],
    multivariate: variants(50, 50),
  },
  "exact-lists": { groups: [all(person("plan", "exact", ["PRO", "team"]))] },
  "exact-truth": { groups: [share(70, person("beta", "exact", ["true"]))] },
  "is-not": { groups: [all(person("plan", "is_not", "free"), person("beta", "is_not", false))] },
  contains: { groups: [all(person("email", "icontains", "@MAIL.example"))] },
  "contains-not": { groups: [share(90, person("email", "not_icontains", "staff"))] },
  "starts-and-ends": {
    groups: [all(person("email", "starts_with", "USER-1"), person("email", "not_ends_with", ".TEST"))],
  },
  patterns: { groups: [all(person("email", "regex", "^user-[0-9]*[02468]@")), all(person("email", "not_regex", "@"))] },
  "pattern-of-nothing": { groups: [all(person("email", "not_regex", "user-("))] },
  ages: { groups: [all(person("age", "gte", 18), person("age", "lt", "65"))] },
  scores: { groups: [all(person("score", "gt", "12.5")), all(person("score", "lte", -3))] },
  presence: {
    groups: [all(person("email", "is_set", "is_set"), person("age", "gt", 40)), all(person("email", "is_not_set", ""))],
  },
  versions: {
    groups: [
      all(person("version", "semver_gte", "2.0.0"), person("version", "semver_lt", "v9")),
      all(person("version", "semver_tilde", "1.2.3")),
      all(person("version", "semver_caret", "0.9")),
      all(person("version", "semver_wildcard", "1.4.*")),
    ],
  },
  dates: {
    groups: [
      all(person("signed_up", "is_date_after", "-30d"), person("signed_up", "is_date_before", "-3d")),
      all(person("signed_up", "is_date_before", "2025-06-01")),
    ],
  },
  "early-exit": { groups: [share(40, person("plan", "exact", "pro")), all()], early_exit: true },
  holdout: { groups: [share(50)], multivariate: variants(50, 50), holdout: { id: 7, exclusion_percentage: 10 } },
  "per-company": {
    aggregation_group_type_index: 0,
    groups: [share(55, ofCompany("tier", "exact", "gold")), share(20)],
    multivariate: variants(40, 60),
  },
  "company-or-person": {
    groups: [
      { ...share(50, ofCompany("tier", "icontains", "GO")), aggregation_group_type_index: 0 },
      share(25, person("plan", "exact", "free")),
    ],
  },
  "in-cohort": { groups: [all(inCohort(1))] },
  "outside-cohort": { groups: [share(75, inCohort(2, "not_in"))] },
  "base-of-others": { groups: [share(80)], multivariate: variants(40, 40, 20) },
  "on-any-value": { groups: [share(50, onFlag(28, true))] },
  "on-off": { groups: [all(onFlag(28, false)), all(onFlag(29, true), person("plan", "exact", "pro"))] },
  "on-variant": { groups: [share(90, onFlag(28, "variant-1"), person("age", "gte", 30))] },
  "per-device": { groups: [share(50)], multivariate: variants(50, 50) },
}

const MORE: Record<string, Partial<FlagSketch>> = { "per-device": { bucketing_identifier: "device_id" } }

/** Flags of every kind that the SDK evaluates itself; ids count from 1 in the order above, as dependencies name them. */
export const MANY_FLAGS: RulesSketch = {
  groupTypes: [{ index: 0, name: "company" }],
  flags: Object.entries(FILTERS).map(([key, filters], index) => ({ id: index + 1, key, filters, ...MORE[key] })),
  cohorts: [
    {
      id: 1,
      isStatic: false,
      filters: {
        properties: {
          type: "OR",
          values: [
            { type: "AND", values: [person("plan", "exact", "pro"), person("age", "gte", 30)] },
            { type: "AND", values: [person("email", "icontains", ".test"), inCohort(2)] },
          ],
        },
      },
    },
    {
      id: 2,
      isStatic: false,
      filters: {
        properties: {
          type: "AND",
          values: [{ ...person("plan", "exact", "free"), negation: true }, person("beta", "exact", "true")],
        },
      },
    },
  ],
}

const PLANS: Json[] = ["free", "pro", "Team", "TEAM", null, "ПРО", 2.5]
const BETAS: Json[] = [true, false, "true", "FALSE", "banana", 0.5, null, ["true", true], []]
const AGES: Json[] = [17, 18, 29.5, "30", 41, "64.9", 65, 1e3]
const SCORES: Json[] = ["12.5", "12.51", 13, -3, "-3.01", 0]
const VERSIONS: Json[] = ["1.2.3", "1.2.9", "v2.0", "0.9.12", "0.10.0", "1.4", "8.99.99", "9.0.0", "10.0.1", 1.4]
const DOMAINS = ["mail.example", "Mail.Example", "staff.example", "mail.test", "почта.example"]
const COMPANIES = ["acme", "Åkeri & Söner", "42", "株式会社"]
const TIERS: Json[] = ["gold", "Gold", "silver", null, "golden"]
const DAY_MS = 86_400_000

/**
 * The caller of a number: ids, properties and groups that differ from one to the next but not from run to run. Every
 * seventh leaves a property out, which the SDK then leaves undecided.
 */
export function requireCaller(number: number, nowMs: number): CallerSketch & { readonly deviceId: string } {
  const mixed = Math.imul(number + 1, 2_654_435_761) >>> 0
  const pick = <T>(from: readonly T[], salt: number): T => from[(mixed >>> salt) % from.length] as T
  const deviceId = `device-${mixed % 5_000}`
  const properties: JsonObject = {
    $device_id: deviceId,
    email: `user-${number}@${pick(DOMAINS, 3)}`,
    plan: pick(PLANS, 1),
    beta: pick(BETAS, 4),
    age: pick(AGES, 2),
    score: pick(SCORES, 6),
    version: pick(VERSIONS, 5),
    // Half a day off every bound, so that the time the test takes does not count.
    signed_up: new Date(nowMs - ((mixed % 60) + 0.5) * DAY_MS).toISOString(),
  }
  if (number % 7 === 0) delete properties[pick(["plan", "beta", "age", "version"], 7)]
  const company = pick(COMPANIES, 8)
  return {
    distinct_id: number % 3 === 0 ? `žluťoučký-${number}-🐎` : `0192-${mixed.toString(16)}-${number}`,
    deviceId,
    person_properties: properties,
    ...(number % 5 !== 0 && { groups: { company }, group_properties: { company: { tier: pick(TIERS, 9) } } }),
  }
}
