import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql"
import { orNotFound } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import { createLookUpLoader, type InProject } from "../../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { type BasicUser, BasicUserType, ProjectScope, requireCaller } from "../../access/index.js"
import type { ScheduledExport } from "../scheduled-exports.types.js"
import { ScheduledExportConnection, ScheduledExportInput, ScheduledExportType } from "./scheduled-exports.graphql.js"
import type { ScheduledExportsService } from "./scheduled-exports.service.js"

const ID_DESCRIPTION = { description: "Number of the export." }

/** GraphQL operations on exports by schedule. */
@Resolver(() => ScheduledExportType)
export class ScheduledExportsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, ScheduledExport | null>

  constructor(
    private readonly service: ScheduledExportsService,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {
    this.lookUp = createLookUpLoader(
      (projectId, ids) => service.findMany(projectId, ids.map(Number)),
      ({ id }) => String(id),
    )
  }

  @Query(() => ScheduledExportConnection, { description: "Exports by schedule, newest first." })
  scheduledExports(
    @ProjectScope("batch_export:read") projectId: ProjectId,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<ScheduledExport>> {
    return readConnection(paging, ["scheduled exports", projectId], (page) => this.service.list(projectId, page))
  }

  @Query(() => ScheduledExportType, { description: "One export by its number." })
  async scheduledExport(
    @ProjectScope("batch_export:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
  ): Promise<ScheduledExport> {
    return orNotFound(await context.loader(this.lookUp).load({ projectId, key: String(id) }))
  }

  @Mutation(() => ScheduledExportType, {
    description: "Makes an export, once a file could be written to its target. It begins with the present interval.",
  })
  createScheduledExport(
    @ProjectScope("batch_export:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("input", () => ScheduledExportInput, { description: "The export." }) input: ScheduledExportInput,
  ): Promise<ScheduledExport> {
    return this.service.create(projectId, requireCaller(context).userId, input)
  }

  @Mutation(() => ScheduledExportType, {
    description: "Changes, pauses or resumes an export, and tries at once what failed.",
  })
  updateScheduledExport(
    @ProjectScope("batch_export:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
    @Arg("input", () => ScheduledExportInput, { description: "The export." }) input: ScheduledExportInput,
  ): Promise<ScheduledExport> {
    return this.service.update(projectId, requireCaller(context).userId, id, input)
  }

  @Mutation(() => ScheduledExportType, {
    description: "Ends the present interval of an export now and writes it, or tries one that failed again.",
  })
  runScheduledExport(
    @ProjectScope("batch_export:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
  ): Promise<ScheduledExport> {
    return this.service.runNow(projectId, requireCaller(context).userId, id)
  }

  @Mutation(() => Boolean, { description: "Deletes an export; files that are written stay. Always true." })
  async deleteScheduledExport(
    @ProjectScope("batch_export:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
  ): Promise<boolean> {
    await this.service.remove(projectId, requireCaller(context).userId, id)
    return true
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who made it." })
  async createdBy(@Root() { createdById }: ScheduledExport, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return createdById === null ? null : context.loader(this.userLoader).load(createdById)
  }
}
