import type { GraphQLResolveInfo } from "graphql"
import { Arg, Args, Ctx, Extensions, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from "type-graphql"
import { orNotFound } from "../../kernel/errors.js"
import { isUuid, type ProjectId, type UserId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import { RECORDINGS_PAGE_SIZE } from "../../kernel/paging.js"
import { createLookUpLoader, type InProject } from "../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { type Connection, readConnection } from "../../platform/graphql/connection.js"
import { JsonScalar } from "../../platform/graphql/scalars.js"
import { type BasicUser, ProjectScope, requireCaller } from "../access/index.js"
import type { PersonLoaders } from "../persons/index.js"
import { toRecordingFilter } from "./filter/to-recording-filter.js"
import { toRecordedPerson, toUnknownPerson } from "./recorded-person.js"
import {
  RecordedPersonType,
  RecordingConnection,
  RecordingFilterInput,
  RecordingOrderEnum,
  RecordingPageArgs,
  RecordingType,
  SnapshotSourceType,
} from "./recordings.graphql.js"
import type { RecordingsService } from "./recordings.service.js"
import type { RecordedPerson, Recording, SnapshotSource } from "./recordings.types.js"

const READ = "session_recording:read"
const WRITE = "session_recording:write"
const ID_OF_SESSION = { description: "Id of the recorded session." }
/** Points of an operation's cost: a list adds sessions up, and 20 stretches may be 20 MB. */
const LIST_COST = 50
const SNAPSHOTS_COST = 1000

/** Loaders of what recordings show of other records. */
export interface RecordingLoaders {
  readonly persons: Pick<PersonLoaders, "byDistinctId" | "distinctIds">
  /** Who has viewed a session, the first viewer first. */
  readonly viewers: LoaderFactory<InProject<string>, readonly UserId[]>
  readonly users: LoaderFactory<UserId, BasicUser | null>
}

/** That somebody has seen a recording is theirs alone. */
const OWN_NOTE = { openToViewers: true } as const

/** GraphQL operations on recordings. */
@Resolver(() => RecordingType)
export class RecordingsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, Recording | null>

  constructor(
    private readonly recordings: RecordingsService,
    private readonly loaders: RecordingLoaders,
  ) {
    this.lookUp = createLookUpLoader(
      (projectId, sessionIds) => recordings.findMany(projectId, sessionIds),
      ({ sessionId }) => toLookUpKey(sessionId),
    )
  }

  @Extensions({ cost: LIST_COST, pageSize: RECORDINGS_PAGE_SIZE })
  @Query(() => RecordingConnection, {
    description: "Recordings, by default those of the last three days, newest first.",
  })
  async sessionRecordings(
    @ProjectScope(READ) projectId: ProjectId,
    @Args(() => RecordingPageArgs) paging: RecordingPageArgs,
    @Arg("filter", () => RecordingFilterInput, { nullable: true, description: "Which ones." })
    filter: RecordingFilterInput | undefined,
    @Arg("orderBy", () => RecordingOrderEnum, { nullable: true, description: "Start time when absent." })
    by: RecordingOrderEnum | undefined,
    @Arg("descending", () => Boolean, { nullable: true, description: "True when absent." })
    descending: boolean | undefined,
    @Arg("recordingsQuery", () => JsonScalar, {
      nullable: true,
      description: "Fields of a RecordingsQuery as REST has them, in place of filter and order.",
    })
    recordingsQuery: Json | undefined,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<Recording>> {
    const order = { by: by ?? RecordingOrderEnum.START_TIME, descending: descending ?? true }
    return readConnection(
      paging,
      ["recordings", projectId, filter, order, recordingsQuery],
      (page) =>
        recordingsQuery == null
          ? this.recordings.list(projectId, toRecordingFilter(filter ?? {}), order, page)
          : this.recordings.listByQuery(projectId, recordingsQuery, page),
      { defaultSize: RECORDINGS_PAGE_SIZE, info },
    )
  }

  @Query(() => RecordingType, { description: "One recording." })
  async sessionRecording(
    @ProjectScope(READ) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, ID_OF_SESSION) id: string,
  ): Promise<Recording> {
    const found = await context.loader(this.lookUp).load({ projectId, key: toLookUpKey(id) })
    return orNotFound(found, "Recording not found")
  }

  @Query(() => [SnapshotSourceType], { description: "Stretches of a recording, in the order of time." })
  sessionRecordingSnapshotSources(
    @ProjectScope(READ) projectId: ProjectId,
    @Arg("id", () => ID, ID_OF_SESSION) id: string,
  ): Promise<SnapshotSource[]> {
    return this.recordings.sources(projectId, id)
  }

  @Extensions({ cost: SNAPSHOTS_COST })
  @Query(() => [String], { description: "Recorded items as lines of JSON, `[window id, rrweb event]` each." })
  sessionRecordingSnapshots(
    @ProjectScope(READ) projectId: ProjectId,
    @Arg("id", () => ID, ID_OF_SESSION) id: string,
    @Arg("startBlobKey", () => String, { description: "Key of the first stretch." }) startKey: string,
    @Arg("endBlobKey", () => String, { description: "Key of the last stretch; at most 20 at once." }) endKey: string,
  ): Promise<string[]> {
    return this.recordings.lines(projectId, id, startKey, endKey)
  }

  @Mutation(() => RecordingType, { description: "Notes that the caller has viewed or analyzed a recording." })
  markSessionRecording(
    @ProjectScope(WRITE, "projectId", OWN_NOTE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, ID_OF_SESSION) id: string,
    @Arg("viewed", () => Boolean, { nullable: true, description: "True marks it as viewed." }) viewed?: boolean,
    @Arg("analyzed", () => Boolean, { nullable: true, description: "Accepted; nothing is kept of it." })
    analyzed?: boolean,
  ): Promise<Recording> {
    return this.recordings.mark(projectId, id, requireCaller(context).userId, { viewed, analyzed })
  }

  @Mutation(() => Int, {
    description: "Marks 1 to 20 recordings as viewed by the caller, or no longer; tells how many of them there are.",
  })
  markSessionRecordings(
    @ProjectScope(WRITE, "projectId", OWN_NOTE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("ids", () => [ID], { description: "Ids of recorded sessions." }) ids: string[],
    @Arg("viewed", () => Boolean, { description: "False takes the mark away." }) viewed: boolean,
  ): Promise<number> {
    return this.recordings.markAll(projectId, ids, requireCaller(context).userId, viewed)
  }

  @Mutation(() => Int, { description: "Deletes 1 to 20 recordings for good; tells how many of them there were." })
  deleteSessionRecordings(
    @ProjectScope(WRITE) projectId: ProjectId,
    @Arg("ids", () => [ID], { description: "Ids of recorded sessions." }) ids: string[],
  ): Promise<number> {
    return this.recordings.deleteAll(projectId, ids)
  }

  @Mutation(() => Boolean, { description: "Deletes a recording for good. Always true." })
  async deleteSessionRecording(
    @ProjectScope(WRITE) projectId: ProjectId,
    @Arg("id", () => ID, ID_OF_SESSION) id: string,
  ): Promise<boolean> {
    await this.recordings.delete(projectId, id)
    return true
  }

  @FieldResolver(() => Boolean, { description: "Whether the caller has marked it as viewed." })
  async viewed(@Root() recording: Recording, @Ctx() context: RequestContext): Promise<boolean> {
    return (await this.listViewers(recording, context)).includes(requireCaller(context).userId)
  }

  @FieldResolver(() => [String], { description: "E-mail addresses of other users who viewed it." })
  async viewers(@Root() recording: Recording, @Ctx() context: RequestContext): Promise<string[]> {
    const caller = requireCaller(context).userId
    const others = (await this.listViewers(recording, context)).filter((userId) => userId !== caller)
    const users = await Promise.all(others.map((userId) => context.loader(this.loaders.users).load(userId)))
    return users.flatMap((user) => (user === null ? [] : [user.email]))
  }

  @FieldResolver(() => RecordedPersonType, { description: "Who was recorded." })
  async person(@Root() recording: Recording, @Ctx() context: RequestContext): Promise<RecordedPerson> {
    const { projectId, distinctId } = recording
    const { byDistinctId, distinctIds } = this.loaders.persons
    const person = await context.loader(byDistinctId).load({ projectId, key: distinctId })
    if (person === null) return toUnknownPerson(projectId, distinctId)
    return toRecordedPerson(recording, person, await context.loader(distinctIds).load({ projectId, key: person.id }))
  }

  private listViewers({ projectId, sessionId }: Recording, context: RequestContext): Promise<readonly UserId[]> {
    return context.loader(this.loaders.viewers).load({ projectId, key: sessionId })
  }
}

/** UUIDs name a session in any case. */
const toLookUpKey = (id: string): string => (isUuid(id) ? id.toLowerCase() : id)
