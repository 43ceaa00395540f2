import {
  evaluateFlags,
  type FactNeeds,
  type RuleCompiler,
  type RuleDocument,
  type StoredCohort,
} from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { type Subject, toGroupFacts, toPersonFacts } from "./flag-audience.facts.js"
import type { SubjectSamples } from "./subject-samples.store.js"

/** How many of a project's persons or groups a release condition is about, whatever its rollout. */
export interface AudienceEstimate {
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
  estimate(projectId: ProjectId, condition: Json, groupTypeIndex: number | null): Promise<AudienceEstimate>
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

/** Makes the use case that says how far a condition reaches, by the rules that decisions are made from. */
export function createFlagAudience(dependencies: FlagAudienceDependencies): FlagAudience {
  const { rules, samples, cohorts, check, compiler, clock } = dependencies
  return {
    estimate: async (projectId, condition, groupTypeIndex) => {
      const filters = { groups: [condition], aggregation_group_type_index: groupTypeIndex }
      await check(projectId, filters)
      const compiled = await rules.rulesFor(projectId)
      if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
      const document = toDocument(compiled.document, await cohorts.listAll(projectId), condition, groupTypeIndex)
      const conditionRules = compiler.compile(document)
      const nowMs = clock.now()
      const holdsFor = (subject: Subject): boolean => {
        const facts =
          groupTypeIndex === null ? toPersonFacts(subject, nowMs) : toGroupFacts(subject, groupTypeIndex, nowMs)
        return evaluateFlags(conditionRules, conditionRules.flags, facts).some(({ enabled }) => enabled)
      }
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

/**
 * A document whose only active flag gives everybody the condition whatever its rollout. The project's own flags are not
 * evaluated: a filter on one of them finds it off.
 * @param cohorts all of the project's; rules have only those that some flag asks for already.
 */
function toDocument(
  document: RuleDocument,
  cohorts: readonly StoredCohort[],
  condition: Json,
  groupTypeIndex: number | null,
): RuleDocument {
  const groups = isJsonObject(condition) ? [{ ...condition, rollout_percentage: 100 }] : []
  const flag = {
    id: 0,
    key: "",
    name: "",
    version: 0,
    active: true,
    isRemoteConfiguration: false,
    filters: { groups, aggregation_group_type_index: groupTypeIndex },
    ensureExperienceContinuity: false,
    bucketingIdentifier: "distinct_id",
    evaluationRuntime: "all",
    evaluationContexts: [],
    dependencies: [],
    dependencyFault: null,
    needs: NO_NEEDS,
  } as const
  return { ...document, cohorts, flags: [...document.flags.map((own) => ({ ...own, active: false })), flag] }
}

/** Subjects come with all that is stored of them. */
const NO_NEEDS: FactNeeds = {
  personProperties: [],
  groupProperties: [],
  personCreatedAt: false,
  staticCohorts: false,
  hashKeys: false,
}
