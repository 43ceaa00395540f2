import type { ProjectId } from "../../../kernel/ids.js"
import type { EventLookup, ProjectLookup } from "../persons.types.js"
import { isGroupIdentify } from "./event-names.js"
import { readGroupName } from "./group-registry.js"
import { readMergeRequest } from "./merge-request.js"
import type { PersonEvent } from "./process.types.js"

type LookupEvent = Pick<PersonEvent, "event" | "distinctId" | "properties">

/** What has to be loaded before an event may be processed. Most events need nothing but the person of their distinct id. */
export function readEventLookup(event: LookupEvent): EventLookup {
  const merge = readMergeRequest(event)
  return {
    distinctId: event.distinctId,
    merging: merge === null ? null : [merge.source, merge.target],
    group: isGroupIdentify(event.event) ? readGroupName(event.properties) : null,
  }
}

/** Joins the lookups of some events of one project into one, each key once, in the order of the events. */
export function toProjectLookup(projectId: ProjectId, lookups: Iterable<EventLookup>): ProjectLookup {
  const distinctIds = new Set<string>()
  const mergingDistinctIds = new Set<string>()
  const groups = new Map<string, { typeName: string; key: string }>()
  for (const { distinctId, merging, group } of lookups) {
    distinctIds.add(distinctId)
    for (const id of merging ?? []) {
      distinctIds.add(id)
      mergingDistinctIds.add(id)
    }
    if (group !== null) groups.set(JSON.stringify(group), group)
  }
  return {
    projectId,
    distinctIds: [...distinctIds],
    mergingDistinctIds: [...mergingDistinctIds],
    groups: [...groups.values()],
  }
}

/** What has to be loaded before these events of one project may be processed. */
export const collectLookup = (projectId: ProjectId, events: readonly LookupEvent[]): ProjectLookup =>
  toProjectLookup(projectId, events.map(readEventLookup))
