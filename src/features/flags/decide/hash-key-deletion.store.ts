import type { PoolClient } from "pg"
import type { DeletedPersons } from "../../persons/index.js"

/** Removes the ids of deleted persons where they decide flags for ids that were never merged with them. */
export async function forgetHashedIds(
  client: PoolClient,
  { projectId, distinctIds }: Pick<DeletedPersons, "projectId" | "distinctIds">,
): Promise<void> {
  await client.query("DELETE FROM flag_hash_key WHERE project_id = $1 AND hash_key = ANY ($2::text[])", [
    projectId,
    distinctIds,
  ])
}

/**
 * Forgets what experience continuity hashes for the ids of deleted persons, in the transaction of the deletion. A merge needs
 * nothing of the kind: hash keys are kept by distinct id and read for all ids of a person.
 */
export async function forgetHashKeys(
  client: PoolClient,
  { projectId, distinctIds }: Pick<DeletedPersons, "projectId" | "distinctIds">,
): Promise<void> {
  await client.query("DELETE FROM flag_hash_key WHERE project_id = $1 AND distinct_id = ANY ($2::text[])", [
    projectId,
    distinctIds,
  ])
}
