import { Arg, FieldResolver, Resolver, Root, Subscription } from "type-graphql"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"
import { ProjectScope } from "../../access/index.js"
import { RecordingType } from "../recordings.graphql.js"
import type { RecordingsService } from "../recordings.service.js"
import type { Recording } from "../recordings.types.js"
import { readChangeCursor } from "./change-cursor.graphql.js"
import { RecordingChangeType } from "./recording-changes.graphql.js"
import type { RecordingChangesService } from "./recording-changes.service.js"

const SCOPE = "session_recording:read"

interface WatchArguments {
  readonly projectId: string
  readonly since?: string | null
}

/** GraphQL subscription to recordings that start and end. */
@Resolver(() => RecordingChangeType)
export class RecordingChangesResolver {
  constructor(
    private readonly changes: RecordingChangesService,
    private readonly recordings: Pick<RecordingsService, "get">,
  ) {}

  @Subscription(() => RecordingChangeType, {
    description: "Recordings of the project that start and end, from now on or from a cursor on.",
    subscribe: async ({ args, context }: { args: WatchArguments; context: RequestContext }) => {
      const projectId = await context.access.requireProject(context, args.projectId, SCOPE)
      const since = readChangeCursor(projectId, context.resumesAfter ?? args.since ?? null)
      return context.findResolver(RecordingChangesResolver).changes.watch(projectId, since)
    },
  })
  sessionRecordingChanges(
    @ProjectScope(SCOPE) _projectId: ProjectId,
    @Arg("since", () => String, {
      nullable: true,
      description: "Cursor of the last change that was received: goes on behind it, also on another process.",
    })
    _since: string | undefined,
    @Root() change: RecordingChangeType,
  ): RecordingChangeType {
    return change
  }

  @FieldResolver(() => DateTimeScalar, {
    description: "When its first data was accepted, or when it had been idle for five minutes.",
  })
  at(@Root() { atMs }: RecordingChangeType): Date {
    return new Date(atMs)
  }

  @FieldResolver(() => RecordingType, { nullable: true, description: "The recording; null when it has been deleted." })
  async recording(@Root() { projectId, sessionId }: RecordingChangeType): Promise<Recording | null> {
    try {
      return await this.recordings.get(projectId, sessionId)
    } catch (failure) {
      if (failure instanceof AppError && failure.code === "not_found") return null
      throw failure
    }
  }
}
