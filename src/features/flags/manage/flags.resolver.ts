import { Arg, Args, Ctx, FieldResolver, Float, ID, Mutation, Query, Resolver, Root } from "type-graphql"
import { AppError, orNotFound } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { createLookUpLoader, type InProject } from "../../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../../kernel/request-context.js"
import { type Connection, readConnection } from "../../../platform/graphql/connection.js"
import { JsonScalar } from "../../../platform/graphql/scalars.js"
import { type BasicUser, BasicUserType, ProjectScope, requireCaller } from "../../access/index.js"
import type { Flag, FlagFilter } from "../flags.types.js"
import { isSimpleFlag, rolloutPercentageOf, statusOf } from "../present/flag-summary.js"
import type { StaleFlags } from "../stale/stale-flags.service.js"
import { checkRuntime } from "../validate/check-fields.js"
import type { FlagService } from "./flag.service.js"
import { FlagListArgs } from "./flag-list.graphql.js"
import { FlagConnection, FlagInput, FlagType } from "./flags.graphql.js"
import { shownFilters } from "./payload-secrets.js"

/** GraphQL operations on feature flags. */
@Resolver(() => FlagType)
export class FlagsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, Flag | null>
  private readonly lookUpByKey: LoaderFactory<InProject<string>, Flag | null>

  constructor(
    private readonly flags: FlagService,
    private readonly staleFlags: StaleFlags,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {
    this.lookUp = createLookUpLoader(
      (projectId, ids) => flags.named(projectId, ids.map(Number)),
      ({ id }) => String(id),
    )
    this.lookUpByKey = createLookUpLoader(
      (projectId, keys) => flags.keyed(projectId, keys),
      ({ key }) => key,
    )
  }

  @Query(() => FlagConnection, { description: "Feature flags that are not deleted, newest first." })
  async featureFlags(
    @ProjectScope("feature_flag:read") projectId: ProjectId,
    @Args(() => FlagListArgs) args: FlagListArgs,
  ): Promise<Connection<Flag>> {
    const { orderBy, descending } = args
    const order = orderBy == null ? undefined : { field: orderBy, descending: descending ?? false }
    const wanted = toFilter(args)
    const stale = args.filter?.stale === true ? await this.staleFlags.list(projectId, STALE_AFTER_DAYS) : null
    const filter = { ...wanted, ...(stale && { ids: stale.map(({ flag }) => flag.id) }) }
    return readConnection(args, ["flags", projectId, wanted, args.filter?.stale, order], (page) =>
      this.flags.list(projectId, filter, page, order),
    )
  }

  @Query(() => FlagType, { description: "One feature flag by its number, or by its key." })
  async featureFlag(
    @ProjectScope("feature_flag:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { nullable: true, description: "Number of the flag." }) id?: string | null,
    @Arg("key", () => String, { nullable: true, description: "Key of the flag, without a number." }) key?:
      | string
      | null,
  ): Promise<Flag> {
    if (id == null) return orNotFound(await context.loader(this.lookUpByKey).load({ projectId, key: key ?? "" }))
    return orNotFound(await context.loader(this.lookUp).load({ projectId, key: String(toFlagId(id)) }))
  }

  @Query(() => JsonScalar, {
    nullable: true,
    description: "Payload of a flag that only delivers configuration, as JSON text; null when it has none.",
  })
  remoteConfigPayload(
    @ProjectScope("feature_flag:read", "projectId", { openToSecretKeys: true }) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("flag", () => String, { description: "Key or number of the flag." }) flag: string,
  ): Promise<Json> {
    return this.flags.remoteConfigPayload(projectId, flag, context.principal !== null)
  }

  @Mutation(() => FlagType, { description: "Creates a feature flag." })
  createFeatureFlag(
    @ProjectScope("feature_flag:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("input", () => FlagInput, { description: "The fields to set." }) input: FlagInput,
  ): Promise<Flag> {
    const { version: _unused, ...request } = input
    return this.flags.create(projectId, requireCaller(context).userId, request)
  }

  @Mutation(() => FlagType, { description: "Changes a feature flag; `deleted: false` restores a deleted one." })
  updateFeatureFlag(
    @ProjectScope("feature_flag:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "Number of the flag." }) id: string,
    @Arg("input", () => FlagInput, { description: "The fields to set." }) input: FlagInput,
  ): Promise<Flag> {
    const { version, ...request } = input
    return this.flags.update(projectId, requireCaller(context).userId, toFlagId(id), request, version ?? null)
  }

  @Mutation(() => FlagType, { description: "Deletes a feature flag softly." })
  deleteFeatureFlag(
    @ProjectScope("feature_flag:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "Number of the flag." }) id: string,
  ): Promise<Flag> {
    return this.flags.update(projectId, requireCaller(context).userId, toFlagId(id), { deleted: true }, null)
  }

  @FieldResolver()
  filters(@Root() flag: Flag): Json {
    return shownFilters(flag)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who created it." })
  createdBy(@Root() flag: Flag, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return this.user(context, flag.createdById)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who last changed it." })
  lastModifiedBy(@Root() flag: Flag, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return this.user(context, flag.lastModifiedById)
  }

  @FieldResolver(() => Boolean, { description: "Whether it is one rollout to everybody, without filters or variants." })
  isSimpleFlag(@Root() flag: Flag): boolean {
    return isSimpleFlag(flag)
  }

  @FieldResolver(() => Float, { nullable: true, description: "Percentage of a simple flag; null for any other." })
  rolloutPercentage(@Root() flag: Flag): number | null {
    return rolloutPercentageOf(flag)
  }

  @FieldResolver(() => String, { description: "ACTIVE, INACTIVE or DELETED." })
  status(@Root() flag: Flag): string {
    return statusOf(flag)
  }

  private async user(context: RequestContext, id: UserId | null): Promise<BasicUser | null> {
    return id === null ? null : context.loader(this.userLoader).load(id)
  }
}

/** As `staleFeatureFlags` when no number of days is said. */
const STALE_AFTER_DAYS = 30

/** @throws AppError invalid_choice for a runtime that there is not. */
function toFilter({ search, active, filter }: FlagListArgs): FlagFilter {
  const { type, createdById, evaluationRuntime, tags } = filter ?? {}
  return {
    ...(search != null && { search }),
    ...(active != null && { active }),
    ...(type != null && { kind: type }),
    ...(createdById != null && { createdById }),
    ...(evaluationRuntime != null && { evaluationRuntime: checkRuntime(evaluationRuntime) }),
    ...(tags != null && { tags }),
  }
}

/** @throws AppError not_found for what cannot be the number of a flag. */
export function toFlagId(id: string): number {
  if (/^\d{1,9}$/.test(id)) return Number(id)
  throw new AppError("not_found")
}
