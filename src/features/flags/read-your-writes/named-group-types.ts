import type { ProjectId } from "../../../kernel/ids.js"
import { isGroupIdentify, MAX_GROUP_TYPES, readNamedGroups } from "../../persons/index.js"
import type { AcceptedEvent } from "./pending-changes.types.js"
import { compareRowIds, type PendingEntries, type PendingEntry } from "./pending-entries.js"

type NamedGroups = ReturnType<typeof readNamedGroups>

/** Which types of groups have been named before: those of pending events, and those that ingestion has dealt with. */
export class NamedGroupTypes {
  /** Types that ingestion has dealt with: they have their places, or there was none left. */
  readonly #settled = new Map<ProjectId, Set<string>>()
  readonly #pending: PendingEntries

  constructor(pending: PendingEntries) {
    this.#pending = pending
  }

  /**
   * Groups of an event whose type nothing before its row has named, as far as there are places for them.
   * @param rowId null while the row is not known; then everything pending counts as before it.
   */
  newlyNamed(projectId: ProjectId, event: AcceptedEvent, rowId: string | null): NamedGroups {
    if (event.properties.$groups === undefined && !isGroupIdentify(event.event)) return []
    const settled = this.#settled.get(projectId)
    if (settled?.size === MAX_GROUP_TYPES) return []
    const groups = readNamedGroups(event).filter(
      ([type]) => !settled?.has(type) && !this.#isNamed(projectId, type, rowId),
    )
    return groups.length === 0 || this.#hasFreePlace(projectId) ? groups.slice(0, MAX_GROUP_TYPES) : []
  }

  /** Ingestion has stored an event. */
  settle({ projectId, groupTypes }: PendingEntry): void {
    const settled = this.#settled.get(projectId) ?? new Set<string>()
    this.#settled.set(projectId, settled)
    for (const name of groupTypes) if (settled.size < MAX_GROUP_TYPES) settled.add(name)
  }

  /** Mostly the first that is pending answers: there may be thousands. */
  #isNamed(projectId: ProjectId, type: string, rowId: string | null): boolean {
    for (const entry of this.#pending.ofGroupType(projectId, type))
      if (rowId === null || compareRowIds(entry.rowId, rowId) <= 0) return true
    return false
  }

  /** Whether some other name could still get one of the places. */
  #hasFreePlace(projectId: ProjectId): boolean {
    const names = new Set(this.#settled.get(projectId))
    for (const name of this.#pending.groupTypes(projectId)) if (names.size < MAX_GROUP_TYPES) names.add(name)
    return names.size < MAX_GROUP_TYPES
  }
}
