import { readFileSync } from "node:fs"
import { createRuleCompiler } from "../../src/flag-engine/compile/compile-rules.js"
import type { CompiledRules } from "../../src/flag-engine/compile/compiled-rules.types.js"
import { buildRules } from "../../src/flag-engine/definition/build-rules.js"
import type {
  GroupType,
  RuleDocument,
  RuleSource,
  StoredFlag,
} from "../../src/flag-engine/definition/rule-document.types.js"
import { evaluateFlags } from "../../src/flag-engine/evaluate/evaluate-flags.js"
import type { EvaluationFacts, GroupSource } from "../../src/flag-engine/evaluation.types.js"
import type { FlagResult } from "../../src/flag-engine/results/flag-result.types.js"
import { asProjectId } from "../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../src/kernel/json.js"

/** Reads one of the language-neutral case files beside this one. */
export const readCases = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`./cases/${name}.json`, import.meta.url), "utf8")) as T

/** A flag as the case files write it: only what the case is about. */
export interface FlagSketch {
  readonly id?: number
  readonly key?: string
  readonly name?: string
  readonly version?: number
  readonly active?: boolean
  readonly filters: Json
  readonly ensure_experience_continuity?: boolean
  readonly bucketing_identifier?: "distinct_id" | "device_id"
  readonly evaluationRuntime?: StoredFlag["evaluationRuntime"]
  readonly evaluationContexts?: StoredFlag["evaluationContexts"]
}

export const storedFlag = (sketch: FlagSketch, index = 0): StoredFlag => ({
  id: sketch.id ?? 1000 + index,
  key: sketch.key ?? `flag-${index}`,
  name: sketch.name ?? "",
  version: sketch.version ?? 1,
  active: sketch.active ?? true,
  isRemoteConfiguration: false,
  filters: sketch.filters,
  ensureExperienceContinuity: sketch.ensure_experience_continuity ?? false,
  bucketingIdentifier: sketch.bucketing_identifier ?? "distinct_id",
  evaluationRuntime: sketch.evaluationRuntime ?? "all",
  evaluationContexts: sketch.evaluationContexts ?? [],
})

export interface RulesSketch extends Partial<Omit<RuleSource, "flags">> {
  readonly flags: readonly FlagSketch[]
}

const compiler = createRuleCompiler()

/** Builds and compiles rules, through JSON as the rule cache does. */
export const rulesOf = (sketch: RulesSketch): CompiledRules => compiler.compile(documentOf(sketch))

export function documentOf(sketch: RulesSketch): RuleDocument {
  const document = buildRules({
    projectId: asProjectId(1),
    version: 1,
    timeZone: "UTC",
    groupTypes: [{ index: 0, name: "organization" }],
    cohorts: [],
    ...sketch,
    flags: sketch.flags.map(storedFlag),
  })
  return JSON.parse(JSON.stringify(document))
}

export interface CallerSketch {
  readonly distinct_id?: string
  readonly person_properties?: JsonObject
  readonly groups?: Record<string, string | number>
  readonly group_properties?: Record<string, JsonObject>
}

const NOTHING_STORED = { stored: {}, unavailable: null }

/** The facts of a caller who sent everything in the request. */
export function factsOf(
  caller: CallerSketch,
  groupTypes: readonly GroupType[] = [{ index: 0, name: "organization" }],
  more: Partial<EvaluationFacts> = {},
): EvaluationFacts {
  const groups = new Map<number, GroupSource>()
  for (const { index, name } of groupTypes) {
    const key = caller.groups?.[name]
    if (key === undefined) continue
    groups.set(index, { key: String(key), overrides: caller.group_properties?.[name] ?? {}, ...NOTHING_STORED })
  }
  return {
    nowMs: Date.parse("2026-03-01T12:00:00Z"),
    distinctId: caller.distinct_id ?? "user-1",
    deviceId: null,
    anonymousDistinctId: null,
    person: { overrides: caller.person_properties ?? {}, ...NOTHING_STORED },
    personCreatedAt: null,
    groups,
    staticCohortIds: new Set(),
    hashKeys: new Map(),
    ...more,
  }
}

/** Results by flag key. */
export function evaluate(rules: CompiledRules, facts: EvaluationFacts): Map<string, FlagResult> {
  const results = evaluateFlags(rules, rules.flags, facts)
  return new Map(results.map((result) => [result.key, result]))
}

/** The result of the only flag of the rules. */
export function evaluateOne(filters: Json, facts: EvaluationFacts, rules: Partial<RulesSketch> = {}): FlagResult {
  const result = evaluate(rulesOf({ ...rules, flags: [{ filters, key: "k" }] }), facts).get("k")
  if (result === undefined) throw new Error("the flag has no result")
  return result
}
