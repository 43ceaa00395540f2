import type { Json } from "../../kernel/json.js"
import type { Logger } from "../logger/logger.js"
import type { PubSub } from "./pub-sub.js"

export interface ChangeChannelOptions<Message extends Json> {
  readonly pubSub: PubSub
  readonly channel: string
  /** Drops what this process has cached of the thing. */
  readonly onChange: (message: Message) => void
  readonly logger: Logger
}

/** Invalidates the caches of every process when something changes. */
export interface ChangeChannel<Message extends Json> {
  /** Calls `onChange` here at once and in every other process soon. Never rejects: caches also have a time limit. */
  announce(message: Message): Promise<void>
  /** Begins to hear of changes made by other processes. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Makes a channel that is closed until it is started. */
export function createChangeChannel<Message extends Json>(
  options: ChangeChannelOptions<Message>,
): ChangeChannel<Message> {
  const { pubSub, channel, onChange, logger } = options
  let unsubscribe: (() => Promise<void>) | null = null
  return {
    announce: async (message) => {
      onChange(message)
      await pubSub.publish(channel, message).catch((err: unknown) => {
        logger.warn("other processes could not be told of a change; they see it when their caches expire", {
          channel,
          err,
        })
      })
    },
    start: async () => {
      unsubscribe = await pubSub.subscribe(channel, onChange)
    },
    stop: async () => {
      await unsubscribe?.()
    },
  }
}
