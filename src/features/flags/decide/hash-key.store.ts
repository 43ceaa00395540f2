import type { Database } from "../../../platform/postgres/database.types.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { HashKeys } from "../flags.types.js"

/** Of several rows for one flag the first id's own comes last, so that it wins in the map; then its person's other ids. */
const READ = `
  WITH asked AS (SELECT distinct_id, position FROM unnest($2::text[]) WITH ORDINALITY AS t (distinct_id, position)),
  related AS (
    SELECT distinct_id, position * 2 AS rank FROM asked
    UNION ALL
    SELECT sibling.distinct_id, asked.position * 2 + 1 FROM asked
      JOIN person_distinct_id own ON own.project_id = $1 AND own.distinct_id = asked.distinct_id
      JOIN person_distinct_id sibling ON sibling.project_id = $1 AND sibling.person_id = own.person_id)
  SELECT flag_key, hash_key FROM related JOIN flag_hash_key USING (distinct_id)
  WHERE project_id = $1 ORDER BY rank DESC, distinct_id DESC`

const WRITE = `
  INSERT INTO flag_hash_key (project_id, distinct_id, flag_key, hash_key)
  SELECT $1, distinct_id, flag_key, hash_key
  FROM unnest($2::text[]) AS ids (distinct_id), unnest($3::text[], $4::text[]) AS keys (flag_key, hash_key)
  ON CONFLICT DO NOTHING`

/** Hash keys of experience continuity in PostgreSQL. */
export function createHashKeyStore({ pool }: Pick<Database, "pool">): HashKeys {
  return {
    read: (projectId, distinctIds) =>
      whenReachable(async () => {
        const statement = { name: "flags.readHashKeys", text: READ, values: [projectId, distinctIds] }
        const { rows } = await pool.query<{ flag_key: string; hash_key: string }>(statement)
        return new Map(rows.map(({ flag_key, hash_key }) => [flag_key, hash_key]))
      }),
    write: (projectId, distinctIds, hashKeys) =>
      whenReachable(async () => {
        const values = [projectId, distinctIds, [...hashKeys.keys()], [...hashKeys.values()]]
        await pool.query({ name: "flags.writeHashKeys", text: WRITE, values })
      }),
  }
}
