import { defineEntity, OptionalProps, p } from "@mikro-orm/core"
import type { JsonObject } from "../../kernel/json.js"
import { ProjectEntity } from "../projects/index.js"

const PluginSchema = defineEntity({
  name: "Plugin",
  tableName: "plugin",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id").strictNullable(),
    builtIn: p.text().strictNullable(),
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
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    plugin: () => p.manyToOne(PluginEntity),
    enabled: p.boolean(),
    config: p.json<JsonObject>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
})
/** A row of `plugin_config`, with what it shows of its plugin, which must have been loaded. */
export class PluginConfigEntity extends PluginConfigSchema.class {
  declare [OptionalProps]?: "pluginId" | "name" | "description" | "builtIn"

  get pluginId(): number {
    return this.plugin.id
  }
  get name(): string {
    return this.plugin.name
  }
  get description(): string {
    return this.plugin.description
  }
  get builtIn(): string | null {
    return this.plugin.builtIn
  }
}
PluginConfigSchema.setClass(PluginConfigEntity)

/** What `openDatabase` must know of this feature. */
export const pluginEntities = [PluginEntity, PluginConfigEntity]
