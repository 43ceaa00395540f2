import { createRuleCompiler } from "../../src/flag-engine/compile/compile-rules.js"
import type { CompiledRules } from "../../src/flag-engine/compile/compiled-rules.types.js"
import { buildRules } from "../../src/flag-engine/definition/build-rules.js"
import type { RuleDocument, StoredCohort } from "../../src/flag-engine/definition/rule-document.types.js"
import { evaluateFlags } from "../../src/flag-engine/evaluate/evaluate-flags.js"
import type { EvaluationFacts } from "../../src/flag-engine/evaluation.types.js"
import { asProjectId } from "../../src/kernel/ids.js"
import type { Json } from "../../src/kernel/json.js"

const person = (key: string, operator: string, value: Json): Json => ({ key, type: "person", operator, value })
const everybody = (...properties: Json[]): Json => ({ properties, rollout_percentage: 100 })

/** One flag of each kind; all of them decide for the person below. */
const KINDS: Readonly<Record<string, Json>> = {
  rollout: { groups: [{ properties: [], rollout_percentage: 50 }] },
  property: { groups: [everybody(person("plan", "exact", ["team", "business"]))] },
  regex: { groups: [everybody(person("email", "regex", "^[a-z0-9.-]+@(mail|post)\\.example$"))] },
  date: { groups: [everybody(person("signed_up", "is_date_after", "-30d"))] },
  version: { groups: [everybody(person("version", "semver_gte", "2.1.0"))] },
  cohort: { groups: [everybody({ key: "id", type: "cohort", operator: "in", value: 1 })] },
  multivariate: {
    groups: [{ properties: [], rollout_percentage: 100 }],
    multivariate: { variants: ["a", "b", "c"].map((key, at) => ({ key, rollout_percentage: [34, 33, 33][at] ?? 0 })) },
  },
}

const COHORT: StoredCohort = {
  id: 1,
  isStatic: false,
  filters: {
    properties: {
      type: "OR",
      values: [
        { type: "AND", values: [person("plan", "exact", "pro"), person("age", "gte", 18)] },
        { type: "AND", values: [person("plan", "exact", "team"), person("age", "lt", 65)] },
      ],
    },
  },
}

const IDS = Array.from({ length: 1_000 }, (_, index) => `visitor-${index}`)
const ROUNDS = 200
const PASSES = 5

/** Microseconds of one decision by kind: the best of a few passes over 1,000 ids, each long enough to be warm. */
export function microsecondsByKind(): [string, number][] {
  return Object.entries(KINDS).map(([kind, filters]) => {
    const rules = createRuleCompiler().compile(documentOf([filters]))
    const facts = IDS.map(factsOf)
    const passes = Array.from({ length: PASSES }, () => microsecondsOf(rules, facts))
    return [kind, Math.min(...passes)]
  })
}

function microsecondsOf(rules: CompiledRules, facts: readonly EvaluationFacts[]): number {
  const startedAt = performance.now()
  for (let round = 0; round < ROUNDS; round++) for (const one of facts) evaluateFlags(rules, rules.flags, one)
  return ((performance.now() - startedAt) * 1_000) / (ROUNDS * facts.length)
}

/** Milliseconds to make rules of so many flags ready from their stored text, as a process does that never saw them. */
export function millisecondsToLoad(flags: number): number {
  const kinds = Object.values(KINDS)
  const text = JSON.stringify(
    documentOf(Array.from({ length: flags }, (_, index) => kinds[index % kinds.length] ?? null)),
  )
  const startedAt = performance.now()
  createRuleCompiler().compile(JSON.parse(text))
  return performance.now() - startedAt
}

const documentOf = (filters: readonly Json[]): RuleDocument =>
  buildRules({
    projectId: asProjectId(1),
    version: 1,
    timeZone: "UTC",
    groupTypes: [],
    cohorts: [COHORT],
    flags: filters.map((one, index) => ({
      id: index + 1,
      key: `flag-${index}`,
      name: "",
      version: 1,
      active: true,
      isRemoteConfiguration: false,
      filters: one,
      ensureExperienceContinuity: false,
      bucketingIdentifier: "distinct_id",
      evaluationRuntime: "all",
      evaluationContexts: [],
    })),
  })

const factsOf = (distinctId: string): EvaluationFacts => ({
  nowMs: Date.now(),
  distinctId,
  deviceId: null,
  anonymousDistinctId: null,
  person: {
    overrides: {
      plan: "team",
      age: 41,
      email: `${distinctId}@mail.example`,
      version: "2.4.1",
      signed_up: new Date(Date.now() - 5 * 86_400_000).toISOString(),
    },
    stored: {},
    unavailable: null,
  },
  personCreatedAt: null,
  groups: new Map(),
  staticCohortIds: new Set(),
  hashKeys: new Map(),
})
