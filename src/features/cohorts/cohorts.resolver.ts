import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from "type-graphql"
import type { ProjectId } from "../../kernel/ids.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { type Connection, ConnectionArgs, toConnection, toWindow } from "../../platform/graphql/connection.js"
import { callerOf, ProjectScope } from "../access/index.js"
import { CohortConnection, CohortInput, CohortType } from "./cohorts.graphql.js"
import type { CohortsService } from "./cohorts.service.js"
import type { Cohort } from "./cohorts.types.js"

const ID_DESCRIPTION = { description: "Number of the cohort." }
const MEMBERS_DESCRIPTION = { description: "Distinct ids of persons; ids nobody has are passed over." }

/** GraphQL operations on cohorts. */
@Resolver(() => CohortType)
export class CohortsResolver {
  constructor(private readonly cohorts: CohortsService) {}

  @Query(() => CohortConnection, { name: "cohorts", description: "Cohorts that are not deleted, newest first." })
  async list(
    @ProjectScope("cohort:read") projectId: ProjectId,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<Cohort>> {
    const window = toWindow(paging)
    return toConnection(await this.cohorts.list(projectId, window), window)
  }

  @Query(() => CohortType, { description: "One cohort by its number." })
  cohort(
    @ProjectScope("cohort:read") projectId: ProjectId,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
  ): Promise<Cohort> {
    return this.cohorts.get(projectId, id)
  }

  @Mutation(() => CohortType, { description: "Creates a cohort." })
  createCohort(
    @ProjectScope("cohort:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("input", () => CohortInput, { description: "The cohort." }) input: CohortInput,
    @Arg("isStatic", () => Boolean, { defaultValue: false, description: "Members are listed rather than described." })
    isStatic: boolean,
  ): Promise<Cohort> {
    return this.cohorts.create(projectId, callerOf(context).userId, isStatic, input)
  }

  @Mutation(() => CohortType, { description: "Changes a cohort; `deleted: true` deletes it softly." })
  updateCohort(
    @ProjectScope("cohort:write") projectId: ProjectId,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
    @Arg("input", () => CohortInput, { description: "The cohort." }) input: CohortInput,
  ): Promise<Cohort> {
    return this.cohorts.update(projectId, id, input)
  }

  @Mutation(() => Int, { description: "Adds persons to a static cohort; answers the number of its members." })
  addCohortMembers(
    @ProjectScope("cohort:write") projectId: ProjectId,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
    @Arg("distinctIds", () => [String], MEMBERS_DESCRIPTION) distinctIds: string[],
  ): Promise<number> {
    return this.cohorts.addMembers(projectId, id, distinctIds)
  }

  @Mutation(() => Int, { description: "Removes persons from a static cohort; answers the number of its members." })
  removeCohortMembers(
    @ProjectScope("cohort:write") projectId: ProjectId,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
    @Arg("distinctIds", () => [String], MEMBERS_DESCRIPTION) distinctIds: string[],
  ): Promise<number> {
    return this.cohorts.removeMembers(projectId, id, distinctIds)
  }
}
