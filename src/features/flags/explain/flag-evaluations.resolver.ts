import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from "type-graphql"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { LoaderFactory, RequestContext } from "../../../kernel/request-context.js"
import { JsonScalar } from "../../../platform/graphql/scalars.js"
import { type BasicUser, ProjectScope, requireCaller } from "../../access/index.js"
import { type Cohort, CohortType } from "../../cohorts/index.js"
import type { FlagAudience } from "../audience/flag-audience.service.js"
import type { FlagCohorts } from "../audience/flag-cohort.service.js"
import { FlagDecisionEntryType } from "../decide/decide.graphql.js"
import { toDecisionEntry } from "../decide/decide.resolver.js"
import type { FlagService } from "../manage/flag.service.js"
import { toFlagId } from "../manage/flags.resolver.js"
import { FlagExplanationInput } from "./explain-flag.graphql.js"
import type { FlagExplainer } from "./explain-flag.service.js"
import { ConditionReachType, MyFeatureFlagType } from "./flag-evaluations.graphql.js"

const SCOPE = "feature_flag:read"

/** GraphQL operations that evaluate flags for those who manage them; nothing is counted and nothing stored. */
@Resolver()
export class FlagEvaluationsResolver {
  constructor(
    private readonly evaluations: FlagExplainer,
    private readonly audience: FlagAudience,
    private readonly flags: Pick<FlagService, "named">,
    private readonly flagCohorts: FlagCohorts,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {}

  @Query(() => [FlagDecisionEntryType], {
    description: "What every flag is for one user and why; inactive ones with the reason `flag_disabled`.",
  })
  async flagEvaluations(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("for", () => FlagExplanationInput, { description: "The user." }) request: FlagExplanationInput,
  ): Promise<FlagDecisionEntryType[]> {
    return (await this.evaluations.evaluate(projectId, request)).map(toDecisionEntry)
  }

  @Query(() => [MyFeatureFlagType], { description: "Active flags and what they are for the caller as a user." })
  async myFlags(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Ctx() context: RequestContext,
  ): Promise<MyFeatureFlagType[]> {
    const user = await context.loader(this.userLoader).load(requireCaller(context).userId)
    const results = await this.evaluations.evaluate(projectId, { distinctId: user?.distinctId ?? "" })
    const decisions = new Map(results.map((result) => [result.id, toDecisionEntry(result)]))
    const flags = await this.flags.named(projectId, [...decisions.keys()])
    return flags.flatMap((flag) => {
      const decision = flag.active ? decisions.get(flag.id) : undefined
      return decision === undefined ? [] : [{ flag, decision }]
    })
  }

  @Query(() => ConditionReachType, { description: "How many persons, or groups, a release condition is about." })
  conditionReach(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("condition", () => JsonScalar, { description: "As in `filters.groups`; its rollout does not count." })
    condition: Json,
    @Arg("groupTypeIndex", () => Int, { nullable: true, description: "Counts groups of that type instead of persons." })
    groupTypeIndex?: number | null,
  ): Promise<ConditionReachType> {
    return this.audience.estimate(projectId, condition, groupTypeIndex ?? null)
  }

  @Mutation(() => CohortType, {
    description: "Makes a static cohort of the persons for whom a flag is on now; needs the scope `cohort:write` too.",
  })
  createCohortOfFlag(
    @ProjectScope("feature_flag:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "Number of the flag." }) id: string,
  ): Promise<Cohort> {
    const requireCohortScope = () => context.access.requireProject(context, String(projectId), "cohort:write")
    return this.flagCohorts.create(projectId, requireCaller(context).userId, toFlagId(id), requireCohortScope)
  }
}
