import type { PoolClient } from "pg"
import { toStorableText } from "../../../kernel/json.js"
import { cutText } from "../../../kernel/text-length.js"
import type { DeadLetter } from "../ingestion.types.js"

const MAX_NAME_LENGTH = 200
const MAX_DETAIL_LENGTH = 1_000

/** Keeps what could not be stored, in the transaction that takes it out of the log. */
export async function saveDeadLetters(client: PoolClient, letters: readonly DeadLetter[]): Promise<void> {
  if (letters.length === 0) return
  await client.query(
    `INSERT INTO ingest_dead_letter
       (project_id, event, reason_code, reason, event_name, received_at, client_ip, historical_migration, noted_uuid)
     SELECT project_id, event, reason_code, reason, event_name, to_timestamp(received_ms / 1000), client_ip, historical, uuid
       FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::text[], $8::boolean[],
                   $9::uuid[])
         AS given (project_id, event, reason_code, reason, event_name, received_ms, client_ip, historical, uuid)`,
    [
      letters.map(({ projectId }) => projectId),
      letters.map(({ event }) => event),
      letters.map(({ reason }) => reason),
      letters.map(({ detail }) => shorten(detail, MAX_DETAIL_LENGTH)),
      letters.map(({ eventName }) => eventName && shorten(eventName, MAX_NAME_LENGTH)),
      letters.map(({ receivedAtMs }) => receivedAtMs),
      letters.map(({ clientIp }) => clientIp),
      letters.map(({ historicalMigration }) => historicalMigration),
      letters.map(({ notedUuid }) => notedUuid),
    ],
  )
}

const shorten = (text: string, length: number): string => cutText(toStorableText(text), length)
