import {
  compileCondition,
  compileContextOf,
  createScope,
  FlagHash,
  type RuleDocument,
  readFlagDefinition,
  type StoredCohort,
} from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { factsOfGroup, factsOfPerson, type Subject } from "./flag-audience.facts.js"
import type { SubjectSamples } from "./subject-samples.store.js"

/** How many of a project's persons or groups a release condition is about, whatever its rollout. */
export interface ConditionReach {
  readonly affected: number
  readonly total: number
  /** Whether `affected` is worked out from a part of them. */
  readonly isEstimated: boolean
}

/** Says how many a release condition is about before it is saved. */
export interface FlagAudience {
  /**
   * @param condition as in `filters.groups`; its properties count, its rollout does not.
   * @param groupTypeIndex counts groups of that type; null counts persons.
   * @throws AppError invalid_input naming the field; store_unavailable.
   */
  reachOf(projectId: ProjectId, condition: Json, groupTypeIndex: number | null): Promise<ConditionReach>
}

export interface FlagReachDependencies {
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly samples: SubjectSamples
  readonly cohortsOf: (projectId: ProjectId) => Promise<readonly StoredCohort[]>
  /** Checks a definition as it would be saved. @throws AppError invalid_input. */
  readonly check: (projectId: ProjectId, filters: Json) => Promise<unknown>
  readonly clock: Clock
}

/** Persons or groups that a condition is tried on; more would hold up the process for longer than an answer is worth. */
const MAX_TRIED = 5_000

/** Makes the use case that says how far a condition reaches, by the rules that decisions are made from. */
export function createFlagAudience({ rules, samples, cohortsOf, check, clock }: FlagReachDependencies): FlagAudience {
  return {
    reachOf: async (projectId, condition, groupTypeIndex) => {
      const filters = { groups: [condition], aggregation_group_type_index: groupTypeIndex }
      await check(projectId, filters)
      const compiled = await rules.rulesFor(projectId)
      if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
      // Cohorts that no flag asks for yet are not among the rules.
      const document = { ...compiled.document, cohorts: await cohortsOf(projectId) }
      const holdsFor = testOf(filters, document, groupTypeIndex, clock.now())
      const { total, subjects } =
        groupTypeIndex === null
          ? await samples.persons(projectId, MAX_TRIED)
          : await samples.groups(projectId, groupTypeIndex, MAX_TRIED)
      const matching = subjects.filter(holdsFor).length
      const isEstimated = subjects.length > 0 && subjects.length < total
      const affected = isEstimated ? Math.round((matching / subjects.length) * total) : matching
      return { affected, total, isEstimated }
    },
  }
}

/** Whether a condition holds for somebody; filters on other flags hold for nobody, as those flags are not evaluated. */
function testOf(
  filters: Json,
  document: RuleDocument,
  groupTypeIndex: number | null,
  nowMs: number,
): (subject: Subject) => boolean {
  const [condition] = readFlagDefinition(filters).conditions
  if (condition === undefined) return () => false
  const rollout = new FlagHash("", "")
  const bucketing = { flagKey: "", identifier: "distinct_id", continuity: false, rollout } as const
  const { test } = compileCondition({ ...condition, rolloutPercentage: 100 }, bucketing, compileContextOf(document))
  return (subject) => {
    const facts = groupTypeIndex === null ? factsOfPerson(subject, nowMs) : factsOfGroup(subject, groupTypeIndex, nowMs)
    const scope = createScope(facts, 0)
    return test(scope) === "condition_match" && scope.fault === null
  }
}
