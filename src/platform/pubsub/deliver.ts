import type { EventEmitter } from "node:events"
import type { Logger } from "../logger/logger.js"

/**
 * Hands a message, as JSON text, to the listeners of its channel, a copy to each. One that throws is logged and does not
 * keep the message from the others.
 */
export function deliver(listeners: EventEmitter, channel: string, text: string, logger: Logger): void {
  for (const listener of listeners.listeners(channel)) {
    try {
      listener(JSON.parse(text))
    } catch (err) {
      logger.error("a listener of a channel failed", { channel, err })
    }
  }
}
