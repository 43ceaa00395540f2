import { Arg, Ctx, ID, Mutation, Resolver } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Principal, RequestContext } from "../../../kernel/request-context.js"
import { PrincipalScope, ProjectScope, requireCaller } from "../../access/index.js"
import type { ProjectDeletionsService } from "./project-deletions.service.js"

const NAME = { description: "Its name, so that nothing else is deleted." }

/** GraphQL operations that delete projects and organizations. */
@Resolver()
export class ProjectDeletionsResolver {
  constructor(private readonly service: ProjectDeletionsService) {}

  @Mutation(() => Boolean, {
    description:
      "Deletes a project for good, with all that it has: keys and records at once, events, persons and recordings within minutes. Not the last one. For admins and owners. Always true.",
  })
  async deleteProject(
    @ProjectScope("project:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("name", () => String, NAME) name: string,
  ): Promise<boolean> {
    await this.service.deleteProject(requireCaller(context), projectId, name)
    return true
  }

  @Mutation(() => Boolean, {
    description:
      "Deletes an organization for good, with all its projects as `deleteProject` does, memberships and invitations; users stay. For owners. Always true.",
  })
  async deleteOrganization(
    @PrincipalScope("organization:write") principal: Principal,
    @Arg("id", () => ID, { description: "UUID of the organization." }) id: string,
    @Arg("name", () => String, NAME) name: string,
  ): Promise<boolean> {
    await this.service.deleteOrganization(principal, id, name)
    return true
  }
}
