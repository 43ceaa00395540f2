import { type EntityManager, LockMode, wrap } from "@mikro-orm/postgresql"
import type { ProjectId } from "../../kernel/ids.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Records } from "../../platform/postgres/records.js"
import { PluginConfigEntity, PluginEntity } from "./plugin.entity.js"
import { recordPluginActivity } from "./plugin-activity.repository.js"
import type { PluginConfigRepository } from "./plugins.types.js"

/** Plugins in PostgreSQL. */
export function createPluginConfigRepository(records: Records, ids: Pick<Ids, "uuidV7">): PluginConfigRepository {
  return {
    list: (projectId, window, now) =>
      records.write(async (em) => {
        await loadBuiltIns(em, projectId, now)
        const page = { ...window, populate: ["plugin"], orderBy: { id: "asc" } } as const
        const [items, totalCount] = await em.findAndCount(PluginConfigEntity, { projectId }, page)
        return { items, totalCount }
      }),

    find: (projectId, id) =>
      records.read((em) => em.findOne(PluginConfigEntity, { projectId, id }, { populate: ["plugin"] })),

    insert: (projectId, { name, description, enabled, config }, userId, at) =>
      records.write(async (em) => {
        const plugin = em.create(PluginEntity, { projectId, builtIn: null, name, description })
        const times = { createdAt: at, updatedAt: at }
        const created = em.create(PluginConfigEntity, { projectId, plugin, enabled, config, ...times })
        await em.flush()
        recordPluginActivity(em, null, created, { id: ids.uuidV7(), userId, at })
        return created
      }),

    update: (projectId, id, changes, userId, at) =>
      records.write(async (em) => {
        const locked = { lockMode: LockMode.PESSIMISTIC_WRITE }
        const found = await em.findOne(PluginConfigEntity, { projectId, id }, locked)
        if (found === null) return null
        await em.populate(found, ["plugin"])
        const before = wrap(found).toPOJO()
        em.assign(found, { ...changes, updatedAt: at })
        recordPluginActivity(em, before, found, { id: ids.uuidV7(), userId, at })
        return found
      }),

    builtIns: (projectId, now) =>
      records.write(async (em) => {
        const configs = await loadBuiltIns(em, projectId, now)
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
  const times = { createdAt: now, updatedAt: now }
  const added = missing.map((plugin) => ({ projectId, plugin, enabled: true, config: {}, ...times }))
  // Another process may add them at the same time.
  await em.upsertMany(PluginConfigEntity, added, {
    onConflictFields: ["projectId", "plugin"],
    onConflictAction: "ignore",
  })
  return load()
}
