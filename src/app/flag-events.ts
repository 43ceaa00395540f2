import type { FlagStreamEndpoint } from "../features/flags/index.js"
import type { ServerSentEvent } from "../transport/realtime/server-sent-events.js"

type Revisions = Awaited<ReturnType<FlagStreamEndpoint>>

/** Revisions of flags as server-sent events; hand-made, because `return()` of a generator waits for a pending `next()`. */
export function toFlagEvents(revisions: Revisions): AsyncIterableIterator<ServerSentEvent> {
  return {
    next: async () => {
      const { done, value } = await revisions.next()
      if (done) return { done, value }
      const { revision, version } = value
      return { done: false, value: { id: revision, event: "flags", data: { revision, version }, isLast: false } }
    },
    return: async () => {
      await revisions.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
