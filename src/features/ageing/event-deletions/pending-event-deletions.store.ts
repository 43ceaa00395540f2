import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { type ClickHouse, EngineError } from "../../../platform/clickhouse/click-house.js"
import { deleteRows } from "../../../platform/clickhouse/mutate-rows.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { createDeletionIds, createDeletionSessions, type KeptAnswers, type KeptSessions } from "../../persons/index.js"
import { toEventCondition } from "./event-condition.js"
import type { EventDeletionQueue, PendingEventDeletion } from "./event-deletion-queue.store.js"
import type { EventSelection } from "./event-deletions.types.js"

export interface PendingEventDeletionsDependencies {
  readonly database: Pick<Database, "pool" | "transaction">
  readonly clickHouse: Pick<ClickHouse, "insert" | "rows" | "command">
  readonly clock: Clock
  readonly sessions: KeptSessions
  readonly answers: Pick<KeptAnswers, "forget" | "delete">
}

/** A request that is answered later may have been received before: its events are in the log by then. */
const SETTLING_MS = 5_000

/** Counts the events of a project that a selection is about. */
export type CountEvents = (projectId: ProjectId, selection: EventSelection, acceptedUntilMs: number) => Promise<number>

export const createEventCounter =
  (clickHouse: Pick<ClickHouse, "rows">): CountEvents =>
  async (projectId, selection, acceptedUntilMs) => {
    const { condition, parameters } = toEventCondition(selection, acceptedUntilMs)
    const [row] = await clickHouse.rows<{ count: number }>({
      sql: `SELECT count() AS count FROM events WHERE project_id = {project:Int64} AND ${condition}`,
      parameters: { ...parameters, project: projectId },
    })
    return row?.count ?? 0
  }

/**
 * Does what deletions of events still have to do. After a crash at any place all steps are taken again; each of them may
 * be repeated, by one process at a time.
 */
export function createPendingEventDeletions(
  { database, clickHouse, clock, sessions, answers }: PendingEventDeletionsDependencies,
  queue: EventDeletionQueue,
) {
  const { pool, transaction } = database
  const listed = createDeletionIds(pool, clickHouse)
  const ofDeleted = createDeletionSessions(clickHouse, listed, sessions)
  const countEvents = createEventCounter(clickHouse)

  /** One look: takes all steps that can be taken now. @returns whether it is done. */
  async function advance(deletion: PendingEventDeletion): Promise<boolean> {
    const { requestId, projectId, selection, requestedAtMs, isSettled, isEarly } = deletion
    const { condition, parameters } = toEventCondition(selection, requestedAtMs)
    // First: nothing tells afterwards which sessions the events were in.
    if (!isSettled) await ofDeleted.list(deletion, condition, parameters)
    const areGone = await deleteRows(clickHouse, {
      table: "events",
      condition: `project_id = {project:Int64} AND ${condition}`,
      parameters: { ...parameters, project: projectId },
      name: `deletion ${requestId}`,
    })
    if (!areGone || isEarly || clock.now() - requestedAtMs < SETTLING_MS) return false
    if (!isSettled) {
      if (!(await ofDeleted.markStale(deletion))) return false
      await queue.markSettled(requestId)
    }
    if (!(await ofDeleted.remake(deletion))) return false
    await listed.drop(requestId)
    await transaction((client) => answers.forget(client, deletion))
    if (!(await answers.delete(projectId))) return false
    await queue.finish(requestId, clock.now())
    return true
  }

  return {
    /**
     * Looks at each deletion that is due. @returns whether any has been finished.
     * @throws the first refusal of the engine, once all have been looked at; anything else at once.
     */
    async applyDue(): Promise<boolean> {
      let refusal: EngineError | null = null
      let isAnyDone = false
      for (const deletion of await queue.readDue(clock.now())) {
        const { requestId, projectId, selection, requestedAtMs } = deletion
        try {
          const isDone = await advance(deletion)
          isAnyDone ||= isDone
          if (isDone) continue
          const remaining = await countEvents(projectId, selection, requestedAtMs)
          await queue.delay(requestId, clock.now(), "unfinished", remaining)
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          await queue.delay(requestId, clock.now(), "refused", null)
          refusal ??= error
        }
      }
      if (refusal !== null) throw refusal
      return isAnyDone
    },
  }
}
