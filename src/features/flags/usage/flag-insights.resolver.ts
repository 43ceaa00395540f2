import { Arg, Int, Query, Resolver } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"
import { ProjectScope } from "../../access/index.js"
import { toDecisionEntry } from "../decide/decide.resolver.js"
import { FlagExplanationInput, FlagExplanationType } from "../explain/explain-flag.graphql.js"
import type { FlagExplainer } from "../explain/explain-flag.service.js"
import type { FlagUsage } from "../flags.types.js"
import type { StaleFlags } from "../stale/stale-flags.service.js"
import { FlagUsageType } from "./flag-usage.graphql.js"
import { StaleFlagType } from "./stale-flags.graphql.js"

const SCOPE = "feature_flag:read"

/** GraphQL operations that say why flags are as they are and which are stale. */
@Resolver()
export class FlagInsightsResolver {
  constructor(
    private readonly explainer: FlagExplainer,
    private readonly staleFlags: StaleFlags,
    private readonly readUsage: (projectId: ProjectId) => Promise<FlagUsage>,
  ) {}

  @Query(() => FlagExplanationType, {
    description: "Why a flag has its value for one user: each condition, each filter, the value compared, the bucket.",
  })
  async explainFlag(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("flag", () => String, { description: "Key or number of the flag." }) flag: string,
    @Arg("for", () => FlagExplanationInput, { description: "The user." }) request: FlagExplanationInput,
    @Arg("at", () => DateTimeScalar, {
      nullable: true,
      description:
        "A past moment: the flags of then, and the person as the last event until then has them. Cohorts, groups and values that are kept over a login are those of now.",
    })
    at?: Date | null,
  ): Promise<FlagExplanationType> {
    const explanation = await this.explainer.explain(projectId, flag, request, at ?? null)
    const { key, active, result, conditions, personAt } = explanation
    return {
      key,
      active,
      personAt,
      decision: result && toDecisionEntry(result),
      conditions: conditions as FlagExplanationType["conditions"],
    }
  }

  @Query(() => FlagUsageType, {
    description: "Flag requests of the project's organization this month; a decision counts 1, definitions sent 10.",
  })
  flagRequestUsage(@ProjectScope(SCOPE) projectId: ProjectId): Promise<FlagUsageType> {
    return this.readUsage(projectId)
  }

  @Query(() => [StaleFlagType], {
    description:
      "Flags unchanged for that long which are the same for everybody, off, or not asked for by any SDK; longest unchanged first.",
  })
  staleFeatureFlags(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("days", () => Int, { defaultValue: 30, description: "1 to 365." }) days: number,
  ): Promise<StaleFlagType[]> {
    return this.staleFlags.list(projectId, days)
  }
}
