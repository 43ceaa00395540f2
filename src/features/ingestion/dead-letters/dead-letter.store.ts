import type { Pool, PoolClient } from "pg"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import { LOG_ROW_FORMAT } from "../../capture/index.js"
import { DEAD_LETTER_REASONS, type DeadLetterReason } from "../ingestion.types.js"
import { SHARD_COUNT } from "../shards.js"

/** `unknown` where an earlier release did not say. */
type KnownReason = DeadLetterReason | "unknown"

/** A dead letter without its text. */
export interface DeadLetterSummary {
  readonly id: string
  readonly reason: KnownReason
  readonly detail: string
  /** Its name, where it has one. */
  readonly event: string | null
  readonly receivedAt: Date
  readonly failedAt: Date
  readonly byteCount: number
  readonly canRetry: boolean
}

/** Of the text of a letter; a whole request may be far longer. */
const MAX_SHOWN_CHARACTERS = 100_000
const DELETED_PER_STATEMENT = 1_000
const DAY_MS = 86_400_000

/** A row that could not be unpacked cannot be packed again, and of an unknown reason it is not known whether the uuid is noted. */
const CAN_RETRY = "reason_code NOT IN ('unreadable_row', 'unknown')"

const LIST = `
SELECT id::text, reason_code AS reason, reason AS detail, event_name AS event, received_at AS "receivedAt",
       created_at AS "failedAt", octet_length(event) AS "byteCount", ${CAN_RETRY} AS "canRetry"
  FROM ingest_dead_letter WHERE project_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`

/** Longer than it takes to ask for a deletion, and no lag that anybody is told of. */
const ROW_AGE = "1 minute"

/**
 * One statement, so each letter is either here or in the log. What is waiting again is no longer counted as dropped. An event
 * whose uuid is noted is logged as a retried one, which the note is not held against; the note stays, and is as of today, so that
 * repetitions of the event are told all the while. The row is as new as its place in the log, as the request's own time is in it;
 * but a deletion of events that is just being asked for must find it early. Letters that one under way may remove are left to it.
 */
const RETRY = `
WITH retried AS (
  DELETE FROM ingest_dead_letter WHERE project_id = $1 AND id = ANY ($2::bigint[]) AND ${CAN_RETRY}
     AND NOT EXISTS (SELECT FROM person_deletion AS deletion WHERE deletion.project_id = $1 AND deletion.delete_events
                        AND deletion.requested_at >= ingest_dead_letter.received_at)
  RETURNING id, event, reason_code, received_at, client_ip, historical_migration, noted_uuid
), noted AS (
  INSERT INTO event_uuid (project_id, uuid, seen_on)
  SELECT DISTINCT $1, noted_uuid, $3::timestamptz::date FROM retried WHERE noted_uuid IS NOT NULL
  ON CONFLICT (project_id, uuid) DO UPDATE SET seen_on = excluded.seen_on
), texts AS (
  SELECT *, CASE WHEN reason_code = 'unreadable_request' THEN event
                 WHEN noted_uuid IS NULL THEN '[' || event || ']'
                 ELSE '{"retried":[' || event || ']}' END AS text
    FROM retried
), packed AS (
  SELECT id, convert_to(json_build_array(json_build_array((extract(epoch FROM received_at) * 1000)::bigint, client_ip,
                          historical_migration, 1, octet_length(text)))::text || E'\\n' || text, 'UTF8') AS requests
    FROM texts
), logged AS (
  INSERT INTO ingest_log (project_id, received_at, event_count, byte_count, requests, format)
  SELECT $1, $3::timestamptz - interval '${ROW_AGE}', 1, octet_length(requests), requests, ${LOG_ROW_FORMAT}
    FROM packed ORDER BY id
), uncounted AS (
  UPDATE ingest_progress SET dropped = dropped - (SELECT count(*) FROM retried) WHERE shard = $1 % ${SHARD_COUNT}
)
SELECT id::text FROM retried ORDER BY retried.id`

/** Dead letters as their project's users see them. Methods throw AppError store_unavailable when PostgreSQL is away. */
export class DeadLetterStore {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** The newest `limit` letters older than the one with the id `before`; null begins with the newest. */
  async list(projectId: ProjectId, before: string | null, limit: number): Promise<DeadLetterSummary[]> {
    const newest = "9223372036854775807"
    return this.query<DeadLetterSummary>(LIST, [projectId, before ?? newest, limit])
  }

  /** The first 100,000 characters of the text of a letter; null when the project has no such letter. */
  async findText(projectId: ProjectId, id: string): Promise<string | null> {
    const sql = "SELECT left(event, $3) AS text FROM ingest_dead_letter WHERE project_id = $1 AND id = $2"
    const [row] = await this.query<{ text: string }>(sql, [projectId, id, MAX_SHOWN_CHARACTERS])
    return row?.text ?? null
  }

  /**
   * Puts letters back into the log, where each is stored exactly once (`docs/contract/faults.md#dead-letters`).
   * @returns the ids of those that are waiting now.
   */
  async retry(projectId: ProjectId, ids: readonly string[]): Promise<string[]> {
    return toIds(await this.query<{ id: string }>(RETRY, [projectId, ids, new Date(this.clock.now())]))
  }

  /** Removes letters for good. @returns the ids of those that there were. */
  async remove(projectId: ProjectId, ids: readonly string[]): Promise<string[]> {
    const sql = `WITH removed AS (
      DELETE FROM ingest_dead_letter WHERE project_id = $1 AND id = ANY ($2::bigint[]) RETURNING id)
    SELECT id::text FROM removed ORDER BY removed.id`
    return toIds(await this.query<{ id: string }>(sql, [projectId, ids]))
  }

  /** How many there are of each reason, over all projects; of most there are none. */
  async count(): Promise<ReadonlyMap<KnownReason, number>> {
    const sql = "SELECT reason_code AS reason, count(*)::int AS count FROM ingest_dead_letter GROUP BY reason_code"
    const rows = await this.query<{ reason: KnownReason; count: number }>(sql, [])
    const counts = new Map<KnownReason, number>(
      [...DEAD_LETTER_REASONS, "unknown" as const].map((reason) => [reason, 0]),
    )
    for (const { reason, count } of rows) counts.set(reason, count)
    return counts
  }

  private query<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return whenReachable(async () => (await this.pool.query<Row>(sql, [...values])).rows)
  }
}

/**
 * Removes some letters that are older than `keptDays`: few enough at a time that nobody waits long.
 * @returns whether there may be more.
 */
export async function forgetOldDeadLetters(client: PoolClient, nowMs: number, keptDays: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `DELETE FROM ingest_dead_letter WHERE id = ANY (ARRAY(
       SELECT id FROM ingest_dead_letter WHERE created_at < $1 ORDER BY created_at LIMIT $2))`,
    [new Date(nowMs - keptDays * DAY_MS), DELETED_PER_STATEMENT],
  )
  return rowCount === DELETED_PER_STATEMENT
}

const toIds = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)
