import { EventEmitter } from "node:events"
import type { Logger } from "../logger/logger.js"
import { deliver } from "./deliver.js"
import type { PubSub } from "./pub-sub.js"

/** Fan-out within one process. Each listener gets its own copy, as if the message had crossed a wire. */
export function createInProcessPubSub(logger: Logger): PubSub {
  const listeners = new EventEmitter().setMaxListeners(0)
  let isClosed = false
  return {
    publish: async (channel, message) => {
      if (isClosed) throw new Error("the pub/sub is closed")
      const text = JSON.stringify(message)
      setImmediate(() => deliver(listeners, channel, text, logger))
    },
    subscribe: async (channel, listener) => {
      listeners.on(channel, listener)
      return async () => {
        listeners.off(channel, listener)
      }
    },
    close: async () => {
      isClosed = true
      listeners.removeAllListeners()
    },
  }
}
