import type { PoolClient } from "pg"
import type { Json } from "../../../kernel/json.js"
import type { DeletedPersons, PersonDeletionListener } from "../persons.types.js"
import { withoutPersons } from "./without-persons.js"

/** A column of JSON with conditions in it, of a table with an `id` and a `project_id`. */
export interface ConditionColumn {
  readonly table: string
  readonly column: string
}

/** Whoever changes rules locks this row first. */
const LOCK_RULES = "SELECT FROM flag_rule_version WHERE project_id = $1 FOR UPDATE"
/** Addresses that another person of the project has as well say nothing about the deleted one. */
const SELECT_OWN = `SELECT gone.email FROM unnest($2::text[]) AS gone (email)
  WHERE NOT EXISTS (SELECT FROM person WHERE project_id = $1 AND person.email = gone.email AND NOT is_deleted)`

/** Takes deleted persons out of conditions that name them (`docs/contract/management.md#deleting-persons`). */
export const createConditionForgetter =
  (columns: readonly ConditionColumn[]): PersonDeletionListener =>
  async (client, deleted) => {
    const texts = await findNames(client, deleted)
    if (texts.size === 0) return
    await client.query(LOCK_RULES, [deleted.projectId])
    for (const place of columns) await forgetIn(client, place, deleted, texts)
  }

async function findNames(client: PoolClient, deleted: DeletedPersons): Promise<ReadonlySet<string>> {
  const { projectId, personIds, distinctIds, emails } = deleted
  const { rows } = await client.query<{ email: string }>(SELECT_OWN, [projectId, emails])
  const names = [...distinctIds, ...personIds, ...rows.map(({ email }) => email)]
  return new Set(names.map((name) => name.toLowerCase()))
}

async function forgetIn(
  client: PoolClient,
  { table, column }: ConditionColumn,
  { projectId }: DeletedPersons,
  texts: ReadonlySet<string>,
): Promise<void> {
  const { rows } = await client.query<{ id: string; document: Json }>(
    `SELECT id::text, ${column} AS document FROM ${table}
      WHERE project_id = $1 AND EXISTS (
        SELECT FROM unnest($2::text[]) AS gone (text) WHERE strpos(lower(${column}::text), to_json(gone.text)::text) > 0)
      ORDER BY id FOR UPDATE`,
    [projectId, [...texts]],
  )
  for (const { id, document } of rows) {
    const kept = withoutPersons(document, texts)
    if (kept === document) continue
    const sql = `UPDATE ${table} SET ${column} = $3 WHERE project_id = $1 AND id::text = $2`
    await client.query(sql, [projectId, id, JSON.stringify(kept)])
  }
}
