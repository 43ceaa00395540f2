import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { ProjectScope, requireCaller } from "../../access/index.js"
import {
  type IssuedProjectSecret,
  IssuedProjectSecretKeyType,
  type ProjectSecret,
  ProjectSecretKeyType,
} from "./project-secret.graphql.js"
import type { ProjectSecretsService } from "./project-secrets.service.js"

/** GraphQL operations on a project's secret keys. */
@Resolver(() => ProjectSecretKeyType)
export class ProjectSecretsResolver {
  constructor(private readonly secrets: ProjectSecretsService) {}

  @Query(() => [ProjectSecretKeyType], { description: "The project's live secret keys, oldest first." })
  projectSecretKeys(@ProjectScope("project:read") projectId: ProjectId): Promise<ProjectSecret[]> {
    return this.secrets.list(projectId)
  }

  @Mutation(() => IssuedProjectSecretKeyType, {
    description:
      "Makes a secret key; a project has at most two, so that one can replace the other. For admins and owners.",
  })
  createProjectSecretKey(
    @ProjectScope("project:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
  ): Promise<IssuedProjectSecret> {
    return this.secrets.create(requireCaller(context), projectId)
  }

  @Mutation(() => Boolean, { description: "Ends a secret key at once. For admins and owners. Always true." })
  async revokeProjectSecretKey(
    @ProjectScope("project:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "Id of the key." }) id: string,
  ): Promise<boolean> {
    await this.secrets.revoke(requireCaller(context), projectId, id)
    return true
  }
}
