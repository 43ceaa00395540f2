import type { LiveEvent, LiveEventBatch } from "./live-event.types.js"

/** An event with the number of those that were left out before it. */
export interface DeliveredEvent extends LiveEvent {
  readonly missedBefore: number
}

/** Events that wait for a slow reader; beyond these the oldest are left out, and counted. */
export const MAX_WAITING_EVENTS = 500

/**
 * A stream of events that never ends by itself. `return()` ends a pending `next()` at once and calls `leave` (an async
 * generator would wait for the next event and keep the subscription of a client that has left).
 */
export function createLiveEventStream(leave: () => Promise<void>) {
  const waiting: LiveEvent[] = []
  let missed = 0
  let ended = false
  let wake: () => void = () => undefined

  async function end(): Promise<IteratorResult<DeliveredEvent>> {
    if (!ended) {
      ended = true
      waiting.length = 0
      wake()
      await leave()
    }
    return { done: true, value: undefined }
  }

  const stream: AsyncIterableIterator<DeliveredEvent> = {
    async next() {
      while (!ended && waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      const event = waiting.shift()
      if (event === undefined) return { done: true, value: undefined }
      const missedBefore = missed
      missed = 0
      return { done: false, value: { ...event, missedBefore } }
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }

  return {
    stream,
    add(batch: LiveEventBatch): void {
      if (ended) return
      waiting.push(...batch.events)
      const tooMany = Math.max(0, waiting.length - MAX_WAITING_EVENTS)
      waiting.splice(0, tooMany)
      missed += batch.missed + tooMany
      if (waiting.length > 0) wake()
    },
  }
}
