import { Arg, Resolver, Root, Subscription } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { ProjectScope } from "../../access/index.js"
import type { DeliveredEvent } from "./live-event.types.js"
import { LiveEventType } from "./live-events.graphql.js"
import type { LiveEventsService } from "./live-events.service.js"

/** Whoever may query events may watch them. */
const SCOPE = "query:read"

interface WatchArguments {
  readonly projectId: string
  readonly event?: string | null
  readonly distinctId?: string | null
}

/** GraphQL operations on events as they are stored. */
@Resolver()
export class LiveEventsResolver {
  constructor(private readonly service: LiveEventsService) {}

  @Subscription(() => LiveEventType, {
    description: "Events of the project as they are stored, from now on.",
    subscribe: async ({ args, context }: { args: WatchArguments; context: RequestContext }) => {
      const projectId = await context.access.requireProject(context, args.projectId, SCOPE)
      return context.findResolver(LiveEventsResolver).watch(projectId, args)
    },
  })
  liveEvents(
    @ProjectScope(SCOPE) _projectId: ProjectId,
    @Arg("event", () => String, { nullable: true, description: "Only events of this name." }) _event:
      | string
      | undefined,
    @Arg("distinctId", () => String, { nullable: true, description: "Only events with this distinct id." })
    _distinctId: string | undefined,
    @Root() event: DeliveredEvent,
  ): DeliveredEvent {
    return event
  }

  private watch(projectId: ProjectId, { event, distinctId }: WatchArguments) {
    return this.service.watch({ projectId, event: event ?? null, distinctId: distinctId ?? null })
  }
}
