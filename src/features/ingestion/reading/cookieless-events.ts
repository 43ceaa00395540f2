import {
  identifyVisitors,
  ownId,
  removeTraces,
  type VisitorIdentity,
  type VisitorStore,
  writeIdentity,
} from "../../cookieless/index.js"
import type { LoggedEvent } from "../ingestion.types.js"
import type { EventMeta } from "./scan-requests.js"

/**
 * Gives events without cookies the ids of their visitors. Those at the indexes of `duplicates` were stored before: a retry is no
 * other login and begins no session.
 */
export async function identifyCookielessEvents(
  store: VisitorStore,
  events: readonly EventMeta[],
  duplicates: ReadonlySet<number>,
): Promise<readonly EventMeta[]> {
  const visits = events.flatMap(({ projectId, visit }, index) =>
    visit === null || duplicates.has(index) ? [] : [{ projectId, ...visit }],
  )
  if (visits.length === 0) return events
  const visitors = (await identifyVisitors(store, visits)).values()
  return events.map((event, index) =>
    event.visit === null || duplicates.has(index) ? event : withVisitor(event, visitors.next().value),
  )
}

function withVisitor(event: EventMeta, visitor: VisitorIdentity | undefined): EventMeta {
  if (visitor === undefined) throw new Error("there is no visitor for a visit")
  const { distinctId, lookup } = event
  return {
    ...event,
    visitor,
    distinctId: ownId(distinctId, visitor),
    lookup: lookup && {
      distinctId: ownId(lookup.distinctId, visitor),
      merging: lookup.merging && [ownId(lookup.merging[0], visitor), ownId(lookup.merging[1], visitor)],
      group: lookup.group,
    },
  }
}

/** The event with the ids of its visitor; its properties are changed in place. Other events stay as they are. */
export function toVisitorEvent(event: LoggedEvent, { visitor }: Pick<EventMeta, "visitor">): LoggedEvent {
  if (visitor === null) return event
  writeIdentity(event.properties, visitor)
  return { ...event, distinctId: ownId(event.distinctId, visitor) }
}

/** The same with nothing left that says who the visitor was, for a place where nobody enriches it. */
export function withoutTraces(event: LoggedEvent, meta: Pick<EventMeta, "visitor">): LoggedEvent {
  if (meta.visitor === null) return event
  const visitorEvent = toVisitorEvent(event, meta)
  removeTraces(visitorEvent.properties)
  return { ...visitorEvent, clientIp: "" }
}
