import { isIllegalForMerge, type PersonEvent, readEventLookup } from "../../persons/index.js"

/**
 * The id that an event is about, and the one that it joins to that. A merge that ingestion refuses joins none: all who send the
 * same placeholder, as visitors without cookies do, would else count as connected, and each look at one of them read all.
 */
export function joinedIds(event: PersonEvent): readonly string[] {
  const { distinctId, merging } = readEventLookup(event)
  return merging === null || merging.some(isIllegalForMerge) ? [distinctId] : [...new Set([distinctId, ...merging])]
}
