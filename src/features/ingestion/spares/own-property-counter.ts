import type { ProjectId } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { EVENT_PROPERTY_COLUMNS, SPARE_COLUMN_COUNT } from "../../../kernel/property-columns.js"

/** When a property has earned a spare column (`docs/contract/queries.md#property-columns`). */
export interface SpareRule {
  /** Of so many events of a project one is counted. */
  readonly everyEvents: number
  /** So many counted events are looked at together. */
  readonly countedEvents: number
  /** So many of them must have the property. */
  readonly minEvents: number
}
const STANDARD_RULE: SpareRule = { everyEvents: 10, countedEvents: 1_000, minEvents: 50 }

/** What people filter and break down by is short; the rest would only cost room. */
const MAX_VALUE_CHARACTERS = 200
const MAX_NAME_CHARACTERS = 200
/** Names counted at a time: a sender that makes names up must not fill memory. */
const MAX_NAMES = 1_000
/** Names of what nobody breaks down by, and which should stand in as few places as can be. */
const SECRET = /pass(?:word|wd|phrase)|secret|token|api[_-]?key|credential|authorization/i
const WITH_COLUMN: ReadonlySet<string> = new Set(EVENT_PROPERTY_COLUMNS)

interface Tally {
  events: number
  counted: number
  readonly names: Map<string, number>
}

/** Counts which own properties the events of each project have, in the memory of this process. */
export class OwnPropertyCounter {
  private readonly tallies = new Map<ProjectId, Tally>()
  private readonly earned = new Map<ProjectId, readonly string[]>()

  constructor(private readonly rule: SpareRule = STANDARD_RULE) {}

  /** @param given the properties of the project that have a spare column */
  count(projectId: ProjectId, properties: JsonObject, given: readonly string[]): void {
    if (given.length >= SPARE_COLUMN_COUNT) return
    const tally = this.tallies.get(projectId) ?? { events: 0, counted: 0, names: new Map<string, number>() }
    this.tallies.set(projectId, tally)
    if (++tally.events % this.rule.everyEvents !== 0) return
    for (const name of Object.keys(properties)) {
      const before = tally.names.get(name) ?? (tally.names.size < MAX_NAMES && canHaveSpare(name) ? 0 : null)
      if (before !== null && isShort(properties[name])) tally.names.set(name, before + 1)
    }
    if (++tally.counted < this.rule.countedEvents) return
    this.tallies.delete(projectId)
    const found = this.listEarned(tally, new Set(given))
    if (found.length > 0) this.earned.set(projectId, found)
  }

  /** The properties of these projects that have earned a spare column, most frequent first; each is given once. */
  takeEarned(projectIds: Iterable<ProjectId>): ReadonlyMap<ProjectId, readonly string[]> {
    const taken = new Map<ProjectId, readonly string[]>()
    for (const projectId of projectIds) {
      const names = this.earned.get(projectId)
      if (names !== undefined) taken.set(projectId, names)
      this.earned.delete(projectId)
    }
    return taken
  }

  private listEarned({ names }: Tally, given: ReadonlySet<string>): string[] {
    return [...names]
      .filter(([name, events]) => events >= this.rule.minEvents && !given.has(name))
      .sort(([name, events], [other, othersEvents]) => othersEvents - events || (name < other ? -1 : 1))
      .map(([name]) => name)
  }
}

const canHaveSpare = (name: string): boolean =>
  name !== "" &&
  name.length <= MAX_NAME_CHARACTERS &&
  !name.startsWith("$") &&
  !WITH_COLUMN.has(name) &&
  !SECRET.test(name)

const isShort = (value: Json | undefined): boolean =>
  typeof value === "string"
    ? value.length <= MAX_VALUE_CHARACTERS
    : typeof value === "number" || typeof value === "boolean"
