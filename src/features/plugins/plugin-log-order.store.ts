import type { Pool } from "pg"
import type { PluginLogName } from "./plugins.types.js"

/** Entries of a log that are about to be stored. */
export interface BegunAppend extends PluginLogName {
  /** Position of the first of them. */
  readonly firstPosition: number
}

/** An insert takes two minutes at most; what was begun earlier is not stored any more. */
const BEGUN_COUNTS_FOR = "interval '3 minutes'"

/** Positions are given out and noted in one statement, so nobody sees the one without the other. */
const BEGIN = `WITH wanted AS (
  SELECT * FROM unnest($1::integer[], $2::integer[], $3::integer[]) AS wanted (project_id, plugin_config_id, entries)
), moved AS (
  INSERT INTO plugin_log_position AS known (project_id, plugin_config_id, last_position)
  SELECT project_id, plugin_config_id, entries FROM wanted ORDER BY project_id, plugin_config_id
  ON CONFLICT (project_id, plugin_config_id) DO UPDATE SET last_position = known.last_position + excluded.last_position
  RETURNING project_id, plugin_config_id, last_position
), forgotten AS (
  DELETE FROM plugin_log_append WHERE begun_at < now() - ${BEGUN_COUNTS_FOR}
)
INSERT INTO plugin_log_append (project_id, plugin_config_id, first_position)
SELECT project_id, plugin_config_id, last_position - entries + 1
  FROM moved JOIN wanted USING (project_id, plugin_config_id)
RETURNING project_id AS "projectId", plugin_config_id AS "pluginConfigId", first_position::float8 AS "firstPosition"`

const END = `DELETE FROM plugin_log_append AS begun
  USING unnest($1::integer[], $2::integer[], $3::bigint[]) AS ended (project_id, plugin_config_id, first_position)
  WHERE begun.project_id = ended.project_id AND begun.plugin_config_id = ended.plugin_config_id
    AND begun.first_position = ended.first_position`

const FIND_LAST = `SELECT coalesce(
    (SELECT min(first_position) - 1 FROM plugin_log_append
      WHERE project_id = $1 AND plugin_config_id = $2 AND begun_at > now() - ${BEGUN_COUNTS_FOR}),
    last_position)::float8 AS "lastPosition"
  FROM plugin_log_position WHERE project_id = $1 AND plugin_config_id = $2`

export type PluginLogOrder = ReturnType<typeof createPluginLogOrder>

/**
 * The order of the entries of plugins' logs: positions are given out before entries are stored, by any process,
 * and nobody reads beyond the first that is not stored yet.
 */
export function createPluginLogOrder(pool: Pool) {
  return {
    /** Gives out as many positions of each log as there are entries of it. */
    async begin(logs: readonly (PluginLogName & { readonly entries: number })[]): Promise<BegunAppend[]> {
      const { rows } = await pool.query<BegunAppend>(BEGIN, [
        logs.map(({ projectId }) => projectId),
        logs.map(({ pluginConfigId }) => pluginConfigId),
        logs.map(({ entries }) => entries),
      ])
      return rows
    },

    /** Says that these entries are stored, or will never be. */
    async end(begun: readonly BegunAppend[]): Promise<void> {
      await pool.query(END, [
        begun.map(({ projectId }) => projectId),
        begun.map(({ pluginConfigId }) => pluginConfigId),
        begun.map(({ firstPosition }) => firstPosition),
      ])
    },

    /** The position up to which every entry of a log is stored; 0 when there is none. */
    async findLast({ projectId, pluginConfigId }: PluginLogName): Promise<number> {
      const { rows } = await pool.query<{ lastPosition: number }>(FIND_LAST, [projectId, pluginConfigId])
      return rows[0]?.lastPosition ?? 0
    },
  }
}
