import type { Pool, PoolClient } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import { collectLookup, loadPersonFacts, type PersonEvent } from "../../persons/index.js"
import type { GroupFacts, PersonFacts, StoredPerson } from "../flags.types.js"
import { applyPending, applyPendingGroups, applyPendingGroupTypes, createProbe } from "./apply-pending.js"
import { joinedIds } from "./joined-ids.js"
import type { NamedGroup, PendingChanges, PendingEvent } from "./pending-changes.types.js"

const SIBLINGS = `
  SELECT DISTINCT sibling.distinct_id FROM person_distinct_id asked JOIN person_distinct_id sibling
    ON sibling.project_id = asked.project_id AND sibling.person_id = asked.person_id
  WHERE asked.project_id = $1 AND asked.distinct_id = ANY ($2::text[]) LIMIT 200`
/** How often pending events may lead to further stored persons; what lies beyond counts once it is stored. */
const MAX_ROUNDS = 5

const STILL_LOGGED = "SELECT id FROM ingest_log WHERE id = ANY ($1::bigint[])"

const GROUP_TYPES = `
  SELECT project_id AS "projectId", name, type_index AS index FROM group_type WHERE project_id = ANY ($1::int[])`

const SWEEP_EVERY_MS = 1_000
const NO_TYPES: ReadonlyMap<string, number> = new Map()

export interface ReadYourWrites extends PersonFacts, GroupFacts {
  /** Begins to forget, once a second, what ingestion has stored. */
  start(): void
  stop(): Promise<void>
}

/**
 * Persons and groups as the callers of this process know them: what is stored, and on top of it what capture has acknowledged and
 * ingestion has not stored yet. A row of the ingest log is deleted in the very transaction that stores its changes, so one
 * snapshot tells exactly which changes are still to be added.
 */
export function createReadYourWrites(
  stored: PersonFacts & Omit<GroupFacts, "newGroupTypes">,
  pending: PendingChanges,
  { pool }: Pick<Database, "pool">,
  logger: Logger,
): ReadYourWrites {
  /** Types that were found stored before the rules held them; a type keeps its index for ever. */
  const storedTypes = new Map<ProjectId, ReadonlyMap<string, number>>()

  const groupTypesWith = (projectId: ProjectId, pendingEvents: readonly PendingEvent[]) =>
    inSnapshot(pool, async (client) => {
      const events = await stillPending(client, pendingEvents)
      const [facts] = await loadPersonFacts(client, [collectLookup(projectId, events)])
      if (facts === undefined) return NO_TYPES
      storedTypes.set(projectId, new Map(facts.groupTypes.map(({ name, typeIndex }) => [name, typeIndex])))
      return applyPendingGroupTypes(projectId, facts, events)
    })

  const sweep = async (): Promise<void> => {
    const rowIds = pending.rowIds()
    if (rowIds.length === 0) return
    const left = await stillLogged(pool, rowIds)
    // Read before the events are forgotten: the rules may hear of a new type only later.
    for (const [projectId, types] of await typesOf(pool, pending.projectsWithGroups()))
      storedTypes.set(projectId, types)
    pending.forgetStored(new Set(rowIds.filter((rowId) => !left.has(rowId))))
  }

  const sweeps = createPeriodicTask(SWEEP_EVERY_MS, () =>
    sweep().catch((err: unknown) => {
      logger.warn("could not look up which changes of persons are stored", { err })
    }),
  )
  return {
    person: async (projectId, distinctId) => {
      if (!pending.concerns(projectId)) return stored.person(projectId, distinctId)
      // Taken before the facts are read: an event that is stored during the read may also be forgotten during it.
      const events = await whenReachable(() => eventsAbout(pool, pending, projectId, distinctId))
      if (events.length === 0) return stored.person(projectId, distinctId)
      return whenReachable(() => personWith(pool, projectId, distinctId, events))
    },
    staticCohortIds: stored.staticCohortIds,
    newGroupTypes: (projectId, typeNames) => {
      const known = storedTypes.get(projectId) ?? NO_TYPES
      const unknown = typeNames.filter((name) => !known.has(name))
      const events = unknown.length === 0 ? [] : pending.eventsOfGroupTypes(projectId, unknown)
      return events.length === 0 ? known : () => whenReachable(() => groupTypesWith(projectId, events))
    },
    groupProperties: async (projectId, groups) => {
      const events = pending.concerns(projectId) ? pending.groupEventsOf(projectId, groups) : []
      if (events.length === 0) return stored.groupProperties(projectId, groups)
      return whenReachable(() => groupsWith(pool, projectId, groups, events))
    },
    start: sweeps.start,
    stop: sweeps.stop,
  }
}

/** Indexes by name of stored group types, of those projects that have any. */
async function typesOf(pool: Pool, projectIds: readonly ProjectId[]): Promise<Map<ProjectId, Map<string, number>>> {
  const found = new Map<ProjectId, Map<string, number>>()
  if (projectIds.length === 0) return found
  const statement = { name: "flags.groupTypes", text: GROUP_TYPES, values: [projectIds] }
  const { rows } = await pool.query<{ projectId: ProjectId; name: string; index: number }>(statement)
  for (const { projectId, name, index } of rows)
    found.set(projectId, (found.get(projectId) ?? new Map<string, number>()).set(name, index))
  return found
}

/**
 * What is pending for the person behind an id: events about any stored id of that person, about ids that pending events join to
 * those, about stored ids of the persons of these, and so on. The id's own events may all be stored already, so that having
 * some says nothing about the other ids.
 */
async function eventsAbout(
  pool: Pool,
  pending: PendingChanges,
  projectId: ProjectId,
  distinctId: string,
): Promise<readonly PendingEvent[]> {
  const known = new Set([distinctId])
  let events: readonly PendingEvent[] = []
  let added = [distinctId]
  for (let round = 0; round < MAX_ROUNDS && added.length > 0; round++) {
    const statement = { name: "flags.siblings", text: SIBLINGS, values: [projectId, added] }
    const { rows } = await pool.query<{ distinct_id: string }>(statement)
    for (const { distinct_id } of rows) known.add(distinct_id)
    events = pending.eventsOf(projectId, [...known])
    const named = new Set(events.flatMap(({ event }) => joinedIds(event)))
    added = [...named].filter((id) => !known.has(id))
    for (const id of added) known.add(id)
  }
  return events
}

function personWith(
  pool: Pool,
  projectId: ProjectId,
  distinctId: string,
  pending: readonly PendingEvent[],
): Promise<StoredPerson | null> {
  return inSnapshot(pool, async (client) => {
    const events = await stillPending(client, pending)
    const question = collectLookup(projectId, [...events, createProbe(distinctId)])
    const [facts] = await loadPersonFacts(client, [question])
    return facts === undefined ? null : applyPending(projectId, facts, events, distinctId)
  })
}

function groupsWith(
  pool: Pool,
  projectId: ProjectId,
  groups: readonly (NamedGroup & { readonly groupTypeIndex: number })[],
  pending: readonly PendingEvent[],
): Promise<Map<number, JsonObject>> {
  return inSnapshot(pool, async (client) => {
    const events = await stillPending(client, pending)
    const [facts] = await loadPersonFacts(client, [{ ...collectLookup(projectId, events), groups }])
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
