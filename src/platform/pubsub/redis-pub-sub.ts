import type { Logger } from "../logger/logger.js"
import type { RedisConnection } from "../redis/redis-connection.js"
import { createListenerTable } from "./listener-table.js"
import type { PubSub } from "./pub-sub.js"

const CHANNEL_PREFIX = "waymark:"

/**
 * Fan-out over Redis. Publishing while Redis is away fails with AppError store_unavailable. Subscribing always succeeds:
 * what is wanted is remembered and asked for again on every (re)connection. Messages sent during an outage are lost, so
 * whoever caches by messages also needs a time limit.
 */
export function createRedisPubSub(connection: RedisConnection, logger: Logger): PubSub {
  const listeners = createListenerTable(logger)
  const subscriber = connection.openSubscriber()
  let isClosed = false

  const ask = async (channels: readonly string[]): Promise<void> => {
    if (channels.length === 0 || subscriber.status !== "ready") return
    try {
      await subscriber.subscribe(...channels.map((channel) => CHANNEL_PREFIX + channel))
    } catch (err) {
      logger.warn("could not subscribe; trying again on the next connection", { channels, err })
    }
  }

  /**
   * Nobody waits for it: messages that still come are heard by nobody, and a server that stops must not hang on a
   * frozen Redis.
   */
  const forget = async (channel: string): Promise<void> => {
    if (subscriber.status !== "ready") return
    try {
      await subscriber.unsubscribe(CHANNEL_PREFIX + channel)
    } catch (err) {
      logger.debug("could not unsubscribe", { channel, err })
    }
  }

  subscriber.on("ready", () => void ask(listeners.channels()))
  subscriber.on("message", (prefixed: string, text: string) => {
    listeners.deliver(prefixed.slice(CHANNEL_PREFIX.length), text)
  })

  return {
    publish: async (channel, message) => {
      if (isClosed) throw new Error("the pub/sub is closed")
      await connection.run((redis) => redis.publish(CHANNEL_PREFIX + channel, JSON.stringify(message)))
    },
    subscribe: async (channel, listener) => {
      if (listeners.add(channel, listener)) await ask([channel])
      return async () => {
        const isUnused = listeners.remove(channel, listener)
        if (isUnused) void forget(channel)
      }
    },
    close: async () => {
      isClosed = true
      listeners.clear()
      subscriber.disconnect()
    },
  }
}
