import { LRUCache } from "lru-cache"
import { type Clock, isRecent } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { OwnPropertyCounter, type SpareRule } from "./own-property-counter.js"

/** By project: its properties that have a spare column, in the order of the columns. */
export type Spares = ReadonlyMap<ProjectId, readonly string[]>

/** What a batch needs to know of the spare columns of its projects. */
export type SpareKnowledge = Pick<SpareCatalogue, "read" | "count" | "takeEarned">

const CACHED_MS = 60_000
const MAX_CACHED_PROJECTS = 1_000

/**
 * What this process knows of the spare columns of projects, and which properties have earned one. What it knows may be
 * older than what is: an event then has fewer columns, and says so in its row.
 */
export class SpareCatalogue {
  private readonly known = new LRUCache<ProjectId, { readonly names: readonly string[]; readonly readAtMs: number }>({
    max: MAX_CACHED_PROJECTS,
  })
  private readonly counter: OwnPropertyCounter

  constructor(
    private readonly clock: Clock,
    rule?: SpareRule,
  ) {
    this.counter = new OwnPropertyCounter(rule)
  }

  /** @param list finds what is not known, or was read long ago; must see nothing but what is committed */
  async read(
    projectIds: readonly ProjectId[],
    list: (projectIds: readonly ProjectId[]) => Promise<Spares>,
  ): Promise<Spares> {
    const nowMs = this.clock.now()
    const unknown = projectIds.filter((projectId) => {
      const readAtMs = this.known.get(projectId)?.readAtMs
      return readAtMs === undefined || !isRecent(nowMs, readAtMs, CACHED_MS)
    })
    const found: Spares = unknown.length > 0 ? await list(unknown) : new Map()
    for (const projectId of unknown) this.known.set(projectId, { names: found.get(projectId) ?? [], readAtMs: nowMs })
    return new Map(projectIds.map((id) => [id, found.get(id) ?? this.known.get(id)?.names ?? []]))
  }

  /** Counts the properties of an event. */
  count(projectId: ProjectId, properties: JsonObject, given: readonly string[]): void {
    this.counter.count(projectId, properties, given)
  }

  /** What has earned a spare column in these projects since it was asked last. They are read anew the next time. */
  takeEarned(projectIds: Iterable<ProjectId>): Spares {
    const earned = this.counter.takeEarned(projectIds)
    for (const projectId of earned.keys()) this.known.delete(projectId)
    return earned
  }
}
