import type { Json } from "../../kernel/json.js"
import type { Logger } from "../logger/logger.js"
import { createListenerTable } from "./listener-table.js"
import type { PubSub } from "./pub-sub.js"

/** Fan-out within one process. Each listener gets its own copy, as if the message had crossed a wire. */
export function createInProcessPubSub(logger: Logger): PubSub {
  const listeners = createListenerTable(logger)
  let isClosed = false
  return {
    publish: async (channel: string, message: Json) => {
      if (isClosed) throw new Error("the pub/sub is closed")
      const text = JSON.stringify(message)
      setImmediate(() => listeners.deliver(channel, text))
    },
    subscribe: async (channel, listener) => {
      listeners.add(channel, listener)
      return async () => {
        listeners.remove(channel, listener)
      }
    },
    close: async () => {
      isClosed = true
      listeners.clear()
    },
  }
}
