import type { Json } from "../../kernel/json.js"
import type { Logger } from "../logger/logger.js"

/** Called with each message of a channel. */
export type Listener = (message: Json) => void

/** Who listens on which channel in this process. */
export interface ListenerTable {
  /** Returns true when this is the first listener of the channel. */
  add(channel: string, listener: Listener): boolean
  /** Returns true when the channel has no listener left. */
  remove(channel: string, listener: Listener): boolean
  channels(): string[]
  /** Parses and hands over a message; a listener that throws is logged and does not keep it from the others. */
  deliver(channel: string, text: string): void
  clear(): void
}

/** Makes an empty table. A listener added twice is called once for each addition. */
export function createListenerTable(logger: Logger): ListenerTable {
  const table = new Map<string, Listener[]>()
  return {
    add: (channel, listener) => {
      const present = table.get(channel) ?? []
      table.set(channel, [...present, listener])
      return present.length === 0
    },
    remove: (channel, listener) => {
      const present = table.get(channel) ?? []
      const index = present.indexOf(listener)
      const rest = index === -1 ? present : present.toSpliced(index, 1)
      if (rest.length > 0) table.set(channel, rest)
      else table.delete(channel)
      return present.length > 0 && rest.length === 0
    },
    channels: () => [...table.keys()],
    deliver: (channel, text) => {
      for (const listener of table.get(channel) ?? []) {
        try {
          listener(JSON.parse(text) as Json)
        } catch (err) {
          logger.error("a listener of a channel failed", { channel, err })
        }
      }
    },
    clear: () => table.clear(),
  }
}
