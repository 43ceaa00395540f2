import type { PoolClient } from "pg"
import type { Definitions } from "./definition-catalogue.js"

/** Adds names that are new; a property seen with another type than before is text from then on. */
export async function saveDefinitions(
  client: PoolClient,
  { events, properties }: Definitions,
  nowMs: number,
): Promise<void> {
  if (events.length > 0)
    await client.query(
      `INSERT INTO event_definition (project_id, name, created_at)
       SELECT project_id, name, $3 FROM unnest($1::int[], $2::text[]) AS row (project_id, name) ON CONFLICT DO NOTHING`,
      [events.map(({ projectId }) => projectId), events.map(({ name }) => name), new Date(nowMs)],
    )
  if (properties.length > 0)
    await client.query(
      `INSERT INTO property_definition AS known (project_id, kind, group_type_index, name, property_type)
       SELECT * FROM unnest($1::int[], $2::text[], $3::smallint[], $4::text[], $5::text[])
       ON CONFLICT (project_id, kind, group_type_index, name) DO UPDATE SET property_type = 'String'
         WHERE known.property_type NOT IN ('String', excluded.property_type)`,
      [
        properties.map(({ projectId }) => projectId),
        properties.map(({ kind }) => kind),
        properties.map(({ groupTypeIndex }) => groupTypeIndex),
        properties.map(({ name }) => name),
        properties.map(({ type }) => type),
      ],
    )
}
