import type { AskedOfEvent, ProjectFacts, ProjectQuestion } from "../persons.types.js"

type AskedGroup = ProjectQuestion["groups"][number]

/** What has been asked about one project and answered so far. */
export class AskedFacts {
  private readonly distinctIds = new Set<string>()
  private readonly groups = new Set<string>()

  add({ distinctIds, groups }: ProjectQuestion, { unanswered }: Pick<ProjectFacts, "unanswered">): void {
    for (const distinctId of distinctIds) this.distinctIds.add(distinctId)
    for (const group of groups) this.groups.add(keyOf(group))
    for (const distinctId of unanswered?.distinctIds ?? []) this.distinctIds.delete(distinctId)
    for (const group of unanswered?.groups ?? []) this.groups.delete(keyOf(group))
  }

  /** Whether all that an event asks for is known. */
  has({ distinctId, merging, group }: AskedOfEvent): boolean {
    return (
      this.distinctIds.has(distinctId) &&
      (merging === null || merging.every((id) => this.distinctIds.has(id))) &&
      (group === null || this.groups.has(keyOf(group)))
    )
  }

  /**
   * What of a question is new, or null. Ids that take part in a merge are asked for again each time, because the other ids of
   * their persons may never have been asked for.
   */
  without({ projectId, distinctIds, mergingDistinctIds, groups }: ProjectQuestion): ProjectQuestion | null {
    const merging = new Set(mergingDistinctIds)
    const newIds = distinctIds.filter((distinctId) => merging.has(distinctId) || !this.distinctIds.has(distinctId))
    const newGroups = groups.filter((group) => !this.groups.has(keyOf(group)))
    if (newIds.length === 0 && newGroups.length === 0) return null
    return { projectId, distinctIds: newIds, mergingDistinctIds, groups: newGroups }
  }
}

const keyOf = ({ typeName, key }: AskedGroup): string => JSON.stringify([typeName, key])
