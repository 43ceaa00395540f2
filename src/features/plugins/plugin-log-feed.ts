import { OrderedFeeds } from "../../kernel/ordered-feed.js"
import type { Place } from "../../kernel/place.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import type { PluginLogOrder } from "./plugin-log-order.store.js"
import type { PluginLogStore } from "./plugin-logs.store.js"
import type { LivePluginLogEntry, PluginLogName, WatchedPluginLog } from "./plugins.types.js"

/** Entries that wait for a slow reader. */
const MAX_WAITING = 1000

export interface PluginLogFeedDependencies {
  readonly logs: Pick<PluginLogStore, "listBeyond">
  readonly order: Pick<PluginLogOrder, "findLast">
  readonly pubSub: PubSub
  readonly logger: Logger
}

export type PluginLogFeed = ReturnType<typeof createPluginLogFeed>

const toChannel = ({ projectId, pluginConfigId }: PluginLogName): string => `plugin-logs:${projectId}:${pluginConfigId}`

/** Lets callers watch a plugin's log while it is written, by whichever process. */
export function createPluginLogFeed({ logs, order, pubSub, logger }: PluginLogFeedDependencies) {
  const feeds = new OrderedFeeds<LivePluginLogEntry>(MAX_WAITING, (err) => {
    logger.warn("a plugin's log could not be read and will be tried again", { err })
  })
  return {
    /** Tells those who watch a log that there is more of it; never fails. */
    announce: (log: PluginLogName): void => {
      pubSub.publish(toChannel(log), {}).catch((err: unknown) => {
        logger.warn("whoever watches a plugin's log hears of it later", { ...log, err })
      })
    },
    /**
     * Entries beyond `since`, or from now on.
     * @throws AppError invalid_input naming `since`, store_unavailable.
     */
    watch: (watched: WatchedPluginLog, since: Place | null) =>
      feeds.follow(
        JSON.stringify(watched),
        {
          findLast: async (): Promise<Place> => [await order.findLast(watched), 0],
          read: ([after], [upTo]) => logs.listBeyond(watched, after, upTo),
          onMore: (listener) => pubSub.subscribe(toChannel(watched), listener),
        },
        since,
      ),
  }
}
