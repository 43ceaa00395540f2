import type { ProjectId } from "../../kernel/ids.js"
import { openLossyStream } from "../../kernel/lossy-stream.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import type { PluginLogEntry, PluginLogType } from "./plugins.types.js"

/** Entries that wait for a slow reader. */
const MAX_WAITING = 1000
const MAX_ENTRIES_IN_MESSAGE = 100
/** Characters of a message that watchers are sent; a longer one is cut. */
export const MAX_MESSAGE_SENT = 4096

interface SentEntry extends Omit<PluginLogEntry, "timestamp"> {
  readonly timestamp: string
}

export type PluginLogFeed = ReturnType<typeof createPluginLogFeed>

const toChannel = ({ projectId, pluginConfigId }: Pick<PluginLogEntry, "projectId" | "pluginConfigId">): string =>
  `plugin-logs:${projectId}:${pluginConfigId}`

/** Lets callers watch a plugin's log while it is written, by whichever process. */
export function createPluginLogFeed(pubSub: PubSub, logger: Logger) {
  const send = (channel: string, entries: readonly PluginLogEntry[]): void => {
    const message = entries.map(
      (entry): SentEntry => ({
        ...entry,
        timestamp: entry.timestamp.toISOString(),
        message: entry.message.slice(0, MAX_MESSAGE_SENT),
      }),
    )
    pubSub.publish(channel, message).catch((err: unknown) => {
      logger.warn("entries of a plugin's log could not be published", { channel, err })
    })
  }
  return {
    /** Publishes stored entries to those who watch; never fails. Long messages are cut. */
    publish: (entries: readonly PluginLogEntry[]): void => {
      for (const [channel, own] of Map.groupBy(entries, toChannel))
        for (let from = 0; from < own.length; from += MAX_ENTRIES_IN_MESSAGE)
          send(channel, own.slice(from, from + MAX_ENTRIES_IN_MESSAGE))
    },
    /** Entries of one configuration from now on. `types` of null means all. */
    watch: (projectId: ProjectId, pluginConfigId: number, types: readonly PluginLogType[] | null) =>
      openLossyStream<PluginLogEntry>(MAX_WAITING, (add) =>
        pubSub.subscribe(toChannel({ projectId, pluginConfigId }), (message: readonly SentEntry[]) => {
          const entries = message.filter(({ type }) => types?.includes(type) ?? true)
          add(entries.map((entry) => ({ ...entry, timestamp: new Date(entry.timestamp) })))
        }),
      ),
  }
}
