import DataLoader from "dataloader"
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql"
import type { ProjectId } from "../../kernel/ids.js"
import type { LoaderFactory, Principal, RequestContext } from "../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../platform/graphql/connection.js"
import { PrincipalScope, ProjectScope, requireCaller } from "../access/index.js"
import { PathCleaningRuleType } from "./path-cleaning.graphql.js"
import { type PathCleaningRule, readPathCleaning } from "./path-cleaning.js"
import { CreateProjectArgs, ProjectArgs, ProjectConnection, ProjectKeyType, ProjectType } from "./projects.graphql.js"
import type { ProjectsService } from "./projects.service.js"
import type { Project, ProjectKey } from "./projects.types.js"

/** GraphQL operations on projects and their keys. */
@Resolver(() => ProjectType)
export class ProjectsResolver {
  private readonly keyLoader: LoaderFactory<ProjectId, ProjectKey[]>
  private readonly eventLoader: LoaderFactory<ProjectId, boolean>

  constructor(private readonly service: ProjectsService) {
    this.keyLoader = () => new DataLoader((ids: readonly ProjectId[]) => service.listKeys(ids))
    this.eventLoader = () => new DataLoader((ids: readonly ProjectId[]) => service.haveEvents(ids))
  }

  @Query(() => ProjectConnection, { description: "Projects that the caller may see, oldest first." })
  async projects(
    @PrincipalScope("project:read") principal: Principal,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<Project>> {
    return readConnection(paging, ["projects", principal.userId], (page) => this.service.list(principal, page))
  }

  @Query(() => ProjectType, { description: "One project." })
  project(@ProjectScope("project:read", "id") projectId: ProjectId): Promise<Project> {
    return this.service.get(projectId)
  }

  @FieldResolver(() => [ProjectKeyType], { description: "Live keys, oldest first." })
  keys(@Root() project: Project, @Ctx() context: RequestContext): Promise<ProjectKey[]> {
    return context.loader(this.keyLoader).load(project.id)
  }

  @FieldResolver(() => Boolean, { description: "Whether an event of the project has ever been stored." })
  ingestedEvent(@Root() project: Project, @Ctx() context: RequestContext): Promise<boolean> {
    return context.loader(this.eventLoader).load(project.id)
  }

  @FieldResolver(() => [PathCleaningRuleType], {
    description: "Rules by which queries clean paths, in the order in which they are applied.",
  })
  pathCleaningFilters(@Root() project: Project): PathCleaningRule[] {
    return readPathCleaning(project.settings)
  }

  @Mutation(() => ProjectType, { description: "Makes a project with its first key; for admins and owners." })
  createProject(
    @PrincipalScope("project:write") principal: Principal,
    @Args(() => CreateProjectArgs) request: CreateProjectArgs,
  ): Promise<Project> {
    return this.service.create(principal, request.organizationId ?? null, request)
  }

  @Mutation(() => ProjectType, { description: "Changes a project; for admins and owners." })
  updateProject(
    @ProjectScope("project:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Args(() => ProjectArgs) request: ProjectArgs,
  ): Promise<Project> {
    return this.service.update(requireCaller(context), projectId, request)
  }

  @Mutation(() => ProjectKeyType, {
    description: "Makes another key, so that apps can move to it; for admins and owners.",
  })
  createProjectKey(
    @ProjectScope("project:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
  ): Promise<ProjectKey> {
    return this.service.createKey(requireCaller(context), projectId)
  }

  @Mutation(() => Boolean, { description: "Ends a key; not the last one. For admins and owners. Always true." })
  async revokeProjectKey(
    @ProjectScope("project:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "Id of the key." }) id: string,
  ): Promise<boolean> {
    await this.service.revokeKey(requireCaller(context), projectId, id)
    return true
  }
}
