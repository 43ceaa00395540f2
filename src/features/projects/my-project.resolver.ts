import { Ctx, FieldResolver, Resolver, Root } from "type-graphql"
import { asProjectId } from "../../kernel/ids.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { MeType, type OrganizationAccess, requireCaller } from "../access/index.js"
import type { ProjectDirectory } from "./project-directory.cache.js"
import { ProjectType } from "./projects.graphql.js"
import type { Project } from "./projects.types.js"

/** Adds the caller's project to `me`, which belongs to a feature that knows no projects. */
@Resolver(() => MeType)
export class MyProjectResolver {
  constructor(
    private readonly directory: Pick<ProjectDirectory, "findById">,
    private readonly organizations: Pick<OrganizationAccess, "visibleTo">,
  ) {}

  @FieldResolver(() => ProjectType, {
    nullable: true,
    description: "What `@current` stands for; null without any, or when the calling key may not see it.",
  })
  async currentProject(@Root() me: MeType, @Ctx() context: RequestContext): Promise<Project | null> {
    const caller = requireCaller(context)
    const project =
      me.currentProjectId === null ? null : await this.directory.findById(asProjectId(me.currentProjectId))
    if (project === null || caller.projectIds?.includes(project.id) === false) return null
    return (await this.organizations.visibleTo(caller)).has(project.organizationId) ? project : null
  }
}
