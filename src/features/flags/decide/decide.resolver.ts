import { Arg, Ctx, Query, Resolver } from "type-graphql"
import type { FlagResult } from "../../../flag-engine/index.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import type { FlagRateLimit } from "../limits/flag-rate-limit.service.js"
import { FlagDecisionInput, FlagDecisionType } from "./decide.graphql.js"
import type { DecideService } from "./decide.service.js"

/** Flag decisions as GraphQL operations. Deciding is open to whoever has the project key, as `/decide` is. */
@Resolver()
export class DecideResolver {
  constructor(
    private readonly decisions: Pick<DecideService, "evaluate">,
    private readonly rateLimit: FlagRateLimit,
  ) {}

  @Query(() => FlagDecisionType, {
    description: "Decides the project's flags for one user. Needs the project key only.",
  })
  async flagDecision(
    @Ctx() { clientIp, senderIp, requestId }: RequestContext,
    @Arg("input", () => FlagDecisionInput, { description: "Whom to decide for." }) input: FlagDecisionInput,
  ): Promise<FlagDecisionType> {
    this.rateLimit.take("address", senderIp)
    const call = { path: "flags", query: {}, headers: {}, clientIp, senderIp, requestId } as const
    const decision = await this.decisions.evaluate({ ...call, body: toBody(input) })
    return {
      flags: decision.results.map(toDecisionEntry),
      errorsWhileComputingFlags: decision.hasErrors,
      quotaLimited: decision.isQuotaExceeded ? ["feature_flags"] : [],
      requestId: decision.requestId,
      evaluatedAt: new Date(decision.evaluatedAtMs),
    }
  }
}

const toBody = (input: FlagDecisionInput) => ({
  api_key: input.apiKey,
  distinct_id: input.distinctId,
  groups: input.groups ?? null,
  person_properties: input.personProperties ?? null,
  group_properties: input.groupProperties ?? null,
  flag_keys: input.flagKeys ?? null,
})

/** One decision as GraphQL shows it. */
export const toDecisionEntry = (result: FlagResult) => ({
  ...result,
  failed: result.error !== null,
  reason: {
    code: result.error ?? result.reason,
    conditionIndex: result.conditionIndex,
    description: result.description,
  },
})
