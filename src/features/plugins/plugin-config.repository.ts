import { type EntityManager, LockMode, wrap } from "@mikro-orm/postgresql"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { Ids } from "../../platform/ids/ids.js"
import { readRecords } from "../../platform/postgres/record-list.js"
import type { Records } from "../../platform/postgres/records.js"
import { BY_ID } from "../../platform/postgres/sql-order.js"
import { PluginConfigEntity, PluginEntity } from "./plugin.entity.js"
import { recordPluginActivity } from "./plugin-activity.repository.js"
import type { BuiltInConfig, NewPlugin, PluginConfig, PluginConfigChanges } from "./plugins.types.js"

export type PluginConfigRepository = ReturnType<typeof createPluginConfigRepository>

/**
 * Plugins in PostgreSQL. Every call is bounded to one project; a change and its entry in the audit log are written together.
 * Methods throw AppError store_unavailable when PostgreSQL is away.
 */
export function createPluginConfigRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  return {
    /** By id; Waymark's own plugins are always among them. */
    list: async (projectId: ProjectId, page: PageRequest, now: Date): Promise<ListPage<PluginConfig>> => {
      await records.write((em) => loadBuiltIns(em, projectId, now))
      return readRecords(
        records,
        {
          order: [BY_ID],
          find: (em, { beyond, options }) =>
            em.find(PluginConfigEntity, { $and: [{ projectId }, beyond] }, { ...options, populate: ["plugin"] }),
          count: (em) => em.count(PluginConfigEntity, { projectId }),
        },
        page,
      )
    },

    find: (projectId: ProjectId, id: number): Promise<PluginConfig | null> =>
      records.read((em) => em.findOne(PluginConfigEntity, { projectId, id }, { populate: ["plugin"] })),

    findMany: (projectId: ProjectId, ids: readonly number[]): Promise<PluginConfig[]> =>
      records.read((em) => em.find(PluginConfigEntity, { projectId, id: { $in: [...ids] } }, { populate: ["plugin"] })),

    insert: (projectId: ProjectId, { name, description, ...rest }: NewPlugin, userId: UserId, at: Date) =>
      records.write(async (em): Promise<PluginConfig> => {
        const plugin = em.create(PluginEntity, { projectId, builtIn: null, name, description })
        const created = em.create(PluginConfigEntity, { projectId, plugin, ...rest, createdAt: at, updatedAt: at })
        await em.flush()
        recordPluginActivity(em, null, created, { id: ids.uuidV7(), userId, at })
        return created
      }),

    /** Null when the project has no such configuration. */
    update: (projectId: ProjectId, id: number, changes: PluginConfigChanges, userId: UserId, at: Date) =>
      records.write(async (em): Promise<PluginConfig | null> => {
        const locked = { lockMode: LockMode.PESSIMISTIC_WRITE }
        const found = await em.findOne(PluginConfigEntity, { projectId, id }, locked)
        if (found === null) return null
        await em.populate(found, ["plugin"])
        const before = wrap(found).toPOJO()
        em.assign(found, { ...changes, updatedAt: at })
        recordPluginActivity(em, before, found, { id: ids.uuidV7(), userId, at })
        return found
      }),

    /** Waymark's own plugins; they are added to a project that does not have them yet. */
    findBuiltIns: (projectId: ProjectId, now: Date): Promise<BuiltInConfig[]> =>
      records.write(async (em) => {
        const configs = await loadBuiltIns(em, projectId, now)
        // Copied, because a cache keeps them: an entity would keep its unit of work alive.
        return configs.map(({ id, pluginId, enabled, builtIn }) => ({ id, pluginId, enabled, builtIn }))
      }),
  }
}

/** Loads how a project has set Waymark's own plugins; adds those that it does not have yet, switched on. */
async function loadBuiltIns(em: EntityManager, projectId: ProjectId, now: Date): Promise<PluginConfigEntity[]> {
  const plugins = await em.find(PluginEntity, { builtIn: { $ne: null } })
  const load = () => em.find(PluginConfigEntity, { projectId, plugin: { $in: plugins } })
  const known = await load()
  const missing = plugins.filter((plugin) => !known.some((config) => config.plugin === plugin))
  if (missing.length === 0) return known
  const defaults = { projectId, enabled: true, config: {}, createdAt: now, updatedAt: now }
  const added = missing.map((plugin) => ({ ...defaults, plugin }))
  // Another process may add them at the same time.
  await em.upsertMany(PluginConfigEntity, added, {
    onConflictFields: ["projectId", "plugin"],
    onConflictAction: "ignore",
  })
  return load()
}
