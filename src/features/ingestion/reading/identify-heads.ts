import {
  identifyVisitors,
  ownId,
  removeTraces,
  type VisitorIdentity,
  type VisitorStore,
  writeIdentity,
} from "../../cookieless/index.js"
import type { AskedOfEvent } from "../../persons/index.js"
import type { LoggedEvent } from "../ingestion.types.js"
import type { EventHead } from "./read-requests.js"

/**
 * Gives events without cookies the ids of their visitors. Those at the `known` indexes were stored before: a retry is no other
 * login and begins no session.
 */
export async function identifyHeads(
  store: VisitorStore,
  heads: readonly EventHead[],
  known: ReadonlySet<number>,
): Promise<readonly EventHead[]> {
  const visits = heads.flatMap(({ projectId, visit }, index) =>
    visit === null || known.has(index) ? [] : [{ projectId, ...visit }],
  )
  if (visits.length === 0) return heads
  const visitors = (await identifyVisitors(store, visits)).values()
  return heads.map((head, index) =>
    head.visit === null || known.has(index) ? head : withVisitor(head, visitors.next().value as VisitorIdentity),
  )
}

const withVisitor = (head: EventHead, visitor: VisitorIdentity): EventHead => ({
  ...head,
  visitor,
  distinctId: ownId(head.distinctId, visitor),
  asked: head.asked && askedOf(head.asked, visitor),
})

const askedOf = ({ distinctId, merging, group }: AskedOfEvent, visitor: VisitorIdentity): AskedOfEvent => ({
  distinctId: ownId(distinctId, visitor),
  merging: merging && [ownId(merging[0], visitor), ownId(merging[1], visitor)],
  group,
})

/** The event as its visitor's, whose properties nobody else has; as it is when it is none without cookies. */
export function asVisitors(event: LoggedEvent, { visitor }: EventHead): LoggedEvent {
  if (visitor === null) return event
  writeIdentity(event.properties, visitor)
  return { ...event, distinctId: ownId(event.distinctId, visitor) }
}

/** The same with nothing left that tells who the visitor was, for a place where nobody enriches it. */
export function withoutTraces(event: LoggedEvent, head: EventHead): LoggedEvent {
  if (head.visitor === null) return event
  const visitors = asVisitors(event, head)
  removeTraces(visitors.properties)
  return { ...visitors, clientIp: "" }
}
