import type { Json } from "../../kernel/json.js"

/** Fan-out of small JSON messages to every process. Messages carry ids rather than records; what may be large stays out. */
export interface PubSub {
  /** Resolves once the message is handed over; a lost connection is an error, never silence. */
  publish(channel: string, message: Json | object): Promise<void>
  /** Calls `listener` for each message until the returned function is called. Of what form they are is up to the channel. */
  subscribe<Message = Json>(channel: string, listener: (message: Message) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
