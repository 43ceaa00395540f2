import type { Pool } from "pg"
import { type Clock, isRecent } from "../../kernel/clock.js"
import { createPeriodicTask, type PeriodicTask } from "../../kernel/periodic-task.js"
import type { Logger } from "../../platform/logger/logger.js"

export interface AgeingWorkDependencies {
  readonly pool: Pool
  readonly clock: Clock
  readonly logger: Logger
  /** Looks at the projects that are being deleted. */
  readonly deleteProjects: () => Promise<void>
  /** Looks at the deletions of events. @returns whether any of them has been finished. */
  readonly deleteEvents: () => Promise<boolean>
  /** Looks for what has become old. */
  readonly sweep: () => Promise<void>
}

export interface AgeingWork extends PeriodicTask {
  /** One look, unless another process is at it. Rejects when a store is away or refuses something; call again later. */
  work(): Promise<void>
}

const LOOK_EVERY_MS = 1_000
const SWEEP_EVERY_MS = 600_000
const LOCK = "waymark ageing"
const HAS_WORK = `SELECT EXISTS (SELECT FROM event_deletion WHERE finished_at IS NULL AND due_at <= $1)
  OR EXISTS (SELECT FROM project_deletion WHERE due_at <= $1) AS "hasWork"`

/** Deletes what was asked for and what is too old, in one process at a time: who dies is followed by another one. */
export function createAgeingWork(dependencies: AgeingWorkDependencies): AgeingWork {
  const { pool, clock, logger, deleteProjects, deleteEvents, sweep } = dependencies
  let sweptAtMs = Number.NEGATIVE_INFINITY
  let isFailing = false

  async function look(): Promise<void> {
    await deleteProjects()
    // What is done may have been a part of what is too old.
    if (await deleteEvents()) sweptAtMs = Number.NEGATIVE_INFINITY
    if (isRecent(clock.now(), sweptAtMs, SWEEP_EVERY_MS)) return
    await sweep()
    sweptAtMs = clock.now()
  }

  async function hasWork(): Promise<boolean> {
    const nowMs = clock.now()
    if (!isRecent(nowMs, sweptAtMs, SWEEP_EVERY_MS)) return true
    const { rows } = await pool.query<{ hasWork: boolean }>(HAS_WORK, [new Date(nowMs)])
    return rows[0]?.hasWork === true
  }

  async function work(): Promise<void> {
    if (!(await hasWork())) return
    const client = await pool.connect()
    // Without a listener the loss of an idle connection would end the process; the lock is taken anew then.
    client.on("error", () => undefined)
    try {
      const sql = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isLocked"'
      const { rows } = await client.query<{ isLocked: boolean }>(sql, [LOCK])
      if (rows[0]?.isLocked === true) await look()
    } finally {
      // Closed, not given back: the end of the session gives up the lock.
      client.release(true)
    }
  }

  const looking = createPeriodicTask(LOOK_EVERY_MS, async () => {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn("what is old or was deleted will go later", { err: error })
      isFailing = true
    }
  })
  return { work, start: looking.start, stop: looking.stop }
}
