import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../platform/graphql/connection.js"
import { type Activity, type BasicUser, BasicUserType, ProjectScope } from "../access/index.js"
import { PlaylistActivityConnection, PlaylistActivityType } from "./playlist-activity.graphql.js"
import type { PlaylistsService } from "./playlists.service.js"

/** GraphQL operations on what became of a playlist. */
@Resolver(() => PlaylistActivityType)
export class PlaylistActivityResolver {
  constructor(
    private readonly playlists: Pick<PlaylistsService, "activity">,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {}

  @Query(() => PlaylistActivityConnection, {
    description: "Who made and changed a playlist and how, newest first; of deleted playlists too.",
  })
  async sessionRecordingPlaylistActivity(
    @ProjectScope("session_recording_playlist:read") projectId: ProjectId,
    @Arg("shortId", () => String, { description: "Eight characters that name the playlist." }) shortId: string,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<Activity>> {
    return readConnection(paging, ["playlist activity", projectId, shortId], (page) =>
      this.playlists.activity(projectId, shortId, page),
    )
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who; null when the system itself did it." })
  async user(@Root() { userId }: Activity, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return userId === null ? null : context.loader(this.userLoader).load(userId)
  }
}
