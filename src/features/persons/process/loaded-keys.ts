import type { EventLookup, ProjectFacts, ProjectLookup } from "../persons.types.js"

/** Which distinct ids and groups of one project have been loaded so far. */
export class LoadedKeys {
  private readonly distinctIds = new Set<string>()
  private readonly groups = new Set<string>()

  add({ distinctIds, groups }: ProjectLookup, { notLoaded }: Pick<ProjectFacts, "notLoaded">): void {
    for (const distinctId of distinctIds) this.distinctIds.add(distinctId)
    for (const group of groups) this.groups.add(toGroupKey(group))
    for (const distinctId of notLoaded?.distinctIds ?? []) this.distinctIds.delete(distinctId)
    for (const group of notLoaded?.groups ?? []) this.groups.delete(toGroupKey(group))
  }

  /** Whether all that an event needs is loaded. */
  has({ distinctId, merging, group }: EventLookup): boolean {
    return (
      this.distinctIds.has(distinctId) &&
      (merging === null || merging.every((id) => this.distinctIds.has(id))) &&
      (group === null || this.groups.has(toGroupKey(group)))
    )
  }

  /**
   * What of a lookup is still to be loaded, or null. Ids that take part in a merge are loaded again each time, because the other
   * ids of their persons may never have been.
   */
  findMissing({ projectId, distinctIds, mergingDistinctIds, groups }: ProjectLookup): ProjectLookup | null {
    const merging = new Set(mergingDistinctIds)
    const newIds = distinctIds.filter((distinctId) => merging.has(distinctId) || !this.distinctIds.has(distinctId))
    const newGroups = groups.filter((group) => !this.groups.has(toGroupKey(group)))
    if (newIds.length === 0 && newGroups.length === 0) return null
    return { projectId, distinctIds: newIds, mergingDistinctIds, groups: newGroups }
  }
}

const toGroupKey = ({ typeName, key }: ProjectLookup["groups"][number]): string => JSON.stringify([typeName, key])
