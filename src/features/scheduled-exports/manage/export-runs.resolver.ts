import { Arg, Args, FieldResolver, Float, Int, Query, Resolver, Root } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { ProjectScope } from "../../access/index.js"
import type { ExportRun } from "../scheduled-exports.types.js"
import { ExportRunConnection, ExportRunType } from "./scheduled-exports.graphql.js"
import type { ScheduledExportsService } from "./scheduled-exports.service.js"

/** GraphQL operations on what became of the intervals of exports. */
@Resolver(() => ExportRunType)
export class ExportRunsResolver {
  constructor(private readonly service: ScheduledExportsService) {}

  @Query(() => ExportRunConnection, { description: "Intervals of an export and what became of them, newest first." })
  scheduledExportRuns(
    @ProjectScope("batch_export:read") projectId: ProjectId,
    @Arg("id", () => Int, { description: "Number of the export." }) id: number,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<ExportRun>> {
    return readConnection(paging, ["runs of exports", projectId, id], (page) =>
      this.service.listRuns(projectId, id, page),
    )
  }

  @FieldResolver(() => Int, { description: "How many files are written, without the manifest." })
  fileCount(@Root() { files }: ExportRun): number {
    return files.length
  }

  @FieldResolver(() => Float, { description: "How many rows they have." })
  rowCount(@Root() { files }: ExportRun): number {
    return files.reduce((sum, { rows }) => sum + rows, 0)
  }

  @FieldResolver(() => Float, { description: "How many bytes they have." })
  byteCount(@Root() { files }: ExportRun): number {
    return files.reduce((sum, { bytes }) => sum + bytes, 0)
  }
}
