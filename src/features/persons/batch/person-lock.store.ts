import type { PoolClient } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"

/** First key of the advisory locks under which persons of a project change; the second one is the project. */
const PERSONS_LOCK = 0x70657273

/** Keeps everybody else who changes persons of these projects waiting until the transaction of `client` ends. */
export async function lockPersons(client: PoolClient, projectIds: readonly ProjectId[]): Promise<void> {
  const sorted = [...projectIds].sort((a, b) => a - b)
  await client.query("SELECT pg_advisory_xact_lock($1, id) FROM unnest($2::int[]) AS id", [PERSONS_LOCK, sorted])
}
