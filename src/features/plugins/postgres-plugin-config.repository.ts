import { LockMode } from "@mikro-orm/core"
import type { ProjectId } from "../../kernel/ids.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import { PluginConfigEntity, PluginEntity } from "./plugin.entity.js"
import { recordPluginActivity } from "./plugin-activity.log.js"
import type { BuiltInConfig, PluginConfig, PluginConfigRepository } from "./plugins.types.js"

const COLUMNS = `config.id, plugin.id AS "pluginId", plugin.name, plugin.description, plugin.built_in AS "builtIn",
  config.enabled, config.config, config.created_at AS "createdAt", config.updated_at AS "updatedAt"`
const FROM = "FROM plugin_config AS config JOIN plugin ON plugin.id = config.plugin_id WHERE config.project_id = $1"

const BUILT_INS = `SELECT config.id, plugin.id AS "pluginId", plugin.built_in AS "builtIn", config.enabled
  FROM plugin LEFT JOIN plugin_config AS config ON config.plugin_id = plugin.id AND config.project_id = $1
 WHERE plugin.built_in IS NOT NULL`
const ADD_BUILT_INS = `INSERT INTO plugin_config (project_id, plugin_id, enabled, created_at, updated_at)
  SELECT $1, id, true, $2, $2 FROM plugin
   WHERE built_in IS NOT NULL
     AND NOT EXISTS (SELECT FROM plugin_config WHERE project_id = $1 AND plugin_id = plugin.id)
  ON CONFLICT DO NOTHING`

/** Plugins in PostgreSQL. */
export function createPostgresPluginConfigs(
  { pool, orm }: Pick<Database, "pool" | "orm">,
  ids: Pick<Ids, "uuidV7">,
): PluginConfigRepository {
  const select = <Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> =>
    whenReachable(async () => (await pool.query<Row>(text, [...values])).rows)
  const findOne = async (projectId: ProjectId, id: number): Promise<PluginConfig | null> =>
    (await select<PluginConfig>(`SELECT ${COLUMNS} ${FROM} AND config.id = $2`, [projectId, id]))[0] ?? null
  const readBuiltIns = (projectId: ProjectId) =>
    select<BuiltInConfig | (Omit<BuiltInConfig, "id"> & { id: null })>(BUILT_INS, [projectId])
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
    async insert(projectId, { name, description, enabled, config }, userId, at) {
      const id = await whenReachable(() =>
        orm.em.fork().transactional(async (em) => {
          const plugin = em.create(PluginEntity, { projectId, builtIn: null, name, description })
          const values = { projectId, plugin, enabled, config, createdAt: at, updatedAt: at }
          const created = em.create(PluginConfigEntity, values)
          await em.persist(created).flush()
          recordPluginActivity(em, null, created, { id: ids.uuidV7(), userId, at })
          return created.id
        }),
      )
      return (await findOne(projectId, id)) as PluginConfig
    },
    async update(projectId, id, changes, userId, at) {
      await whenReachable(() =>
        orm.em.fork().transactional(async (em) => {
          const lockMode = LockMode.PESSIMISTIC_WRITE
          const entity = await em.findOne(PluginConfigEntity, { projectId, id }, { lockMode })
          if (entity === null) return
          const before = { id, projectId, enabled: entity.enabled, config: entity.config }
          em.assign(entity, { ...changes, updatedAt: at })
          recordPluginActivity(em, before, entity, { id: ids.uuidV7(), userId, at })
        }),
      )
      return findOne(projectId, id)
    },
    async builtIns(projectId, now) {
      const isThere = (config: { readonly id: number | null }): config is BuiltInConfig => config.id !== null
      const known = await readBuiltIns(projectId)
      if (known.every(isThere)) return known
      await select(ADD_BUILT_INS, [projectId, now])
      return (await readBuiltIns(projectId)).filter(isThere)
    },
  }
}
