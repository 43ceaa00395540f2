import type { GraphQLResolveInfo } from "graphql"
import { Arg, Args, Ctx, Extensions, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from "type-graphql"
import { orNotFound } from "../../kernel/errors.js"
import { asUserId, type ProjectId, type UserId } from "../../kernel/ids.js"
import { RECORDINGS_PAGE_SIZE } from "../../kernel/paging.js"
import { createLookUpLoader, type InProject } from "../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { withoutNulls } from "../../kernel/without-nulls.js"
import { type Connection, ConnectionArgs, readConnection } from "../../platform/graphql/connection.js"
import { JsonScalar } from "../../platform/graphql/scalars.js"
import { type BasicUser, BasicUserType, ProjectScope, requireCaller } from "../access/index.js"
import { type Recording, RecordingConnection, RecordingPageArgs } from "../recordings/index.js"
import { toKind } from "./playlist-kind.js"
import type { PlaylistRecordingsService } from "./playlist-recordings.service.js"
import {
  PlaylistConnection,
  PlaylistFilterInput,
  PlaylistInput,
  PlaylistKindEnum,
  PlaylistOrderEnum,
  PlaylistType,
} from "./playlists.graphql.js"
import type { PlaylistsService } from "./playlists.service.js"
import type { Playlist, PlaylistFilter } from "./playlists.types.js"
import type { RecordingsCounts, RecordingsCountsLoader } from "./recordings-counts.js"

const SHORT_ID = { description: "Eight characters that name the playlist." }
const SESSION_IDS = { description: "Ids of recorded sessions." }
const SESSION_ID = { description: "Id of a recorded session." }

/** GraphQL operations on playlists. */
@Resolver(() => PlaylistType)
export class PlaylistsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, Playlist | null>
  private readonly lookUpByNumber: LoaderFactory<InProject<string>, Playlist | null>

  constructor(
    private readonly playlists: PlaylistsService,
    private readonly attached: PlaylistRecordingsService,
    private readonly recordingsCountsLoader: (context: RequestContext) => RecordingsCountsLoader,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {
    this.lookUp = createLookUpLoader(playlists.findMany, ({ shortId }) => shortId)
    this.lookUpByNumber = createLookUpLoader(
      (projectId, numbers) => playlists.findNumbered(projectId, numbers.map(Number)),
      ({ id }) => String(id),
    )
  }

  @Query(() => PlaylistConnection, { description: "Playlists that are not deleted, newest change first." })
  async sessionRecordingPlaylists(
    @ProjectScope("session_recording_playlist:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
    @Arg("filter", () => PlaylistFilterInput, { nullable: true, description: "Which ones." })
    filter: PlaylistFilterInput | undefined,
    @Arg("orderBy", () => PlaylistOrderEnum, { nullable: true, description: "Time of the last change when absent." })
    field: PlaylistOrderEnum | undefined,
    @Arg("descending", () => Boolean, { nullable: true, description: "False when absent; counts with `orderBy`." })
    descending: boolean | undefined,
  ): Promise<Connection<Playlist>> {
    const order = field == null ? undefined : { field, descending: descending ?? false }
    const wanted = toFilter(filter ?? {}, context)
    return readConnection(paging, ["playlists", projectId, wanted, order], (page) =>
      this.playlists.list(projectId, wanted, page, order),
    )
  }

  @Query(() => PlaylistType, { description: "One playlist by its short id." })
  async sessionRecordingPlaylist(
    @ProjectScope("session_recording_playlist:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
  ): Promise<Playlist> {
    return orNotFound(await context.loader(this.lookUp).load({ projectId, key: shortId }))
  }

  @Query(() => PlaylistType, { description: "One playlist by its number." })
  async sessionRecordingPlaylistByNumber(
    @ProjectScope("session_recording_playlist:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("number", () => Int, { description: "Number of the playlist." }) number: number,
  ): Promise<Playlist> {
    return orNotFound(await context.loader(this.lookUpByNumber).load({ projectId, key: String(number) }))
  }

  @Mutation(() => PlaylistType, { description: "Creates a playlist." })
  createSessionRecordingPlaylist(
    @ProjectScope("session_recording_playlist:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("input", () => PlaylistInput, { description: "The fields to set." }) input: PlaylistInput,
  ): Promise<Playlist> {
    return this.playlists.create(projectId, requireCaller(context).userId, input)
  }

  @Mutation(() => PlaylistType, {
    description: "Changes a playlist; `deleted: true` deletes it softly, false restores it.",
  })
  updateSessionRecordingPlaylist(
    @ProjectScope("session_recording_playlist:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
    @Arg("input", () => PlaylistInput, { description: "The fields to set." }) input: PlaylistInput,
  ): Promise<Playlist> {
    return this.playlists.update(projectId, requireCaller(context).userId, shortId, input)
  }

  @Extensions({ pageSize: RECORDINGS_PAGE_SIZE })
  @Query(() => RecordingConnection, { description: "Recordings attached to a playlist, newest attachment first." })
  async sessionRecordingPlaylistRecordings(
    @ProjectScope("session_recording_playlist:read") projectId: ProjectId,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
    @Args(() => RecordingPageArgs) paging: RecordingPageArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<Recording>> {
    return readConnection(
      paging,
      ["playlist recordings", projectId, shortId],
      (page) => this.attached.list(projectId, shortId, page),
      { defaultSize: RECORDINGS_PAGE_SIZE, info },
    )
  }

  @Extensions({ pageSize: RECORDINGS_PAGE_SIZE })
  @Query(() => RecordingConnection, { description: "Recordings that the saved filters of a playlist find now." })
  async sessionRecordingPlaylistMatches(
    @ProjectScope("session_recording:read") projectId: ProjectId,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
    @Args(() => RecordingPageArgs) paging: RecordingPageArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<Recording>> {
    return readConnection(
      paging,
      ["playlist matches", projectId, shortId],
      (page) => this.attached.listMatches(projectId, shortId, page),
      { defaultSize: RECORDINGS_PAGE_SIZE, info },
    )
  }

  @Mutation(() => Boolean, { description: "Attaches a session to a playlist; may be repeated. Always true." })
  async attachSessionRecording(
    @ProjectScope("session_recording_playlist:write") projectId: ProjectId,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
    @Arg("sessionRecordingId", () => ID, SESSION_ID) sessionId: string,
  ): Promise<boolean> {
    await this.attached.attach(projectId, shortId, [sessionId])
    return true
  }

  @Mutation(() => Boolean, { description: "Detaches a session from a playlist; may be repeated. Always true." })
  async detachSessionRecording(
    @ProjectScope("session_recording_playlist:write") projectId: ProjectId,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
    @Arg("sessionRecordingId", () => ID, SESSION_ID) sessionId: string,
  ): Promise<boolean> {
    await this.attached.detach(projectId, shortId, [sessionId])
    return true
  }

  @Mutation(() => Int, { description: "Attaches 1 to 20 sessions; tells how many were not attached before." })
  attachSessionRecordings(
    @ProjectScope("session_recording_playlist:write") projectId: ProjectId,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
    @Arg("sessionRecordingIds", () => [ID], SESSION_IDS) sessionIds: string[],
  ): Promise<number> {
    return this.attached.attach(projectId, shortId, sessionIds)
  }

  @Mutation(() => Int, { description: "Detaches 1 to 20 sessions; tells how many were attached." })
  detachSessionRecordings(
    @ProjectScope("session_recording_playlist:write") projectId: ProjectId,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
    @Arg("sessionRecordingIds", () => [ID], SESSION_IDS) sessionIds: string[],
  ): Promise<number> {
    return this.attached.detach(projectId, shortId, sessionIds)
  }

  @FieldResolver(() => PlaylistKindEnum, { description: "`FILTERS` when there are saved filters." })
  type(@Root() { filters }: Playlist): PlaylistKindEnum {
    return toKind(filters)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who created it." })
  createdBy(@Root() playlist: Playlist, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return this.user(context, playlist.createdById)
  }

  @FieldResolver(() => BasicUserType, {
    nullable: true,
    description: "Who last changed its name, description or filters.",
  })
  lastModifiedBy(@Root() playlist: Playlist, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return this.user(context, playlist.lastModifiedById)
  }

  @FieldResolver(() => JsonScalar, {
    description:
      "Counts of recordings, `collection` of those attached and `saved_filters` of those that the filters found when they were last counted, each with how many the caller has viewed; null where nothing was counted.",
  })
  recordingsCounts(@Root() playlist: Playlist, @Ctx() context: RequestContext): Promise<RecordingsCounts> {
    return this.recordingsCountsLoader(context).load(playlist.id)
  }

  private async user(context: RequestContext, id: number | null): Promise<BasicUser | null> {
    return id === null ? null : context.loader(this.userLoader).load(asUserId(id))
  }
}

function toFilter(filter: PlaylistFilterInput, context: RequestContext): PlaylistFilter {
  const { mine, createdBy, ...rest } = withoutNulls(filter)
  if (mine === true) return { ...rest, createdBy: requireCaller(context).userId }
  return createdBy === undefined ? rest : { ...rest, createdBy: asUserId(createdBy) }
}
