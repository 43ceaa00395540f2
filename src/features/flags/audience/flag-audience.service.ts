import {
  evaluateFlags,
  type RuleCompiler,
  type StoredCohort,
  tryReadFlagDefinition,
} from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import { YieldBudget, yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"
import type { Flag } from "../flags.types.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { type LooseCondition, toConditionDocument } from "./condition-document.js"
import { toGroupFacts, toPersonFacts } from "./flag-audience.facts.js"
import type { SubjectSamples } from "./subject-samples.store.js"

/** How many of a project's persons or groups a release condition is about, whatever its rollout. */
export interface AudienceEstimate {
  readonly affected: number
  readonly total: number
  /** Whether `affected` is worked out from a part of them. */
  readonly isEstimated: boolean
  /** Type of the groups that are counted; null where persons are. */
  readonly groupTypeIndex: number | null
}

/** Says how many release conditions are about. */
export interface FlagAudience {
  /**
   * Before it is saved.
   * @param condition as in `filters.groups`; its properties count, its rollout does not.
   * @param groupTypeIndex counts groups of that type; null counts persons.
   * @throws AppError invalid_input naming the field; store_unavailable.
   */
  estimate(projectId: ProjectId, condition: Json, groupTypeIndex: number | null): Promise<AudienceEstimate>
  /** Of flags as they are stored, for each its conditions in stored order. @throws AppError store_unavailable. */
  estimateMany(projectId: ProjectId, flags: readonly Pick<Flag, "filters">[]): Promise<AudienceEstimate[][]>
}

export interface FlagAudienceDependencies {
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly samples: SubjectSamples
  readonly cohorts: { listAll(projectId: ProjectId): Promise<readonly StoredCohort[]> }
  /** Checks a definition as it would be saved. @throws AppError invalid_input. */
  readonly check: (projectId: ProjectId, filters: Json) => Promise<unknown>
  readonly compiler: RuleCompiler
  readonly clock: Clock
}

/** Persons or groups that a condition is tried on; more would hold up the process for longer than an answer is worth. */
const MAX_TRIED = 5_000
/** Evaluations between two looks at what else there is to do. */
const TRIED_AT_ONCE = 5_000

/** Makes the use case that says how far conditions reach, by the rules that decisions are made from. */
export function createFlagAudience(dependencies: FlagAudienceDependencies): FlagAudience {
  const { rules, samples, cohorts, check, compiler, clock } = dependencies

  const measure = async (
    projectId: ProjectId,
    conditions: readonly LooseCondition[],
  ): Promise<(AudienceEstimate | undefined)[]> => {
    const compiled = await rules.rulesFor(projectId)
    if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
    const document = toConditionDocument(compiled.document, await cohorts.listAll(projectId), conditions)
    const conditionRules = compiler.compile(document)
    const nowMs = clock.now()
    const budget = new YieldBudget(TRIED_AT_ONCE)
    const estimates: AudienceEstimate[] = []
    for (const [groupTypeIndex, own] of Map.groupBy(conditions.entries(), ([, one]) => one.groupTypeIndex)) {
      const { total, subjects } =
        groupTypeIndex === null
          ? await samples.persons(projectId, MAX_TRIED)
          : await samples.groups(projectId, groupTypeIndex, MAX_TRIED)
      const matching = new Map(own.map(([index]) => [index, 0]))
      for (const subject of subjects) {
        const facts =
          groupTypeIndex === null ? toPersonFacts(subject, nowMs) : toGroupFacts(subject, groupTypeIndex, nowMs)
        for (const { id, enabled } of evaluateFlags(conditionRules, conditionRules.flags, facts))
          if (enabled && matching.has(id)) matching.set(id, (matching.get(id) ?? 0) + 1)
        if (budget.spend(conditions.length)) await yieldToEventLoop()
      }
      const isEstimated = subjects.length > 0 && subjects.length < total
      for (const [index, count] of matching) {
        const affected = isEstimated ? Math.round((count / subjects.length) * total) : count
        estimates[index] = { affected, total, isEstimated, groupTypeIndex }
      }
    }
    return estimates
  }

  return {
    estimate: async (projectId, condition, groupTypeIndex) => {
      const filters = { groups: [condition], aggregation_group_type_index: groupTypeIndex }
      await check(projectId, filters)
      const [estimate] = await measure(projectId, [{ condition, groupTypeIndex }])
      return estimate ?? { affected: 0, total: 0, isEstimated: false, groupTypeIndex }
    },

    estimateMany: async (projectId, flags) => {
      const conditions = flags.map(({ filters }) => listConditions(filters))
      if (conditions.flat().length === 0) return conditions.map(() => [])
      const estimates = (await measure(projectId, conditions.flat())).values()
      return conditions.map((own) => own.flatMap(() => estimates.next().value ?? []))
    },
  }
}

/** Release conditions of a flag, none of one that cannot be read: nobody has it. */
function listConditions(filters: Json): LooseCondition[] {
  const groups = isJsonObject(filters) ? filters.groups : null
  const read = tryReadFlagDefinition(filters)?.conditions ?? []
  return read.map(({ groupTypeIndex }, index) => ({
    condition: Array.isArray(groups) ? (groups[index] ?? null) : null,
    groupTypeIndex,
  }))
}
