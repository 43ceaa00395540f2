import { Arg, Resolver, Root, Subscription } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { readPlaceCursor } from "../../../platform/graphql/place-cursor.js"
import { ProjectScope } from "../../access/index.js"
import { PropertyFilterInput, toProperties } from "../../queries/index.js"
import { type DeliveredEvent, toLiveIdentity } from "./live-event.types.js"
import { LiveEventType } from "./live-events.graphql.js"
import type { LiveEventsService } from "./live-events.service.js"

/** Whoever may query events may watch them. */
const SCOPE = "query:read"

interface WatchArguments {
  readonly projectId: string
  readonly event?: string | null
  readonly distinctId?: string | null
  readonly properties?: readonly PropertyFilterInput[] | null
  readonly since?: string | null
}

/** GraphQL operations on events as they are stored. */
@Resolver()
export class LiveEventsResolver {
  constructor(private readonly service: LiveEventsService) {}

  @Subscription(() => LiveEventType, {
    description: "Events of the project as they are stored, from now on or from a cursor on, in the order of storing.",
    subscribe: async ({ args, context }: { args: WatchArguments; context: RequestContext }) => {
      const projectId = await context.access.requireProject(context, args.projectId, SCOPE)
      return context.findResolver(LiveEventsResolver).watch(projectId, args, context.resumesAfter ?? args.since ?? null)
    },
  })
  liveEvents(
    @ProjectScope(SCOPE) _projectId: ProjectId,
    @Arg("event", () => String, { nullable: true, description: "Only events of this name." }) _event:
      | string
      | undefined,
    @Arg("distinctId", () => String, { nullable: true, description: "Only events with this distinct id." })
    _distinctId: string | undefined,
    @Arg("properties", () => [PropertyFilterInput], {
      nullable: true,
      description: "Only events for which these hold, all of them.",
    })
    _properties: PropertyFilterInput[] | undefined,
    @Arg("since", () => String, {
      nullable: true,
      description: "Cursor of the last event that was received: goes on behind it, also on another process.",
    })
    _since: string | undefined,
    @Root() event: DeliveredEvent,
  ): DeliveredEvent {
    return event
  }

  private watch(projectId: ProjectId, { event, distinctId, properties }: WatchArguments, since: string | null) {
    const filter = {
      projectId,
      event: event ?? null,
      distinctId: distinctId ?? null,
      properties: toProperties(properties) ?? null,
    }
    return this.service.watch(filter, readPlaceCursor(toLiveIdentity(projectId), since))
  }
}
