import DataLoader from "dataloader"
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from "type-graphql"
import { AppError } from "../../../kernel/errors.js"
import { type PersonId, type ProjectId, storedSessionIds } from "../../../kernel/ids.js"
import { createLookUpLoader, type InProject } from "../../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../../kernel/request-context.js"
import { ProjectScope } from "../../access/index.js"
import type { PersonLoaders } from "../directory/person.loader.js"
import { toPersonId } from "../directory/to-person-id.js"
import { type EventElement, readElements } from "./read-elements.js"
import { EventElementType, type StoredEvent, StoredEventArgs, StoredEventType } from "./stored-events.graphql.js"
import { type EventsBy, type EventsWanted, GROUP_TYPES, type StoredEventsService } from "./stored-events.service.js"

const SCOPE = "query:read"

/** The latest events of one session, person or group, or of all. */
interface LatestEvents extends Omit<EventsWanted, "subjects"> {
  readonly projectId: ProjectId
  readonly ids: readonly string[]
}

/** GraphQL operations on stored events. */
@Resolver(() => StoredEventType)
export class StoredEventsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, StoredEvent | null>
  private readonly latest: LoaderFactory<LatestEvents, StoredEvent[]>

  constructor(
    service: StoredEventsService,
    private readonly loaders: Pick<PersonLoaders, "byDistinctId" | "distinctIds">,
  ) {
    this.lookUp = createLookUpLoader(service.findMany, ({ id }) => id)
    this.latest = createLatestLoader(service)
  }

  @Query(() => StoredEventType, { nullable: true, description: "One event by its UUID; null if there is none." })
  event(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "UUID of the event." }) id: string,
  ): Promise<StoredEvent | null> {
    return context.loader(this.lookUp).load({ projectId, key: id.toLowerCase() })
  }

  @Query(() => [StoredEventType], {
    description: "The latest events of a session, person or group, or of all; newest first.",
  })
  async events(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Args(() => StoredEventArgs) { event, from, before, first, ...subject }: StoredEventArgs,
  ): Promise<StoredEvent[]> {
    const times = { event: event ?? null, from: from ?? null, before: before ?? null, first }
    const which = await this.readSubject(projectId, subject, context)
    return context.loader(this.latest).load({ projectId, ...times, ...which })
  }

  @FieldResolver(() => [EventElementType], {
    description: "Elements of the page that it is about, the innermost first; none for most.",
  })
  elements(@Root() { elementsChain }: StoredEvent): EventElement[] {
    return readElements(elementsChain)
  }

  /** Whose events: of a session, of all ids of a person, of a group, or of everybody. */
  private async readSubject(
    projectId: ProjectId,
    {
      sessionId,
      personId,
      distinctId,
      groupKey,
      groupTypeIndex,
    }: Omit<StoredEventArgs, "event" | "from" | "before" | "first">,
    context: RequestContext,
  ): Promise<Pick<LatestEvents, "by" | "ids">> {
    if ([sessionId, personId, distinctId, groupKey].filter((one) => one != null).length > 1)
      throw new AppError("invalid_input", { attr: "sessionId", detail: "Name one session, person or group." })
    if (groupKey != null) return { by: readGroupType(groupTypeIndex), ids: [groupKey] }
    if (sessionId != null) return { by: "session", ids: storedSessionIds([sessionId]) }
    const uuid = personId == null ? null : toPersonId(personId, "personId")
    if (uuid === null && distinctId == null) return { by: "all", ids: [] }
    const load = (id: PersonId) => context.loader(this.loaders.distinctIds).load({ projectId, key: id })
    if (uuid !== null) return { by: "person", ids: await load(uuid) }
    const person = await context.loader(this.loaders.byDistinctId).load({ projectId, key: distinctId ?? "" })
    return { by: "person", ids: person === null ? [distinctId ?? ""] : await load(person.id) }
  }
}

/** @throws AppError invalid_input naming `groupTypeIndex`. */
function readGroupType(index: number | null | undefined): EventsBy {
  const type = GROUP_TYPES[index ?? -1]
  if (type !== undefined) return type
  throw new AppError("invalid_input", { attr: "groupTypeIndex", detail: "groupTypeIndex must be between 0 and 4." })
}

/** Reads what differs only in sessions, only in persons, or only in groups, at once. */
function createLatestLoader(
  service: Pick<StoredEventsService, "listLatest">,
): LoaderFactory<LatestEvents, StoredEvent[]> {
  const toKind = ({ projectId, by, event, from, before, first }: LatestEvents): string =>
    JSON.stringify([projectId, by, event, from, before, first])
  return () =>
    new DataLoader<LatestEvents, StoredEvent[]>(
      async (wanted) => {
        const found: StoredEvent[][] = []
        for (const alike of Map.groupBy(wanted.entries(), ([, one]) => toKind(one)).values()) {
          const [[, kind] = []] = alike
          if (kind === undefined) continue
          const lists = await service.listLatest(kind.projectId, { ...kind, subjects: alike.map(([, { ids }]) => ids) })
          for (const [at, [index]] of alike.entries()) found[index] = lists[at] ?? []
        }
        return found
      },
      { cache: false },
    )
}
