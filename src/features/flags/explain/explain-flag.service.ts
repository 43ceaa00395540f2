import {
  type CompiledFlag,
  type CompiledRules,
  explainFlag,
  type FlagExplanation,
  type FlagResult,
  joinNeeds,
  type RuleFlag,
  selectFlags,
} from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { evaluateEvery } from "../audience/evaluate-every.js"
import { readDecideRequest } from "../decide/decide-request.js"
import type { FactSources } from "../decide/fact-sources.types.js"
import { gatherFacts } from "../decide/gather-facts.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"

/** For whom flags are evaluated; the same words as in a decision. */
export interface ExplainRequest {
  readonly distinctId: string
  readonly groups?: Json
  readonly personProperties?: Json
  readonly groupProperties?: Json
}

/** Evaluates flags for those who manage them. Stores and counts nothing. */
export interface FlagExplainer {
  /**
   * Says why a flag, active or not, found by key or number, is as it is for one user.
   * @throws AppError not_found; store_unavailable when nobody knows the project's rules just now.
   */
  explain(projectId: ProjectId, keyOrId: string, request: ExplainRequest): Promise<FlagExplanation>
  /**
   * Every flag of a project for one user, inactive ones as `flag_disabled`, by number.
   * @throws AppError store_unavailable when nobody knows the project's rules just now.
   */
  evaluate(projectId: ProjectId, request: ExplainRequest): Promise<FlagResult[]>
}

export interface FlagExplainerDependencies {
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly facts: FactSources
  readonly clock: Clock
}

/** Evaluates by the very rules and facts that decisions are made from. */
export function createFlagExplainer({ rules, facts, clock }: FlagExplainerDependencies): FlagExplainer {
  const requireRules = async (projectId: ProjectId): Promise<CompiledRules> => {
    const compiled = await rules.rulesFor(projectId)
    if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
    return compiled
  }

  const gather = (
    compiled: CompiledRules,
    flags: readonly (RuleFlag | CompiledFlag)[],
    { distinctId, groups = null, personProperties = null, groupProperties = null }: ExplainRequest,
  ) => {
    const fields = { groups, person_properties: personProperties, group_properties: groupProperties }
    const request = readDecideRequest({ token: "-", distinct_id: distinctId, ...fields }, {})
    const { projectId } = compiled.document
    const caller = { projectId, distinctId, request, personOverrides: request.personProperties }
    // Without keys to write: whoever asks why must not fix what the user's own request decides.
    const needs = { ...joinNeeds(flags), continuityFlagKeys: [] }
    return gatherFacts(facts, compiled, needs, caller, clock.now())
  }

  return {
    explain: async (projectId, keyOrId, request) => {
      const compiled = await requireRules(projectId)
      const { flags } = compiled.document
      const flag = flags.find(({ key }) => key === keyOrId) ?? flags.find(({ id }) => String(id) === keyOrId)
      if (flag === undefined) throw new AppError("not_found")
      const flagKeys = [flag.key, ...flag.dependencies.flatMap((position) => flags[position]?.key ?? [])]
      const selection = { flagKeys, evaluationContexts: [], runtime: "all", onlySurveyFlags: false } as const
      const considered = selectFlags(compiled, selection).flags
      return explainFlag(compiled, flag, considered, await gather(compiled, [flag, ...considered], request))
    },

    evaluate: async (projectId, request) => {
      const compiled = await requireRules(projectId)
      return evaluateEvery(compiled, await gather(compiled, compiled.flags, request))
    },
  }
}
