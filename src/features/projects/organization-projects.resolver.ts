import { Ctx, FieldResolver, Resolver, Root } from "type-graphql"
import { asOrganizationId } from "../../kernel/ids.js"
import { MAX_PAGE_SIZE } from "../../kernel/paging.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { grants, OrganizationType, requireCaller } from "../access/index.js"
import { ProjectType } from "./projects.graphql.js"
import type { ProjectsService } from "./projects.service.js"
import type { Project } from "./projects.types.js"

/** Adds its projects to an organization, which belongs to a feature that knows no projects. */
@Resolver(() => OrganizationType)
export class OrganizationProjectsResolver {
  constructor(private readonly service: Pick<ProjectsService, "listOfOrganization">) {}

  @FieldResolver(() => [ProjectType], {
    nullable: true,
    description: `Its projects that the calling key may see, oldest first, at most ${MAX_PAGE_SIZE}; null for a key without organization:read.`,
  })
  async projects(@Root() { id }: OrganizationType, @Ctx() context: RequestContext): Promise<readonly Project[] | null> {
    const caller = requireCaller(context)
    // Organizations are also found under `me`, for which less is needed.
    return grants(caller.scopes, "organization:read")
      ? this.service.listOfOrganization(caller, asOrganizationId(id))
      : null
  }
}
