import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { ProjectScope, requireCaller } from "../../access/index.js"
import {
  type IssuedShareLink,
  IssuedShareLinkType,
  type ShareLink,
  ShareLinkInput,
  ShareLinkType,
} from "./share-link.graphql.js"
import type { ShareLinksService } from "./share-links.service.js"

const SHORT_ID = { description: "Eight characters that name the dashboard." }

/** GraphQL operations on links to dashboards. */
@Resolver(() => ShareLinkType)
export class ShareLinksResolver {
  constructor(private readonly links: ShareLinksService) {}

  @Query(() => [ShareLinkType], { description: "Live links to a dashboard, newest first." })
  dashboardShareLinks(
    @ProjectScope("sharing_configuration:read") projectId: ProjectId,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
  ): Promise<ShareLink[]> {
    return this.links.list(projectId, shortId)
  }

  @Mutation(() => IssuedShareLinkType, {
    description: "Makes a link to a dashboard. Needs `query:read` too: it opens what its tiles come to.",
  })
  createDashboardShareLink(
    @ProjectScope("sharing_configuration:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
    @Arg("input", () => ShareLinkInput, { description: "The link." }) input: ShareLinkInput,
  ): Promise<IssuedShareLink> {
    const requireMayShow = () => context.access.requireProject(context, String(projectId), "query:read")
    return this.links.create(projectId, requireCaller(context).userId, shortId, input, requireMayShow)
  }

  @Mutation(() => Boolean, { description: "Ends a link at once. Always true." })
  async revokeDashboardShareLink(
    @ProjectScope("sharing_configuration:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "Id of the link." }) id: string,
  ): Promise<boolean> {
    await this.links.revoke(projectId, requireCaller(context).userId, id)
    return true
  }
}
