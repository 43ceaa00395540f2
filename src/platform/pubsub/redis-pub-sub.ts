import { EventEmitter } from "node:events"
import type { Logger } from "../logger/logger.js"
import type { RedisConnection } from "../redis/redis-connection.js"
import { deliver } from "./deliver.js"
import type { PubSub } from "./pub-sub.js"

const CHANNEL_PREFIX = "waymark:"

/**
 * Fan-out over Redis. Publishing while Redis is away fails with AppError store_unavailable. Subscribing always succeeds:
 * channels are subscribed to again on every (re)connection. Messages sent during an outage are lost, so
 * whoever caches by messages also needs a time limit.
 */
export function createRedisPubSub(connection: RedisConnection, logger: Logger): PubSub {
  const listeners = new EventEmitter().setMaxListeners(0)
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
  const unsubscribe = async (channel: string): Promise<void> => {
    if (subscriber.status !== "ready") return
    try {
      await subscriber.unsubscribe(CHANNEL_PREFIX + channel)
    } catch (err) {
      logger.debug("could not unsubscribe", { channel, err })
    }
  }

  subscriber.on("ready", () => void ask(listeners.eventNames().map(String)))
  subscriber.on("message", (prefixed: string, text: string) => {
    deliver(listeners, prefixed.slice(CHANNEL_PREFIX.length), text, logger)
  })

  return {
    publish: async (channel, message) => {
      if (isClosed) throw new Error("the pub/sub is closed")
      await connection.run((redis) => redis.publish(CHANNEL_PREFIX + channel, JSON.stringify(message)))
    },
    subscribe: async (channel, listener) => {
      const isFirst = listeners.listenerCount(channel) === 0
      listeners.on(channel, listener)
      if (isFirst) await ask([channel])
      return async () => {
        const wasUsed = listeners.listenerCount(channel) > 0
        listeners.off(channel, listener)
        if (wasUsed && listeners.listenerCount(channel) === 0) void unsubscribe(channel)
      }
    },
    close: async () => {
      isClosed = true
      listeners.removeAllListeners()
      subscriber.disconnect()
    },
  }
}
