import { defineEntity, p } from "@mikro-orm/core"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"

const PluginSchema = defineEntity({
  name: "Plugin",
  tableName: "plugin",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: p.integer().$type<ProjectId>().nullable(),
    builtIn: p.text().nullable(),
    name: p.text(),
    description: p.text(),
  },
})
/** A row of `plugin`. */
export class PluginEntity extends PluginSchema.class {}
PluginSchema.setClass(PluginEntity)

const PluginConfigSchema = defineEntity({
  name: "PluginConfig",
  tableName: "plugin_config",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: p.integer().$type<ProjectId>(),
    plugin: () => p.manyToOne(PluginEntity),
    enabled: p.boolean(),
    config: p.json<JsonObject>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
})
/** A row of `plugin_config`. */
export class PluginConfigEntity extends PluginConfigSchema.class {}
PluginConfigSchema.setClass(PluginConfigEntity)

/** What `openDatabase` must know of this feature. */
export const pluginEntities = [PluginEntity, PluginConfigEntity]
