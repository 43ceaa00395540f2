import type { Pool } from "pg"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { DAY_MS } from "../../../kernel/retention-days.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import { toEventRetentionDays } from "../../capture/index.js"
import { toPluginLogRetentionDays } from "../../plugins/index.js"
import { toRecordingRetentionDays } from "../../recordings/index.js"
import type { EventDeletionQueue } from "../event-deletions/event-deletion-queue.store.js"
import type { CountEvents } from "../event-deletions/pending-event-deletions.store.js"

export interface RetentionDependencies {
  readonly pool: Pool
  readonly clickHouse: Pick<ClickHouse, "rows">
  readonly clock: Clock
  /** Of the recordings feature. */
  readonly removeSilentRecordings: (projectId: ProjectId, beforeMs: number) => Promise<boolean>
  /** Of the plugins feature. */
  readonly removePluginLogsBefore: (
    projects: { readonly of: readonly ProjectId[] } | { readonly except: readonly ProjectId[] },
    beforeMs: number,
  ) => Promise<boolean>
}

interface ProjectSettings {
  readonly id: ProjectId
  readonly settings: JsonObject
}

/** How long deletions by retention that are done stay in the list of deletions. */
const LISTED_MS = 30 * DAY_MS
/** Every setting of retention ends so. */
const LIST_PROJECTS = "SELECT id, settings FROM project WHERE settings::text LIKE '%_retention_days%' ORDER BY id"
const FIND_OLDEST = `SELECT count() AS count, toUnixTimestamp64Milli(min(timestamp)) AS oldestMs FROM events
  WHERE project_id = {project:Int64} AND timestamp < fromUnixTimestamp64Milli({before:Int64}, 'UTC')`

/** Carries out what projects say about how long they keep things. Everything may be repeated. */
export function createRetention(
  dependencies: RetentionDependencies,
  queue: EventDeletionQueue,
  countEvents: CountEvents,
) {
  const { pool, clickHouse, clock, removeSilentRecordings, removePluginLogsBefore } = dependencies

  /**
   * Whole days (UTC) and a month at a time: a month is a partition, and a bound on the sessions that are made anew at once.
   * The next month has its turn when this one is done.
   */
  async function removeEvents(projectId: ProjectId, days: number, nowMs: number): Promise<void> {
    const endMs = Math.floor((nowMs - days * DAY_MS) / DAY_MS) * DAY_MS
    const parameters = { project: projectId, before: endMs }
    const [found] = await clickHouse.rows<{ count: number; oldestMs: number }>({ sql: FIND_OLDEST, parameters })
    if (found === undefined || found.count === 0) return
    const before = new Date(Math.min(endMs, toNextMonthMs(found.oldestMs))).toISOString()
    const selection = { names: null, from: null, before, properties: [] }
    const count = await countEvents(projectId, selection, nowMs)
    await queue.requestRetention(projectId, selection, count, nowMs)
  }

  return {
    /** Looks through all projects. What it finds to be deleted of events is a deletion of events from then on. */
    async sweep(): Promise<void> {
      const nowMs = clock.now()
      const { rows: projects } = await pool.query<ProjectSettings>(LIST_PROJECTS)
      for (const { id, settings } of projects) {
        const events = toEventRetentionDays(settings)
        if (events !== null) await removeEvents(id, events, nowMs)
        const recordings = toRecordingRetentionDays(settings)
        if (recordings !== null) await removeSilentRecordings(id, nowMs - recordings * DAY_MS)
        const logs = toPluginLogRetentionDays(settings)
        if (logs !== null) await removePluginLogsBefore({ of: [id] }, nowMs - logs * DAY_MS)
      }
      const usualDays = toPluginLogRetentionDays({})
      const others = { except: projects.map(({ id }) => id) }
      if (usualDays !== null) await removePluginLogsBefore(others, nowMs - usualDays * DAY_MS)
      await queue.forgetRetention(nowMs - LISTED_MS)
    },
  }
}

function toNextMonthMs(timeMs: number): number {
  const time = new Date(timeMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1)
}
