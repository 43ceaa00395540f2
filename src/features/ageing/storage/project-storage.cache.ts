import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import {
  type CachePolicy,
  createStaleWhileRevalidateCache,
} from "../../../platform/cache/stale-while-revalidate-cache.js"
import type { StoredShare } from "./stored-share.store.js"

/** What a project has stored, kind by kind. */
export interface MeasuredStorage {
  readonly events: StoredShare
  readonly recordings: StoredShare
  readonly persons: StoredShare
  readonly pluginLogs: StoredShare
  readonly measuredAt: Date
}

/** Tables by what they hold, the one whose rows are counted first. */
const TABLES = {
  events: ["events", "session_rollup"],
  recordings: ["session_replay_events", "session_snapshots", "log_entries"],
  persons: ["persons", "person_distinct_ids", "person_distinct_id_overrides", "groups", "cohort_people"],
  pluginLogs: ["plugin_log_entries"],
} as const

/** Measuring reads a column of all rows of a project. */
const CACHE_POLICY: CachePolicy = {
  ttlMs: 300_000,
  staleWhileRevalidateMs: 300_000,
  staleIfError: true,
  negativeTtlMs: 0,
  loadTimeoutMs: null,
}
const MAX_REMEMBERED_PROJECTS = 10_000

/** Finds out what projects have stored, as it was ten minutes ago at most. */
export function createStorageReader(
  readShare: (projectId: ProjectId, tables: readonly string[]) => Promise<StoredShare>,
  clock: Clock,
): (projectId: ProjectId) => Promise<MeasuredStorage> {
  const measured = createStaleWhileRevalidateCache<ProjectId, MeasuredStorage>({
    cachePolicy: CACHE_POLICY,
    clock,
    maxEntries: MAX_REMEMBERED_PROJECTS,
    load: async (projectId) => {
      const read = (kind: keyof typeof TABLES) => readShare(projectId, TABLES[kind])
      const [events, recordings, persons, pluginLogs] = await Promise.all([
        read("events"),
        read("recordings"),
        read("persons"),
        read("pluginLogs"),
      ])
      return { events, recordings, persons, pluginLogs, measuredAt: new Date(clock.now()) }
    },
  })
  return async (projectId) => {
    const found = await measured.find(projectId)
    if (found === null) throw new Error("what a project has stored is always known")
    return found
  }
}
