import { Arg, Args, Query, Resolver } from "type-graphql"
import type { ProjectId } from "../../kernel/ids.js"
import { type Connection, ConnectionArgs, readConnection } from "../../platform/graphql/connection.js"
import { type Activity, ActivityConnection, ProjectScope } from "../access/index.js"
import type { PlaylistsService } from "./playlists.service.js"

/** GraphQL operations on what became of a playlist. */
@Resolver()
export class PlaylistActivityResolver {
  constructor(private readonly playlists: Pick<PlaylistsService, "activity">) {}

  @Query(() => ActivityConnection, {
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
}
