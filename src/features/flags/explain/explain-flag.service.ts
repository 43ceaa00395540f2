import { explainFlag, type FlagExplanation } from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { considerFlags } from "../decide/considered-flags.js"
import { readDecideRequest } from "../decide/decide-request.js"
import type { FactSources } from "../decide/fact-sources.types.js"
import { gatherFacts } from "../decide/gather-facts.js"
import { joinNeeds } from "../decide/union-of-needs.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"

/** For whom a flag is explained; the same words as in a decision. */
export interface ExplainRequest {
  readonly distinctId: string
  readonly groups?: Json
  readonly personProperties?: Json
  readonly groupProperties?: Json
}

/** Says why a flag is as it is for one user. */
export interface FlagExplainer {
  /**
   * Explains a flag, active or not, found by key or number, for one user.
   * @throws AppError not_found; store_unavailable when nobody knows the project's rules just now.
   */
  explain(projectId: ProjectId, keyOrId: string, request: ExplainRequest): Promise<FlagExplanation>
}

export interface FlagExplainerDependencies {
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly facts: FactSources
  readonly clock: Clock
}

/** Makes explanations from the very rules and facts that decisions are made from. Stores nothing. */
export function createFlagExplainer({ rules, facts, clock }: FlagExplainerDependencies): FlagExplainer {
  return {
    explain: async (projectId, keyOrId, { distinctId, groups, personProperties, groupProperties }) => {
      const compiled = await rules.rulesFor(projectId)
      if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
      const { flags } = compiled.document
      const flag = flags.find(({ key }) => key === keyOrId) ?? flags.find(({ id }) => String(id) === keyOrId)
      if (flag === undefined) throw new AppError("not_found")
      const fields = { groups, person_properties: personProperties, group_properties: groupProperties }
      const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
        string,
        Json
      >
      const request = readDecideRequest({ token: "-", distinct_id: distinctId, ...known }, {})
      const wanted = [flag.key, ...flag.dependencies.flatMap((position) => flags[position]?.key ?? [])]
      const selection = { flagKeys: wanted, evaluationContexts: [], runtime: "all", onlySurveyFlags: false } as const
      const considered = considerFlags(compiled, selection)
      const { needs } = joinNeeds([flag, ...considered])
      const caller = { projectId, distinctId, request, personOverrides: request.personProperties }
      // Without keys to write: whoever asks why must not fix what the user's own request decides.
      const gathered = await gatherFacts(facts, compiled, needs, [], caller, clock.now())
      return explainFlag(compiled, flag, considered, gathered)
    },
  }
}
