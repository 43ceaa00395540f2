import { Arg, Args, ID, Query, Resolver } from "type-graphql"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { type Activity, ActivityConnection, type ActivityReader, ProjectScope } from "../../access/index.js"
import type { Flag } from "../flags.types.js"
import type { FlagService } from "./flag.service.js"
import { FlagType } from "./flags.graphql.js"
import { toFlagId } from "./flags.resolver.js"

const SCOPE = "feature_flag:read"
const FLAG_ID = { description: "Number of the flag." }

/** GraphQL operations around one flag: who changed it, and which flags hang on it. */
@Resolver()
export class FlagActivityResolver {
  constructor(
    private readonly flags: Pick<FlagService, "dependants">,
    private readonly auditLog: Pick<ActivityReader, "listByProject">,
  ) {}

  @Query(() => ActivityConnection, { description: "Who changed a flag and how, newest first; of deleted flags too." })
  async featureFlagActivity(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("id", () => ID, FLAG_ID) id: string,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<Activity>> {
    const flagId = toFlagId(id)
    return readConnection(paging, ["flag activity", projectId, flagId], async (request) => {
      const filter = { scope: "FeatureFlag", itemId: String(flagId) }
      const page = await this.auditLog.listByProject(projectId, filter, request)
      // Every flag was created at least: where nothing was ever logged there is none.
      if (page.items.length === 0 && (await page.countAll()) === 0) throw new AppError("not_found")
      return page
    })
  }

  @Query(() => [FlagType], { description: "Active flags that depend on a flag directly." })
  dependentFeatureFlags(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("id", () => ID, FLAG_ID) id: string,
  ): Promise<Flag[]> {
    return this.flags.dependants(projectId, toFlagId(id))
  }
}
