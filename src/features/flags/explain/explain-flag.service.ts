import {
  type CompiledFlag,
  type CompiledRules,
  type EvaluationFacts,
  explainFlag,
  type FlagExplanation,
  type FlagResult,
  joinNeeds,
  type RuleFlag,
  selectFlags,
} from "../../../flag-engine/index.js"
import type { Awaitable } from "../../../kernel/awaitable.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { evaluateEvery } from "../audience/evaluate-every.js"
import { readDecideRequest } from "../decide/decide-request.js"
import type { FactSources } from "../decide/fact-sources.types.js"
import { gatherFacts } from "../decide/gather-facts.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import type { FormerPersons } from "./former-person.store.js"
import type { FindFormerRules } from "./former-rules.js"

/** For whom flags are evaluated; the same words as in a decision. */
export interface ExplainRequest {
  readonly distinctId: string
  readonly groups?: Json
  readonly personProperties?: Json
  readonly groupProperties?: Json
}

/** Why a flag is, or was, as it is. */
export interface Explanation extends FlagExplanation {
  /** When the properties of the person were as they count here; null for those of now. */
  readonly personAt: Date | null
}

/** Evaluates flags for those who manage them. Stores and counts nothing. */
export interface FlagExplainer {
  /**
   * Says why a flag, active or not, found by key or number, is as it is for one user.
   * @param at a past moment: its rules count, and what was known of the person; null for now.
   * @throws AppError not_found; invalid_input for a moment that is to come, of which nothing is known, or before the flag;
   *   store_unavailable when nobody knows the project's rules just now.
   */
  explain(projectId: ProjectId, keyOrId: string, request: ExplainRequest, at: Date | null): Promise<Explanation>
  /**
   * Every flag of a project for one user, inactive ones as `flag_disabled`, by number.
   * @throws AppError store_unavailable when nobody knows the project's rules just now.
   */
  evaluate(projectId: ProjectId, request: ExplainRequest): Promise<FlagResult[]>
}

export interface FlagExplainerDependencies {
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly findFormerRules: FindFormerRules
  readonly formerPersons: FormerPersons
  readonly facts: FactSources
  readonly clock: Clock
}

/** Evaluates by the very rules and facts that decisions are made from, or were. */
export function createFlagExplainer(dependencies: FlagExplainerDependencies): FlagExplainer {
  const { rules, findFormerRules, formerPersons, facts, clock } = dependencies
  const requireRules = async (projectId: ProjectId): Promise<CompiledRules> => {
    const compiled = await rules.rulesFor(projectId)
    if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
    return compiled
  }

  const gather = (
    compiled: CompiledRules,
    flags: readonly (RuleFlag | CompiledFlag)[],
    { distinctId, groups = null, personProperties = null, groupProperties = null }: ExplainRequest,
    atMs: number,
  ): Awaitable<EvaluationFacts> => {
    const fields = { groups, person_properties: personProperties, group_properties: groupProperties }
    const request = readDecideRequest({ token: "-", distinct_id: distinctId, ...fields }, {})
    const { projectId } = compiled.document
    const caller = { projectId, distinctId, request, personOverrides: request.personProperties }
    // Without keys to write: whoever asks why must not fix what the user's own request decides.
    const needs = { ...joinNeeds(flags), continuityFlagKeys: [] }
    return gatherFacts(facts, compiled, needs, caller, atMs)
  }

  /** The person as they were then, if that is known; what the request says of them wins. */
  const gatherThen = async (
    known: EvaluationFacts,
    projectId: ProjectId,
    at: Date,
  ): Promise<{ known: EvaluationFacts; personAt: Date | null }> => {
    const former = await formerPersons.find(projectId, known.distinctId, at)
    if (former === null) return { known, personAt: null }
    const overrides = { ...former.properties, ...known.person.overrides }
    return { known: { ...known, person: { overrides, stored: {}, unavailable: null } }, personAt: former.seenAt }
  }

  return {
    explain: async (projectId, keyOrId, request, at) => {
      const present = await requireRules(projectId)
      const { flags } = present.document
      const named = flags.find(({ key }) => key === keyOrId) ?? flags.find(({ id }) => String(id) === keyOrId)
      if (named === undefined) throw new AppError("not_found")
      if (at !== null && at.getTime() > clock.now())
        throw new AppError("invalid_input", { attr: "at", detail: "at must not be in the future." })
      const compiled = at === null ? present : await findFormerRules(projectId, at)
      const flag = compiled.document.flags.find(({ id }) => id === named.id)
      if (flag === undefined)
        throw new AppError("invalid_input", { attr: "at", detail: "There was no such flag then." })
      const needed = flag.dependencies.flatMap((position) => compiled.document.flags[position]?.key ?? [])
      const selection = { flagKeys: [flag.key, ...needed], evaluationContexts: [], runtime: "all" } as const
      const considered = selectFlags(compiled, { ...selection, onlySurveyFlags: false }).flags
      const gathered = await gather(compiled, [flag, ...considered], request, at?.getTime() ?? clock.now())
      const { known, personAt } =
        at === null ? { known: gathered, personAt: null } : await gatherThen(gathered, projectId, at)
      return { ...explainFlag(compiled, flag, considered, known), personAt }
    },

    evaluate: async (projectId, request) => {
      const compiled = await requireRules(projectId)
      return evaluateEvery(compiled, await gather(compiled, compiled.flags, request, clock.now()))
    },
  }
}
