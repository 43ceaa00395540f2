import type { PoolClient } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import type { ChangedPerson, ProjectChanges } from "../persons.types.js"

/**
 * Stands between the JSON texts of one parameter: no JSON text holds it, so nothing has to be quoted. Reading an array of
 * texts, or one document of all rows, would take PostgreSQL and this process longer than everything else about them.
 */
const BETWEEN_JSON = "\u0001"

const SAVE_PERSONS = `INSERT INTO person (project_id, id, properties, email, is_identified, is_deleted, created_at, version)
  SELECT project_id, id, properties, lower(left(properties ->> 'email', 320)), is_identified, is_deleted,
         to_timestamp(created_at_ms / 1000), version
    FROM unnest(string_to_array($1, ',')::int[], string_to_array($2, ',')::uuid[],
                string_to_array($3, '${BETWEEN_JSON}')::jsonb[], string_to_array($4, ',')::boolean[],
                string_to_array($5, ',')::boolean[], string_to_array($6, ',')::float8[], string_to_array($7, ',')::bigint[])
      AS row (project_id, id, properties, is_identified, is_deleted, created_at_ms, version)
  ON CONFLICT (project_id, id) DO UPDATE
    SET properties = excluded.properties, email = excluded.email, is_identified = excluded.is_identified,
        is_deleted = excluded.is_deleted, created_at = excluded.created_at, version = excluded.version`

const SAVE_DISTINCT_IDS = `INSERT INTO person_distinct_id (project_id, distinct_id, person_id, version)
  SELECT * FROM unnest($1::int[], $2::text[], $3::uuid[], $4::bigint[])
  ON CONFLICT (project_id, distinct_id) DO UPDATE SET person_id = excluded.person_id, version = excluded.version`

const SAVE_PERSONLESS = `INSERT INTO personless_distinct_id (project_id, distinct_id)
  SELECT * FROM unnest($1::int[], $2::text[]) ON CONFLICT DO NOTHING`

const SAVE_GROUP_TYPES = `INSERT INTO group_type (project_id, name, type_index)
  SELECT * FROM unnest($1::int[], $2::text[], $3::smallint[])`

const SAVE_GROUPS = `INSERT INTO group_entry (project_id, type_index, group_key, properties, created_at, version)
  SELECT project_id, type_index, group_key, properties, to_timestamp(created_at_ms / 1000), version
    FROM json_to_recordset($1::json) AS row (project_id integer, type_index smallint, group_key text, properties jsonb,
                                             created_at_ms float8, version bigint)
  ON CONFLICT (project_id, type_index, group_key) DO UPDATE
    SET properties = excluded.properties, created_at = excluded.created_at, version = excluded.version`

/** Writes the final states of a batch; nothing is sent for kinds that did not change. */
export async function savePersonChanges(client: PoolClient, changes: readonly ProjectChanges[]): Promise<void> {
  await savePersons(
    client,
    changes.flatMap(({ projectId, persons }) => persons.map((person) => ({ projectId, person }))),
  )
  await saveColumns(client, SAVE_DISTINCT_IDS, changes, ({ distinctIds }) =>
    distinctIds.map(({ distinctId, personId, version }) => [distinctId, personId, version]),
  )
  await saveColumns(client, SAVE_PERSONLESS, changes, ({ personlessDistinctIds }) =>
    personlessDistinctIds.map((distinctId) => [distinctId]),
  )
  await saveColumns(client, SAVE_GROUP_TYPES, changes, ({ groupTypes }) =>
    groupTypes.map(({ name, typeIndex }) => [name, typeIndex]),
  )
  await saveJson(client, SAVE_GROUPS, changes, ({ groups }) =>
    groups.map(({ typeIndex, key, properties, createdAtMs, version }) => ({
      type_index: typeIndex,
      group_key: key,
      properties,
      created_at_ms: createdAtMs,
      version,
    })),
  )
}

async function savePersons(
  client: PoolClient,
  rows: readonly { readonly projectId: ProjectId; readonly person: ChangedPerson }[],
): Promise<void> {
  if (rows.length === 0) return
  const column = (read: (person: ChangedPerson) => unknown, between = ","): string =>
    rows.map(({ person }) => read(person)).join(between)
  await client.query(SAVE_PERSONS, [
    rows.map(({ projectId }) => projectId).join(),
    column(({ id }) => id),
    column(({ propertiesJson }) => propertiesJson, BETWEEN_JSON),
    column(({ isIdentified }) => isIdentified),
    column(({ isDeleted }) => isDeleted),
    column(({ createdAtMs }) => createdAtMs),
    column(({ version }) => version),
  ])
}

async function saveJson(
  client: PoolClient,
  statement: string,
  changes: readonly ProjectChanges[],
  toRows: (change: ProjectChanges) => readonly object[],
): Promise<void> {
  const rows = changes.flatMap((change) => toRows(change).map((row) => ({ project_id: change.projectId, ...row })))
  if (rows.length > 0) await client.query(statement, [JSON.stringify(rows)])
}

/** Sends rows as one array per column, the project's id first. */
async function saveColumns(
  client: PoolClient,
  statement: string,
  changes: readonly ProjectChanges[],
  toRows: (change: ProjectChanges) => readonly (readonly unknown[])[],
): Promise<void> {
  const rows = changes.flatMap((change) => toRows(change).map((row) => [change.projectId, ...row]))
  const width = rows[0]?.length ?? 0
  if (width > 0)
    await client.query(
      statement,
      Array.from({ length: width }, (_, column) => rows.map((row) => row[column])),
    )
}
