import type { Json } from "../../kernel/json.js"
import type { Logger } from "../logger/logger.js"
import type { PubSub } from "./pub-sub.js"

/**
 * Makes a channel that invalidates the caches of every process when something changes; closed until it is started.
 * @param onChange drops what this process has cached of the thing.
 */
export function createChangeChannel<Message extends Json>(
  pubSub: PubSub,
  channel: string,
  onChange: (message: Message) => void,
  logger: Logger,
) {
  let unsubscribe: (() => Promise<void>) | null = null
  return {
    /** Calls `onChange` here at once and in every other process soon. Never rejects: caches also have a time limit. */
    announce: async (message: Message): Promise<void> => {
      onChange(message)
      await pubSub.publish(channel, message).catch((err: unknown) => {
        logger.warn("a change could not be published; other processes see it when their caches expire", {
          channel,
          err,
        })
      })
    },
    /** Begins to hear of changes made by other processes. */
    start: async (): Promise<void> => {
      unsubscribe = await pubSub.subscribe(channel, onChange)
    },
    stop: async (): Promise<void> => {
      await unsubscribe?.()
    },
  }
}
