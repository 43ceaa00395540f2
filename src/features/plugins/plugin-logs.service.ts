import { createHash } from "node:crypto"
import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import { isUuid, type ProjectId } from "../../kernel/ids.js"
import { toStorableText } from "../../kernel/json.js"
import { EMPTY_PAGE, type ListPage, type PageRequest } from "../../kernel/paging.js"
import type { PluginConfigRepository } from "./plugin-config.repository.js"
import { toPluginConfigId } from "./plugin-config-id.js"
import type { PluginLogFeed } from "./plugin-log-feed.js"
import type { PluginLogStore } from "./plugin-logs.store.js"
import type { PluginLogEntry, PluginLogFilter, PluginLogRequest, PluginLogType } from "./plugins.types.js"

const MAX_ENTRIES_PER_CALL = 1000
const MAX_MESSAGE_LENGTH = 100_000
/** What the store's type holds, with room for every time zone. */
const EARLIEST_MS = Date.UTC(1900, 0, 2)
const LATEST_MS = Date.UTC(2262, 0)

type Defaults = Pick<PluginLogEntry, "projectId" | "pluginId" | "pluginConfigId" | "timestamp" | "instanceId">

/** Use cases of plugins' logs. */
export class PluginLogsService {
  constructor(
    private readonly logs: PluginLogStore,
    private readonly configs: Pick<PluginConfigRepository, "find">,
    private readonly clock: Clock,
    private readonly newId: () => string,
    private readonly feed: PluginLogFeed,
  ) {}

  /** Newest first; nothing for a configuration that is unknown, of another project or not even a number. */
  async list(
    projectId: ProjectId,
    pluginConfigId: string,
    { after, before, ...filter }: PluginLogFilter,
    page: PageRequest,
  ): Promise<ListPage<PluginLogEntry>> {
    const id = toPluginConfigId(pluginConfigId)
    if (id === null || filter.types?.length === 0) return EMPTY_PAGE
    const bounds = {
      ...(after !== undefined && { after: storable(after) }),
      ...(before !== undefined && { before: storable(before) }),
    }
    return this.logs.list(projectId, id, { ...filter, ...bounds }, page)
  }

  /**
   * Writes down what a plugin said. Repeating a call with the same ids stores nothing twice.
   * @throws AppError not_found for a configuration that the project does not have; invalid_input, max_length naming the field.
   */
  async append(
    projectId: ProjectId,
    pluginConfigId: string,
    requests: readonly PluginLogRequest[],
  ): Promise<PluginLogEntry[]> {
    const id = toPluginConfigId(pluginConfigId)
    const config = id === null ? null : await this.configs.find(projectId, id)
    if (config === null) throw new AppError("not_found")
    if (requests.length > MAX_ENTRIES_PER_CALL) {
      const detail = `Append at most ${MAX_ENTRIES_PER_CALL} entries at once.`
      throw new AppError("invalid_input", { attr: "entries", detail })
    }
    const nowMs = this.clock.now()
    const [timestamp, instanceId] = [new Date(nowMs), this.newId()]
    const defaults = { projectId, pluginId: config.pluginId, pluginConfigId: config.id, timestamp, instanceId }
    const entries = requests.map((request) => this.toEntry(request, defaults))
    const digest = createHash("sha1").update(entries.map((entry) => entry.id).join())
    await this.logs.append(entries, `${projectId}/${id}/${digest.digest("hex")}`, nowMs)
    this.feed.publish(entries)
    return entries
  }

  /** Entries from now on; none for a configuration that is unknown. No types mean all. */
  watch(
    projectId: ProjectId,
    pluginConfigId: string,
    types: readonly PluginLogType[] | null,
  ): Promise<AsyncIterableIterator<PluginLogEntry>> {
    return this.feed.watch(projectId, toPluginConfigId(pluginConfigId) ?? 0, types)
  }

  /** Stores what Waymark itself says of plugins. */
  async store(entries: readonly PluginLogEntry[]): Promise<void> {
    await this.logs.append(entries, this.newId(), this.clock.now())
    this.feed.publish(entries)
  }

  private toEntry(request: PluginLogRequest, defaults: Defaults): PluginLogEntry {
    if (request.message.length > MAX_MESSAGE_LENGTH) {
      const detail = `Ensure this field has no more than ${MAX_MESSAGE_LENGTH} characters.`
      throw new AppError("max_length", { attr: "message", detail })
    }
    return {
      ...defaults,
      id: toUuid("id", request.id) ?? this.newId(),
      timestamp: toTime(request.timestamp) ?? defaults.timestamp,
      source: request.source ?? "PLUGIN",
      type: request.type ?? "LOG",
      message: toStorableText(request.message),
      instanceId: toUuid("instanceId", request.instanceId) ?? defaults.instanceId,
    }
  }
}

function toUuid(attr: string, text: string | null | undefined): string | null {
  if (text == null) return null
  if (isUuid(text)) return text.toLowerCase()
  throw new AppError("invalid_input", { attr, detail: "Must be a valid UUID." })
}

function toTime(time: Date | null | undefined): Date | null {
  if (time == null) return null
  if (storable(time).getTime() === time.getTime()) return time
  throw new AppError("invalid_input", { attr: "timestamp", detail: "Write a time from 1900 to 2261." })
}

const storable = (time: Date): Date => new Date(Math.min(Math.max(time.getTime(), EARLIEST_MS), LATEST_MS))
