import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import { isJsonObject, type Json, type JsonObject, toStorableJson, toStorableText } from "../../kernel/json.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import { requireName } from "../../kernel/text-length.js"
import type { BuiltInConfigs } from "./built-in-configs.cache.js"
import type { PluginConfigRepository } from "./plugin-config.repository.js"
import { toPluginConfigId } from "./plugin-config-id.js"
import type { PluginConfigChangesInput, PluginConfigInput } from "./plugins.graphql.js"
import type { PluginConfig } from "./plugins.types.js"
import type { SystemLog } from "./system-log.js"

const MAX_NAME_LENGTH = 200

/** Use cases of plugins. */
export class PluginConfigsService {
  constructor(
    private readonly configs: PluginConfigRepository,
    private readonly clock: Clock,
    private readonly builtIns: Pick<BuiltInConfigs, "announceChange">,
    private readonly log: Pick<SystemLog, "write">,
  ) {}

  /** By id; Waymark's own plugins are always among them. */
  list(projectId: ProjectId, page: PageRequest): Promise<ListPage<PluginConfig>> {
    return this.configs.list(projectId, page, this.now())
  }

  /** Those of these ids that a plugin of the project has. */
  findMany(projectId: ProjectId, ids: readonly string[]): Promise<PluginConfig[]> {
    return this.configs.findMany(
      projectId,
      ids.flatMap((id) => toPluginConfigId(id) ?? []),
    )
  }

  /** Adds a plugin of the project's own. @throws AppError blank, max_length, invalid_input naming the field. */
  create(
    projectId: ProjectId,
    author: UserId,
    { name, description, enabled, config }: PluginConfigInput,
  ): Promise<PluginConfig> {
    const plugin = {
      name: requireName("name", name, MAX_NAME_LENGTH),
      description: toStorableText(description ?? ""),
      enabled: enabled ?? true,
      config: checkConfig(config ?? {}),
    }
    return this.configs.insert(projectId, plugin, author, this.now())
  }

  /**
   * Switches a plugin on or off or sets its options. Other processes apply it within 20 s, mostly at once.
   * @throws AppError not_found, invalid_input naming the field.
   */
  async update(
    projectId: ProjectId,
    author: UserId,
    id: string,
    { enabled, config }: PluginConfigChangesInput,
  ): Promise<PluginConfig> {
    const changes = {
      ...(enabled != null && { enabled }),
      ...(config != null && { config: checkConfig(config) }),
    }
    const configId = toPluginConfigId(id)
    const updated =
      configId === null ? null : await this.configs.update(projectId, configId, changes, author, this.now())
    if (updated === null) throw new AppError("not_found")
    if (updated.builtIn !== null) await this.builtIns.announceChange(projectId)
    const subject = { projectId, id: updated.id, pluginId: updated.pluginId }
    if (enabled != null) this.log.write(subject, "INFO", `Somebody switched it ${enabled ? "on" : "off"}.`)
    if (config != null) this.log.write(subject, "INFO", "Somebody changed its options.")
    return updated
  }

  private now(): Date {
    return new Date(this.clock.now())
  }
}

function checkConfig(config: Json): JsonObject {
  if (isJsonObject(config)) return toStorableJson(config)
  throw new AppError("invalid_input", { attr: "config", detail: "config must be an object." })
}
