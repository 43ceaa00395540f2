import { Arg, Query, Resolver } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import { ProjectScope } from "../../access/index.js"
import { FlagDefinitionsType } from "./flag-definitions.graphql.js"
import type { FlagDefinitions } from "./flag-definitions.service.js"

/** What SDKs that evaluate flags themselves fetch, as a GraphQL operation. */
@Resolver()
export class FlagDefinitionsResolver {
  constructor(private readonly definitions: FlagDefinitions) {}

  @Query(() => FlagDefinitionsType, {
    description: "Definitions of all flags, for SDKs that evaluate them themselves.",
  })
  flagDefinitions(
    @ProjectScope("feature_flag:read", "projectId", { openToSecretKeys: true }) projectId: ProjectId,
    @Arg("withCohorts", () => Boolean, { defaultValue: true, description: "Whether the trees of cohorts go along." })
    withCohorts: boolean,
    @Arg("knownRevision", () => String, { nullable: true, description: "Revision you have; it is not sent again." })
    knownRevision?: string | null,
  ): Promise<FlagDefinitionsType> {
    return this.definitions.read(projectId, withCohorts, knownRevision ?? null)
  }
}
