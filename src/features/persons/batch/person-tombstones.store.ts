import type { PoolClient } from "pg"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import type { DistinctIdRecord, PersonRecord } from "../persons.types.js"

const SELECT_PROJECTS = `SELECT project_id AS "projectId" FROM person_tombstone_salt WHERE project_id = ANY ($1::int[])`
const SELECT_VERSIONS = `SELECT project_id AS "projectId", wanted.id, tombstone.version::float8
  FROM unnest($1::int[], $2::text[]) AS wanted (project_id, id)
  JOIN person_tombstone_salt AS salted USING (project_id)
  JOIN person_tombstone AS tombstone USING (project_id)
 WHERE tombstone.hash = person_tombstone_hash(salted.salt, $3, wanted.id)`

const MAKE_SALT = `INSERT INTO person_tombstone_salt (project_id, salt)
  VALUES ($1, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) ON CONFLICT DO NOTHING`
const keepVersions = (gone: string, kind: TombstoneKind): string => `
  WITH gone AS (${gone})
  INSERT INTO person_tombstone AS known (project_id, hash, version)
  SELECT $1, person_tombstone_hash(salted.salt, '${kind}', gone.id), gone.version
    FROM gone, person_tombstone_salt AS salted WHERE salted.project_id = $1
  ON CONFLICT (project_id, hash) DO UPDATE SET version = greatest(known.version, excluded.version)`
const HASH_PERSONS = keepVersions(
  `DELETE FROM person WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND is_deleted RETURNING id::text, version`,
  "person",
)
const HASH_DISTINCT_IDS = keepVersions(
  `DELETE FROM person_distinct_id WHERE project_id = $1 AND distinct_id = ANY ($2::text[]) AND person_id IS NULL
   RETURNING distinct_id AS id, version`,
  "distinct_id",
)

type TombstoneKind = "person" | "distinct_id"

/** What is looked for in one project. */
interface Wanted<Id> {
  readonly projectId: ProjectId
  readonly id: Id
}

/**
 * Replaces deleted persons and freed ids by hashes that keep their versions, under a salt of the project's own: nobody can be read
 * from them, but an id that comes back is recognized. What is in use again stays.
 */
export async function hashTombstones(
  client: PoolClient,
  projectId: ProjectId,
  personIds: readonly PersonId[],
  distinctIds: readonly string[],
): Promise<void> {
  await client.query(MAKE_SALT, [projectId])
  await client.query(HASH_PERSONS, [projectId, personIds])
  await client.query(HASH_DISTINCT_IDS, [projectId, distinctIds])
}

/** Those of the projects that have tombstones under hashes: hardly ever one of a batch. */
export async function findProjectsWithTombstones(
  client: PoolClient,
  projectIds: readonly ProjectId[],
): Promise<ReadonlySet<ProjectId>> {
  const { rows } = await client.query<{ projectId: ProjectId }>(SELECT_PROJECTS, [projectIds])
  return new Set(rows.map(({ projectId }) => projectId))
}

/** Freed ids among those that have no row of their own. */
export async function findFreedIds(
  client: PoolClient,
  wanted: readonly Wanted<string>[],
): Promise<(DistinctIdRecord & { readonly projectId: ProjectId })[]> {
  const found = await findVersions(client, "distinct_id", wanted)
  return found.map(({ projectId, id, version }) => ({ projectId, distinctId: id, personId: null, version }))
}

/** Deleted persons among those that have no row of their own. */
export async function findDeletedPersons(
  client: PoolClient,
  wanted: readonly Wanted<PersonId>[],
): Promise<(PersonRecord & { readonly projectId: ProjectId })[]> {
  const found = await findVersions(client, "person", wanted)
  return found.map((row) => ({ ...row, properties: {}, isIdentified: false, isDeleted: true, createdAtMs: 0 }))
}

async function findVersions<Id extends string>(
  client: PoolClient,
  kind: TombstoneKind,
  wanted: readonly Wanted<Id>[],
): Promise<(Wanted<Id> & { readonly version: number })[]> {
  if (wanted.length === 0) return []
  const values = [wanted.map(({ projectId }) => projectId), wanted.map(({ id }) => id), kind]
  return (await client.query<Wanted<Id> & { readonly version: number }>(SELECT_VERSIONS, values)).rows
}
