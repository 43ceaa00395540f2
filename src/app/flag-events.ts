import type { FlagStreamEndpoint } from "../features/flags/index.js"
import type { ServerEvent } from "../transport/realtime/event-streams.js"

type Revisions = Awaited<ReturnType<FlagStreamEndpoint>>

/** Revisions of flags as server-sent events; hand-made, because `return()` of a generator waits for a pending `next()`. */
export function toFlagEvents(revisions: Revisions): AsyncIterableIterator<ServerEvent> {
  return {
    next: async () => {
      const { done, value } = await revisions.next()
      return done ? { done, value } : { done: false, value: { id: value.revision, event: "flags", data: value } }
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
