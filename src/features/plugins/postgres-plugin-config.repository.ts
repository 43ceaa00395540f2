import type { Pool } from "pg"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import type { BuiltInConfig, PluginConfig, PluginConfigRepository } from "./plugins.types.js"

const COLUMNS = `config.id, plugin.id AS "pluginId", plugin.name, plugin.description, plugin.built_in AS "builtIn",
  config.enabled, config.config, config.created_at AS "createdAt", config.updated_at AS "updatedAt"`
const FROM = "FROM plugin_config AS config JOIN plugin ON plugin.id = config.plugin_id WHERE config.project_id = $1"

const ADD_BUILT_INS = `INSERT INTO plugin_config (project_id, plugin_id, enabled, created_at, updated_at)
  SELECT $1, id, true, $2, $2 FROM plugin
   WHERE built_in IS NOT NULL
     AND NOT EXISTS (SELECT FROM plugin_config WHERE project_id = $1 AND plugin_id = plugin.id)
  ON CONFLICT DO NOTHING`

/** Plugins in PostgreSQL. */
export function createPostgresPluginConfigs(pool: Pool): PluginConfigRepository {
  const select = <Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> =>
    whenReachable(async () => (await pool.query<Row>(text, [...values])).rows)
  const findOne = async (projectId: number, id: number): Promise<PluginConfig | null> =>
    (await select<PluginConfig>(`SELECT ${COLUMNS} ${FROM} AND config.id = $2`, [projectId, id]))[0] ?? null
  return {
    async list(projectId, { limit, offset }, now) {
      await select(ADD_BUILT_INS, [projectId, now])
      const [items, counted] = await Promise.all([
        select<PluginConfig>(`SELECT ${COLUMNS} ${FROM} ORDER BY config.id LIMIT $2 OFFSET $3`, [
          projectId,
          limit,
          offset,
        ]),
        select<{ total: number }>(`SELECT count(*)::int AS total ${FROM}`, [projectId]),
      ])
      return { items, totalCount: counted[0]?.total ?? 0 }
    },
    find: findOne,
    async insert(projectId, { name, description, enabled, config }, now) {
      const [created] = await select<PluginConfig>(
        `WITH plugin AS (INSERT INTO plugin (project_id, name, description) VALUES ($1, $2, $3) RETURNING *),
              config AS (INSERT INTO plugin_config (project_id, plugin_id, enabled, config, created_at, updated_at)
                         SELECT $1, id, $4, $5, $6, $6 FROM plugin RETURNING *)
         SELECT ${COLUMNS} FROM config, plugin`,
        [projectId, name, description, enabled, JSON.stringify(config), now],
      )
      return created as PluginConfig
    },
    async update(projectId, id, { enabled, config }, now) {
      await select(
        `UPDATE plugin_config SET enabled = coalesce($3, enabled), config = coalesce($4, config), updated_at = $5
          WHERE project_id = $1 AND id = $2`,
        [projectId, id, enabled ?? null, config === undefined ? null : JSON.stringify(config), now],
      )
      return findOne(projectId, id)
    },
    async builtIns(projectId, now) {
      await select(ADD_BUILT_INS, [projectId, now])
      return select<BuiltInConfig>(
        `SELECT config.id, plugin.id AS "pluginId", plugin.built_in AS "builtIn", config.enabled ${FROM}
          AND plugin.built_in IS NOT NULL`,
        [projectId],
      )
    },
  }
}
