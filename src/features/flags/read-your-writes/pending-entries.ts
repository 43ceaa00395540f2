import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { EntryIndex } from "./entry-index.js"
import type { PendingEvent } from "./pending-changes.types.js"

/** A pending event and what it is about. */
export interface PendingEntry extends PendingEvent {
  readonly projectId: ProjectId
  /** What the event is about: its own id and those it joins, or one group. */
  readonly subjects: readonly string[]
  /** Types of the groups it is about. */
  readonly groupTypes: readonly string[]
}

interface Kept extends PendingEntry {
  readonly sequence: number
  /** About as many as the JSON of its properties has. */
  readonly characters: number
}

/** Pending events by what they are about. Beyond a bound the oldest are forgotten. */
export class PendingEntries {
  readonly #kept = new Set<Kept>()
  readonly #bySubject = new EntryIndex<Kept>()
  readonly #byGroupType = new EntryIndex<Kept>()
  readonly #maxEvents: number
  readonly #maxCharacters: number
  #characters = 0
  #nextSequence = 0

  constructor(maxEvents: number, maxCharacters: number) {
    this.#maxEvents = maxEvents
    this.#maxCharacters = maxCharacters
  }

  add(entry: PendingEntry): void {
    const kept = { ...entry, sequence: this.#nextSequence++, characters: charactersOf(entry.event.properties) }
    this.#kept.add(kept)
    this.#characters += kept.characters
    this.#bySubject.add(kept, kept.subjects)
    this.#byGroupType.add(kept, kept.groupTypes)
    for (const oldest of this.#kept) {
      if (this.#kept.size <= this.#maxEvents && this.#characters <= this.#maxCharacters) break
      this.#remove(oldest)
    }
  }

  /** Forgets those that meet a condition, and answers them, oldest first. */
  take(condition: (entry: PendingEntry) => boolean): PendingEntry[] {
    const taken = [...this.#kept].filter(condition)
    for (const entry of taken) this.#remove(entry)
    return taken
  }

  /** Rows that hold any. */
  rowIds(): string[] {
    return [...new Set([...this.#kept].map(({ rowId }) => rowId))]
  }

  /** Whether any is about persons or groups of the project. */
  concerns(projectId: ProjectId): boolean {
    return this.#bySubject.holds(projectId)
  }

  /** Projects of whose groups any are. */
  projectsWithGroups(): ProjectId[] {
    return this.#byGroupType.projectIds()
  }

  /** Group types of a project that any is about. */
  groupTypes(projectId: ProjectId): Iterable<string> {
    return this.#byGroupType.names(projectId)
  }

  /** Those about one group type, in any order. */
  ofGroupType(projectId: ProjectId, typeName: string): Iterable<PendingEntry> {
    return this.#byGroupType.get(projectId, typeName)
  }

  /** Those about groups of whatever type, in order of arrival. */
  aboutGroups(projectId: ProjectId): PendingEntry[] {
    return [...this.#byGroupType.all(projectId)].sort(byArrival)
  }

  /** Those about these subjects and about subjects that they join to them, in order of arrival. */
  reachedFrom(projectId: ProjectId, subjects: readonly string[]): PendingEntry[] {
    const reached = new Set<string>()
    const found = new Set<Kept>()
    const waiting = [...subjects]
    for (let subject = waiting.pop(); subject !== undefined; subject = waiting.pop()) {
      if (reached.has(subject)) continue
      reached.add(subject)
      for (const entry of this.#bySubject.get(projectId, subject)) {
        found.add(entry)
        waiting.push(...entry.subjects)
      }
    }
    return [...found].sort(byArrival)
  }

  #remove(entry: Kept): void {
    this.#kept.delete(entry)
    this.#characters -= entry.characters
    this.#bySubject.remove(entry, entry.subjects)
    this.#byGroupType.remove(entry, entry.groupTypes)
  }
}

/** Counts without making the text: only the bound is at stake. */
function charactersOf(value: Json): number {
  if (typeof value === "string") return value.length + 2
  if (typeof value !== "object" || value === null) return 8
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + charactersOf(one), 2)
  let sum = 2
  for (const key in value) sum += key.length + 4 + charactersOf(value[key] as Json)
  return sum
}

/** Rows are worked on in the order of their numbers, which may have more digits than a double holds. */
export const compareRowIds = (left: string, right: string): number =>
  left.length - right.length || (left < right ? -1 : Number(left > right))

const byArrival = (left: Kept, right: Kept): number =>
  compareRowIds(left.rowId, right.rowId) || left.sequence - right.sequence
