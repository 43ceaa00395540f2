import { evaluateFlags, type FlagResult, type RuleFlag } from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { readDecideRequest } from "../decide/decide-request.js"
import type { FactSources } from "../decide/fact-sources.types.js"
import { gatherFacts } from "../decide/gather-facts.js"
import { joinNeeds } from "../decide/union-of-needs.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import type { ExplainRequest } from "./explain-flag.service.js"

/** Evaluates the flags of a project for those who manage them. */
export interface FlagEvaluations {
  /**
   * Every flag of a project for one user, inactive ones as `flag_disabled`, by number. Stores and counts nothing.
   * @throws AppError store_unavailable when nobody knows the project's rules just now.
   */
  evaluate(projectId: ProjectId, request: ExplainRequest): Promise<FlagResult[]>
}

export interface FlagEvaluationsDependencies {
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly facts: FactSources
  readonly clock: Clock
}

/** Evaluates for people who manage flags, by the very rules and facts that decisions are made from. */
export function createFlagEvaluations({ rules, facts, clock }: FlagEvaluationsDependencies): FlagEvaluations {
  return {
    evaluate: async (projectId, { distinctId, groups, personProperties, groupProperties }) => {
      const compiled = await rules.rulesFor(projectId)
      if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
      const fields = { groups, person_properties: personProperties, group_properties: groupProperties }
      const known = Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined)
      const request = readDecideRequest({ token: "-", distinct_id: distinctId, ...Object.fromEntries(known) }, {})
      const { needs } = joinNeeds(compiled.flags)
      const caller = { projectId, distinctId, request, personOverrides: request.personProperties }
      // Without keys to write: whoever looks must not fix what the user's own request decides.
      const gathered = await gatherFacts(facts, compiled, needs, [], caller, clock.now())
      const { flags } = compiled.document
      const results = evaluateFlags(compiled.flags, flags.length, gathered)
      const disabled = flags.filter(({ active }) => !active).map(toDisabled)
      return [...results, ...disabled].sort((left, right) => left.id - right.id)
    },
  }
}

const toDisabled = ({ id, key, version }: RuleFlag): FlagResult => ({
  id,
  key,
  version,
  enabled: false,
  variant: null,
  payload: null,
  error: null,
  reason: "flag_disabled",
  conditionIndex: null,
})
