import type { PoolClient } from "pg"
import type { DeletedPersons } from "../persons/index.js"

/** Texts of warnings are cut off there. */
const WARNING_TEXT_LENGTH = 200

/** Locked in the order in which those who write several lock them. */
const FORGET_EXAMPLES = `
  WITH named AS (
    SELECT day, reason, event FROM ingestion_warning
     WHERE project_id = $1
       AND (last_distinct_id = ANY ($2::text[]) OR last_distinct_id = ANY ($3::text[])
            OR EXISTS (SELECT FROM unnest($2::text[] || $4::text[]) AS gone (id)
                        WHERE strpos(last_detail, gone.id) > 0))
     ORDER BY reason COLLATE "C", event COLLATE "C" FOR UPDATE)
  UPDATE ingestion_warning AS known SET last_distinct_id = NULL, last_uuid = NULL, last_detail = NULL
    FROM named
   WHERE known.project_id = $1 AND known.day = named.day AND known.reason = named.reason AND known.event = named.event`

const FORGET_EVENTS = `
  DELETE FROM ingest_dead_letter WHERE project_id = $1 AND received_at <= $4
    AND EXISTS (SELECT FROM unnest($2::text[] || $3::text[]) AS gone (id) WHERE strpos(event, to_json(gone.id)::text) > 0)`

/** Warnings keep their counts, and lose examples that name deleted persons. */
export async function forgetWarnedPersons(
  client: PoolClient,
  { projectId, personIds, distinctIds }: Pick<DeletedPersons, "projectId" | "personIds" | "distinctIds">,
): Promise<void> {
  const cut = distinctIds.map((id) => id.slice(0, WARNING_TEXT_LENGTH))
  await client.query(FORGET_EXAMPLES, [projectId, distinctIds, cut, personIds])
}

/** Removes events that could not be stored, when those of the persons are to go: what was accepted until the deletion. */
export async function forgetDeadLetters(client: PoolClient, deleted: DeletedPersons): Promise<void> {
  const { projectId, personIds, distinctIds, deletesEvents, requestedAtMs } = deleted
  if (deletesEvents) await client.query(FORGET_EVENTS, [projectId, distinctIds, personIds, new Date(requestedAtMs)])
}
