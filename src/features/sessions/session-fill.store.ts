import type { Pool } from "pg"
import { createPeriodicTask, type PeriodicTask } from "../../kernel/periodic-task.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Logger } from "../../platform/logger/logger.js"
import { ALL_DAYS, refillStatement } from "./session-rollup.store.js"
import type { SessionRollup } from "./sessions.types.js"

export interface SessionFillDependencies {
  readonly pool: Pool
  readonly clickHouse: Pick<ClickHouse, "rows" | "command" | "insert">
  readonly rollup: SessionRollup
  readonly logger: Logger
}

export interface SessionFill extends PeriodicTask {
  /**
   * Fills in what is missing, a day at a time. Ends early, to be called again, while another process does so or inserts
   * run that may have begun before the view was there.
   */
  fill(): Promise<void>
}

const LOOK_EVERY_MS = 1_000
const LOCK = "waymark session fill"
/** The fill is to be noticed by nobody. */
const SETTINGS = { max_threads: 1, max_insert_threads: 1, max_memory_usage: 1024 ** 3 }
const LIST_DAYS = `SELECT DISTINCT toString(toYYYYMMDD(timestamp)) AS day FROM events
  WHERE \`$session_id\` != '' AND day NOT IN (SELECT day FROM session_rollup_fills) ORDER BY day DESC`
/** Statements of other processes, those that died included, whose rows may not be there yet. */
const LIST_INSERTS = `SELECT query_id AS id FROM system.processes
  WHERE query ILIKE 'insert into%events%' AND query NOT ILIKE '%session_rollup_fills%'`

/** Fills the roll-up with sessions of the events that were stored before it was there. */
export function createSessionFill({ pool, clickHouse, rollup, logger }: SessionFillDependencies): SessionFill {
  const stopping = new AbortController()
  const { signal } = stopping
  /** Inserts that ran when this process first looked; null before it did. */
  let early: readonly string[] | null = null
  let isDone = false
  let isFailing = false

  const listInserts = async (): Promise<string[]> =>
    (await clickHouse.rows<{ id: string }>({ sql: LIST_INSERTS })).map(({ id }) => id)

  async function fillDays(): Promise<void> {
    early ??= await listInserts()
    const running = new Set(await listInserts())
    if (early.some((id) => running.has(id))) return
    const days = await clickHouse.rows<{ day: string }>({ sql: LIST_DAYS })
    if (days.length > 0) logger.info("sessions of earlier events are being rolled up", { days: days.length })
    for (const { day } of days) {
      const sql = refillStatement(`toYYYYMMDD(timestamp) = {day:UInt32}`, "inserted_at")
      await clickHouse.command({ sql, parameters: { day: Number(day) }, settings: SETTINGS, signal })
      await clickHouse.insert({ table: "session_rollup_fills", rows: [{ day }] })
    }
    await clickHouse.insert({ table: "session_rollup_fills", rows: [{ day: ALL_DAYS }] })
  }

  /** One process at a time: a second one could still be at a day when the first says that all are done. */
  async function fill(): Promise<void> {
    isDone ||= await rollup.isFilled()
    if (isDone) return
    const client = await pool.connect()
    // Without a listener the loss of an idle connection would end the process; the lock is taken anew then.
    client.on("error", () => undefined)
    try {
      const { rows } = await client.query<{ isLocked: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isLocked"',
        [LOCK],
      )
      if (rows[0]?.isLocked === true && !(await rollup.isFilled())) await fillDays()
    } finally {
      // Closed, not given back: the end of the session gives up the lock.
      client.release(true)
    }
  }

  const looking = createPeriodicTask(LOOK_EVERY_MS, async () => {
    try {
      await fill()
      isFailing = false
    } catch (error) {
      if (!isFailing && !signal.aborted) logger.warn("sessions of earlier events are rolled up later", { err: error })
      isFailing = true
    }
  })
  return {
    fill,
    start: looking.start,
    stop: async () => {
      stopping.abort()
      await looking.stop()
    },
  }
}
