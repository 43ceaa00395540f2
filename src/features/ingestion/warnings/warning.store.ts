import type { PoolClient } from "pg"
import { toWarningKey } from "../../capture/index.js"
import type { ProjectWarning } from "./ingestion-warning.js"

/** Adds warnings to the rows of their day, rule and event name; the newest one is the example. */
export async function saveWarnings(
  client: PoolClient,
  warnings: readonly ProjectWarning[],
  nowMs: number,
): Promise<void> {
  if (warnings.length === 0) return
  const toKey = ({ projectId, reason, event }: ProjectWarning): string => toWarningKey(projectId, reason, event ?? "")
  const groups = [...Map.groupBy(warnings, toKey)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
  const newest = groups.flatMap((group) => group.slice(-1))
  await client.query(
    `INSERT INTO ingestion_warning AS known
       (project_id, reason, event, severity, last_distinct_id, last_uuid, last_detail, occurrences, day, last_at)
     SELECT *, $9::timestamptz::date, $9::timestamptz
       FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
     ON CONFLICT (project_id, day, reason, event) DO UPDATE
       SET severity = excluded.severity, occurrences = known.occurrences + excluded.occurrences, last_at = excluded.last_at,
           last_distinct_id = excluded.last_distinct_id, last_uuid = excluded.last_uuid, last_detail = excluded.last_detail`,
    [
      newest.map(({ projectId }) => projectId),
      newest.map(({ reason }) => reason),
      newest.map(({ event }) => event ?? ""),
      newest.map(({ severity }) => severity),
      newest.map(({ distinctId }) => distinctId),
      newest.map(({ uuid }) => uuid),
      newest.map(({ detail }) => detail),
      groups.map((group) => group.length),
      new Date(nowMs),
    ],
  )
}
