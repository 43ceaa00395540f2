import type { Pool, PoolClient } from "pg"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import { toDateTimeText } from "../../../kernel/time-text.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { savePersonChanges } from "../batch/person-changes.store.js"
import { lockPersons } from "../batch/person-lock.store.js"
import { orderDistinctIds } from "../person-name.js"
import { deriveNextPersonId, derivePersonId } from "../person-uuid.js"
import { type DistinctIdRecord, NO_CHANGES, type PersonRecord } from "../persons.types.js"

const FIND_PERSON = `SELECT (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs" FROM person
  WHERE project_id = $1 AND id = $2 AND NOT is_deleted`
const FIND_DISTINCT_IDS = `SELECT distinct_id AS "distinctId", version::float8 FROM person_distinct_id
  WHERE project_id = $1 AND person_id = $2 ORDER BY version, distinct_id`
const FIND_PERSONS = `SELECT id, is_deleted AS "isDeleted", version::float8 FROM person
  WHERE project_id = $1 AND id = ANY ($2::uuid[])`

/** The outcome of a split: the new persons, or why there are none. */
type SplitOutcome =
  | { readonly kind: "split"; readonly personIds: readonly PersonId[] }
  | { readonly kind: "no_such_person" }
  | { readonly kind: "not_an_id_of_the_person" }

export type PersonSplits = ReturnType<typeof createPersonSplits>

/**
 * Splits persons, which undoes merges: in PostgreSQL at once, with a row for what ClickHouse has yet to apply; in ClickHouse
 * right after, or later when it is away.
 */
export function createPersonSplits(
  { pool, transaction }: Pick<Database, "pool" | "transaction">,
  clickHouse: ClickHouse,
) {
  return {
    /**
     * Leaves a person one of its distinct ids, by default the one that says most, and gives each other one a new person
     * without properties. Events follow their distinct id.
     */
    request: (projectId: ProjectId, personId: PersonId, mainDistinctId: string | null) =>
      transaction((client) => split(client, projectId, personId, mainDistinctId)),
    applyPending: () => applySplits(pool, clickHouse),
  }
}

async function split(
  client: PoolClient,
  projectId: ProjectId,
  personId: PersonId,
  mainDistinctId: string | null,
): Promise<SplitOutcome> {
  await lockPersons(client, [projectId])
  const person = (await client.query<{ createdAtMs: number }>(FIND_PERSON, [projectId, personId])).rows[0]
  if (person === undefined) return { kind: "no_such_person" }
  type OwnedId = Pick<DistinctIdRecord, "distinctId" | "version">
  const owned = (await client.query<OwnedId>(FIND_DISTINCT_IDS, [projectId, personId])).rows
  const main = mainDistinctId ?? orderDistinctIds(owned.map(({ distinctId }) => distinctId))[0]
  if (!owned.some(({ distinctId }) => distinctId === main)) return { kind: "not_an_id_of_the_person" }
  const leaving = owned.filter(({ distinctId }) => distinctId !== main)
  if (leaving.length === 0) return { kind: "split", personIds: [] }

  const toId = ({ distinctId }: OwnedId): PersonId => derivePersonId(projectId, distinctId)
  type KnownPerson = Pick<PersonRecord, "id" | "isDeleted" | "version">
  const known = (await client.query<KnownPerson>(FIND_PERSONS, [projectId, leaving.map(toId)])).rows
  const knownById = new Map(known.map((record) => [record.id, record]))
  const distinctIds = leaving.map((row) => {
    const version = row.version + 1
    const isTaken = knownById.get(toId(row))?.isDeleted === false
    return { ...row, version, personId: isTaken ? deriveNextPersonId(projectId, row.distinctId, version) : toId(row) }
  })
  const persons = distinctIds.map((row) => ({
    id: row.personId,
    properties: {},
    propertiesJson: "{}",
    isIdentified: false,
    isDeleted: false,
    // Its events may be as old as the person was; none of them is older.
    createdAtMs: person.createdAtMs,
    version: (knownById.get(row.personId)?.version ?? -1) + 1,
  }))
  await savePersonChanges(client, [{ ...NO_CHANGES, projectId, persons, distinctIds }])
  await client.query("INSERT INTO person_split (project_id, distinct_ids) VALUES ($1, $2)", [
    projectId,
    leaving.map(({ distinctId }) => distinctId),
  ])
  return { kind: "split", personIds: persons.map(({ id }) => id) }
}

interface SplitId {
  readonly splitId: string
  readonly projectId: ProjectId
  readonly distinctId: string
  readonly distinctIdVersion: number
  readonly personId: PersonId
  readonly properties: object
  readonly isIdentified: boolean
  readonly createdAt: Date
  readonly personVersion: number
}

const PENDING = `SELECT id FROM person_split ORDER BY id`
const READ_SPLIT = `SELECT person_split.id AS "splitId", project_id AS "projectId", distinct_id AS "distinctId",
    owner.version::float8 AS "distinctIdVersion", person_id AS "personId", properties, is_identified AS "isIdentified",
    created_at AS "createdAt", person.version::float8 AS "personVersion"
  FROM person_split
  JOIN person_distinct_id AS owner USING (project_id)
  JOIN person USING (project_id)
  WHERE person_split.id = $1 AND owner.distinct_id = ANY (person_split.distinct_ids)
    AND person.id = owner.person_id AND NOT person.is_deleted`

async function applySplits(pool: Pool, clickHouse: ClickHouse): Promise<void> {
  const { rows: splits } = await pool.query<{ id: string }>(PENDING)
  for (const { id } of splits) {
    const { rows } = await pool.query<SplitId>(READ_SPLIT, [id])
    if (rows.length > 0) {
      const owners = rows.map(toOwnerRow)
      await clickHouse.insert({ table: "persons", rows: rows.map(toPersonRow) })
      await clickHouse.insert({ table: "person_distinct_ids", rows: owners })
      await clickHouse.insert({ table: "person_distinct_id_overrides", rows: owners })
    }
    await pool.query("DELETE FROM person_split WHERE id = $1", [id])
  }
}

const toPersonRow = (row: SplitId) => ({
  project_id: row.projectId,
  id: row.personId,
  created_at: toDateTimeText(row.createdAt.getTime()),
  properties: row.properties,
  is_identified: row.isIdentified,
  is_deleted: false,
  version: row.personVersion,
})

const toOwnerRow = (row: SplitId) => ({
  project_id: row.projectId,
  distinct_id: row.distinctId,
  person_id: row.personId,
  is_deleted: false,
  version: row.distinctIdVersion,
})
