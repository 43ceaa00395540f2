import type { PoolClient } from "pg"
import type { Clock } from "../../../kernel/clock.js"
import { EngineError } from "../../../platform/clickhouse/click-house.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { lockPersons } from "../batch/person-lock.store.js"
import { hashTombstones } from "../batch/person-tombstones.store.js"
import type { KeptAnswers, PendingCopies, PersonDeletionListener } from "../persons.types.js"
import { createDeletionCopies, type DeletionCopiesDependencies } from "./deletion-copies.store.js"
import { createDeletionQueue, LONGEST_PAUSE_SECONDS, type PendingDeletion } from "./deletion-queue.store.js"

export interface PendingDeletionsDependencies extends Omit<DeletionCopiesDependencies, "pool"> {
  readonly database: Pick<Database, "pool" | "transaction">
  readonly clock: Clock
  /** Features that keep something that has to be searched for: warnings, events that could not be stored. */
  readonly traceListeners: readonly PersonDeletionListener[]
  readonly answers: KeptAnswers
}

/**
 * Warnings are written a second after what they are about, by whatever process has seen it. A deletion is not done before that,
 * and looks at everything once more then.
 */
const SETTLING_MS = 5_000

/**
 * Does what deletions still have to do once PostgreSQL has committed them (`docs/contract/management.md#deleting-persons`). After a
 * crash at any place all steps are taken again; each of them may be repeated, also by two processes at a time.
 */
export function createPendingDeletions(dependencies: PendingDeletionsDependencies): PendingCopies {
  const { database, clock, traceListeners, answers } = dependencies
  const { pool, transaction } = database
  const copies = createDeletionCopies({ ...dependencies, pool })
  const queue = createDeletionQueue(pool)
  let mayHaveLeftovers = true

  /** One look at a deletion: takes all steps that can be taken now. @returns whether it is done. */
  async function advance(deletion: PendingDeletion): Promise<boolean> {
    const { requestId, requestedAtMs, isEarly, isHidden, awaitedRuns } = deletion
    await copies.addIds(deletion)
    if (!isHidden) {
      await copies.hide(deletion)
      // Now already, so that nobody puts an event of theirs back into the log.
      await transaction((client) => notifyTraceListeners(client, deletion))
    }
    if (!(await copies.deleteData(deletion)) || isEarly) return false
    if (!isHidden) {
      if (!(await copies.sessions.markStale(deletion))) return false
      await queue.markHidden(requestId)
    }
    if (!(await copies.sessions.remake(deletion))) return false
    if (!(await copies.deleteTombstones(deletion))) return false
    const awaited = awaitedRuns ?? (await transaction((client) => forgetTraces(client, deletion)))
    if (clock.now() - requestedAtMs < SETTLING_MS) return false
    const { projectId } = deletion
    if (!(await transaction((client) => answers.forgetRuns(client, projectId, awaited)))) return false
    if (!(await answers.delete(projectId))) return false
    await transaction((client) => notifyTraceListeners(client, deletion))
    await copies.listed.drop(requestId)
    await transaction((client) => finish(client, deletion))
    return true
  }

  /** From here on queries read nothing of the persons; those under way may have. @returns the latter. */
  async function forgetTraces(client: PoolClient, deletion: PendingDeletion): Promise<readonly string[]> {
    const { projectId, requestId } = deletion
    await notifyTraceListeners(client, deletion)
    await answers.forget(client, deletion)
    const awaited = await answers.listExecutingRuns(client, projectId)
    await client.query("UPDATE person_deletion SET awaited_runs = $2 WHERE request_id = $1", [requestId, awaited])
    return awaited
  }

  async function notifyTraceListeners(client: PoolClient, deletion: PendingDeletion): Promise<void> {
    const { projectId, persons, merged, distinctIds, emails, deleteEvents, requestedAtMs } = deletion
    const deleted = {
      projectId,
      personIds: [...persons, ...merged].map(({ id }) => id),
      distinctIds: distinctIds.map(({ id }) => id),
      emails,
      deletesEvents: deleteEvents,
      requestedAtMs,
    }
    for (const listener of traceListeners) await listener(client, deleted)
  }

  return {
    /**
     * @throws the first refusal of the engine, once everything else is applied: what it refuses of one request holds up no other,
     * and is tried again later and later. Anything else at once, as it would fail for everybody.
     */
    async applyPending() {
      let refusal: EngineError | null = null
      for (const requestId of await queue.listDue(clock.now()))
        try {
          mayHaveLeftovers = true
          const deletion = await queue.read(requestId)
          if (deletion === null || (await advance(deletion))) continue
          await queue.delay(requestId, clock.now(), LONGEST_PAUSE_SECONDS.unfinished)
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          await queue.delay(requestId, clock.now(), LONGEST_PAUSE_SECONDS.refused)
          refusal ??= error
        }
      if (mayHaveLeftovers) await copies.listed.dropLeftovers()
      mayHaveLeftovers = false
      if (refusal !== null) throw refusal
    },
  }
}

/** Leaves hashes of the persons' ids in the place of their tombstones, and nothing of the deletion. */
async function finish(client: PoolClient, deletion: PendingDeletion): Promise<void> {
  const { projectId, requestId, persons, merged, distinctIds } = deletion
  await lockPersons(client, [projectId])
  await hashTombstones(
    client,
    projectId,
    [...persons, ...merged].map(({ id }) => id),
    distinctIds.map(({ id }) => id),
  )
  await client.query("DELETE FROM person_deletion WHERE request_id = $1", [requestId])
}
