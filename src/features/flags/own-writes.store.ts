import type { Pool, PoolClient } from "pg"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import { collectQuestion, loadPersonFacts, type PersonEvent } from "../persons/index.js"
import type { GroupFacts, PersonFacts, StoredPerson } from "./flags.types.js"
import { applyPending, applyPendingGroups, lookAt } from "./own-writes/apply-pending.js"
import type { NamedGroup, PendingChanges, PendingEvent } from "./own-writes/pending-changes.js"

const SIBLINGS = `
  SELECT sibling.distinct_id FROM person_distinct_id asked JOIN person_distinct_id sibling
    ON sibling.project_id = asked.project_id AND sibling.person_id = asked.person_id
  WHERE asked.project_id = $1 AND asked.distinct_id = $2 LIMIT 200`

const STILL_LOGGED = "SELECT id FROM ingest_log WHERE id = ANY ($1::bigint[])"

const SWEEP_EVERY_MS = 1_000

export interface OwnWrites extends PersonFacts, GroupFacts {
  /** Begins to forget, once a second, what ingestion has stored. */
  start(): void
  stop(): Promise<void>
}

/**
 * Persons and groups as the callers of this process know them: what is stored, and on top of it what capture has acknowledged and
 * ingestion has not stored yet. A row of the ingest log is deleted in the very transaction that stores its changes, so one
 * snapshot tells exactly which changes are still to be added.
 */
export function createOwnWrites(
  stored: PersonFacts & GroupFacts,
  pending: PendingChanges,
  { pool }: Pick<Database, "pool">,
  logger: Logger,
): OwnWrites {
  let timer: NodeJS.Timeout | null = null
  let sweeping: Promise<void> = Promise.resolve()

  const sweep = async (): Promise<void> => {
    const rowIds = pending.rowIds()
    if (rowIds.length === 0) return
    const left = await stillLogged(pool, rowIds)
    pending.forgetStored(new Set(rowIds.filter((rowId) => !left.has(rowId))))
  }

  return {
    person: async (projectId, distinctId) => {
      if (!pending.concerns(projectId)) return stored.person(projectId, distinctId)
      // Taken before anything is read: what is stored meanwhile may be forgotten meanwhile.
      const own = pending.eventsOf(projectId, [distinctId])
      const events = own.length > 0 ? own : await eventsOfSiblings(pool, pending, projectId, distinctId)
      if (events.length === 0) return stored.person(projectId, distinctId)
      return whenReachable(() => personWith(pool, projectId, distinctId, events))
    },
    staticCohortIds: stored.staticCohortIds,
    groupProperties: async (projectId, groups) => {
      const events = pending.concerns(projectId) ? pending.groupEventsOf(projectId, groups) : []
      if (events.length === 0) return stored.groupProperties(projectId, groups)
      return whenReachable(() => groupsWith(pool, projectId, groups, events))
    },
    start: () => {
      timer = setInterval(() => {
        sweeping = sweeping.then(sweep).catch((err: unknown) => {
          logger.warn("could not look up which changes of persons are stored", { err })
        })
      }, SWEEP_EVERY_MS)
      timer.unref()
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer)
      await sweeping
    },
  }
}

async function eventsOfSiblings(
  pool: Pool,
  pending: PendingChanges,
  projectId: ProjectId,
  distinctId: string,
): Promise<PendingEvent[]> {
  const statement = { name: "flags.siblings", text: SIBLINGS, values: [projectId, distinctId] }
  const { rows } = await whenReachable(() => pool.query<{ distinct_id: string }>(statement))
  return pending.eventsOf(
    projectId,
    rows.map(({ distinct_id }) => distinct_id),
  )
}

function personWith(
  pool: Pool,
  projectId: ProjectId,
  distinctId: string,
  pending: readonly PendingEvent[],
): Promise<StoredPerson | null> {
  return inSnapshot(pool, async (client) => {
    const events = await stillPending(client, pending)
    const question = collectQuestion(projectId, [...events, lookAt(distinctId)])
    const [facts] = await loadPersonFacts(client, [question])
    return facts === undefined ? null : applyPending(projectId, facts, events, distinctId)
  })
}

function groupsWith(
  pool: Pool,
  projectId: ProjectId,
  groups: readonly NamedGroup[],
  pending: readonly PendingEvent[],
): Promise<Map<number, JsonObject>> {
  return inSnapshot(pool, async (client) => {
    const events = await stillPending(client, pending)
    const [facts] = await loadPersonFacts(client, [{ ...collectQuestion(projectId, events), groups }])
    return facts === undefined ? new Map() : applyPendingGroups(projectId, facts, events, groups)
  })
}

/** The events that ingestion has not stored, as the snapshot sees it. */
async function stillPending(client: PoolClient, pending: readonly PendingEvent[]): Promise<PersonEvent[]> {
  const left = await stillLogged(client, [...new Set(pending.map(({ rowId }) => rowId))])
  return pending.filter(({ rowId }) => left.has(rowId)).map(({ event }) => event)
}

async function stillLogged(client: Pick<Pool, "query">, rowIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(STILL_LOGGED, [rowIds])
  return new Set(rows.map(({ id }) => id))
}

/** One snapshot for all reads of `work`; takes no lock that ingestion would wait for. */
async function inSnapshot<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isBroken = true
  const onError = (): void => undefined
  client.on("error", onError)
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    const result = await work(client)
    await client.query("COMMIT")
    isBroken = false
    return result
  } finally {
    client.off("error", onError)
    // A connection in a failed transaction is not worth another round trip.
    client.release(isBroken)
  }
}
