import { createHash } from "node:crypto"
import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import { isUuid, type ProjectId } from "../../kernel/ids.js"
import { toStorableText } from "../../kernel/json.js"
import type { Delivered } from "../../kernel/lossy-stream.js"
import { EMPTY_PAGE, type ListPage, type PageRequest } from "../../kernel/paging.js"
import type { Place } from "../../kernel/place.js"
import type { PluginConfigRepository } from "./plugin-config.repository.js"
import { toPluginConfigId } from "./plugin-config-id.js"
import type { PluginLogFeed } from "./plugin-log-feed.js"
import type { PluginLogOrder } from "./plugin-log-order.store.js"
import type { LogEntryName, PluginLogStore } from "./plugin-logs.store.js"
import type {
  LivePluginLogEntry,
  PluginLogEntry,
  PluginLogFilter,
  PluginLogRequest,
  WatchedPluginLog,
} from "./plugins.types.js"

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
    private readonly order: PluginLogOrder,
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

  /** Those of these that there are; what is no name of an entry names none. */
  findMany(projectId: ProjectId, names: readonly LogEntryName[]): Promise<PluginLogEntry[]> {
    const isName = ({ id, timestamp }: LogEntryName): boolean => isUuid(id) && !Number.isNaN(timestamp.getTime())
    const wanted = names.filter(isName).map((name) => ({ ...name, timestamp: storable(name.timestamp) }))
    return wanted.length === 0 ? Promise.resolve([]) : this.logs.findMany(projectId, wanted)
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
    await this.write(entries, `${projectId}/${id}/${digest.digest("hex")}`)
    return entries
  }

  /**
   * Entries beyond `since`, or from now on; none for a configuration that is unknown.
   * @throws AppError invalid_input naming `since`, store_unavailable.
   */
  watch(
    projectId: ProjectId,
    pluginConfigId: string,
    filter: Pick<WatchedPluginLog, "types" | "search">,
    since: (pluginConfigId: number) => Place | null,
  ): Promise<AsyncIterableIterator<Delivered<LivePluginLogEntry>>> {
    const id = toPluginConfigId(pluginConfigId) ?? 0
    return this.feed.watch({ projectId, pluginConfigId: id, ...filter }, since(id))
  }

  /** Stores what Waymark itself says of plugins. */
  async store(entries: readonly PluginLogEntry[]): Promise<void> {
    await this.write(entries, this.newId())
  }

  /** Stores entries at the end of their logs. */
  private async write(entries: readonly PluginLogEntry[], token: string): Promise<void> {
    const logs = [...Map.groupBy(entries, ({ projectId, pluginConfigId }) => `${projectId} ${pluginConfigId}`).values()]
    const begun = await this.order.begin(
      logs.flatMap((own) => own.slice(0, 1).map((name) => ({ ...name, entries: own.length }))),
    )
    const findFirst = ({ projectId, pluginConfigId }: PluginLogEntry): number =>
      begun.find((one) => one.projectId === projectId && one.pluginConfigId === pluginConfigId)?.firstPosition ?? 0
    const placed = logs.flatMap((own) => own.map((entry, index) => ({ ...entry, position: findFirst(entry) + index })))
    try {
      await this.logs.append(placed, token, this.clock.now())
    } finally {
      // Should this fail as well, positions count as stored some minutes later.
      await this.order.end(begun).catch(() => undefined)
    }
    for (const log of begun) this.feed.announce(log)
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
