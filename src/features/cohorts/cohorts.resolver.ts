import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql"
import { orNotFound } from "../../kernel/errors.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import { createLookUpLoader, type InProject } from "../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { type Connection, readConnection } from "../../platform/graphql/connection.js"
import { type BasicUser, BasicUserType, ProjectScope, requireCaller } from "../access/index.js"
import { CohortConnection, CohortInput, CohortListArgs, CohortType, ImportedMembersType } from "./cohorts.graphql.js"
import type { CohortsService } from "./cohorts.service.js"
import type { Cohort } from "./cohorts.types.js"

const ID_DESCRIPTION = { description: "Number of the cohort." }
const MEMBERS_DESCRIPTION = { description: "Distinct ids of persons; ids nobody has are passed over." }

/** GraphQL operations on cohorts. */
@Resolver(() => CohortType)
export class CohortsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, Cohort | null>

  constructor(
    private readonly cohorts: CohortsService,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {
    this.lookUp = createLookUpLoader(
      (projectId, ids) => cohorts.findMany(projectId, ids.map(Number)),
      ({ id }) => String(id),
    )
  }

  @Query(() => CohortConnection, { name: "cohorts", description: "Cohorts that are not deleted, newest first." })
  async list(
    @ProjectScope("cohort:read") projectId: ProjectId,
    @Args(() => CohortListArgs) args: CohortListArgs,
  ): Promise<Connection<Cohort>> {
    const { search, isStatic, createdById } = args
    const filter = { search, isStatic, createdById }
    return readConnection(args, ["cohorts", projectId, filter], (page) => this.cohorts.list(projectId, filter, page))
  }

  @Query(() => CohortType, { description: "One cohort by its number." })
  async cohort(
    @ProjectScope("cohort:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
  ): Promise<Cohort> {
    return orNotFound(await context.loader(this.lookUp).load({ projectId, key: String(id) }))
  }

  @Mutation(() => CohortType, { description: "Creates a cohort." })
  createCohort(
    @ProjectScope("cohort:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("input", () => CohortInput, { description: "The cohort." }) input: CohortInput,
    @Arg("isStatic", () => Boolean, { defaultValue: false, description: "Members are listed rather than described." })
    isStatic: boolean,
  ): Promise<Cohort> {
    return this.cohorts.create(projectId, requireCaller(context).userId, isStatic, input)
  }

  @Mutation(() => CohortType, {
    description: "Changes a cohort; `deleted: true` deletes it softly, `deleted: false` restores it.",
  })
  updateCohort(
    @ProjectScope("cohort:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
    @Arg("input", () => CohortInput, { description: "The cohort." }) input: CohortInput,
  ): Promise<Cohort> {
    return this.cohorts.update(projectId, requireCaller(context).userId, id, input)
  }

  @Mutation(() => Int, { description: "Adds persons to a static cohort; answers the number of its members." })
  addCohortMembers(
    @ProjectScope("cohort:write") projectId: ProjectId,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
    @Arg("distinctIds", () => [String], MEMBERS_DESCRIPTION) distinctIds: string[],
  ): Promise<number> {
    return this.cohorts.addMembers(projectId, id, distinctIds)
  }

  @Mutation(() => ImportedMembersType, {
    description: "Adds persons of a list to a static cohort, and says which ids of it name nobody.",
  })
  importCohortMembers(
    @ProjectScope("cohort:write") projectId: ProjectId,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
    @Arg("ids", () => [String], { description: "Distinct ids or UUIDs of persons, at most 10,000." }) ids: string[],
  ): Promise<ImportedMembersType> {
    return this.cohorts.importMembers(projectId, id, ids)
  }

  @Mutation(() => Int, { description: "Removes persons from a static cohort; answers the number of its members." })
  removeCohortMembers(
    @ProjectScope("cohort:write") projectId: ProjectId,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
    @Arg("distinctIds", () => [String], MEMBERS_DESCRIPTION) distinctIds: string[],
  ): Promise<number> {
    return this.cohorts.removeMembers(projectId, id, distinctIds)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who created it." })
  async createdBy(@Root() { createdById }: Cohort, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return createdById === null ? null : context.loader(this.userLoader).load(createdById)
  }
}
