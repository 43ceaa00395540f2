import type { DeliveredRecordingChange, RecordingChange } from "./recording-change.types.js"

/** Changes that wait for a slow reader; beyond these the oldest are left out, and counted. */
export const MAX_WAITING_CHANGES = 500

/** A stream of changes that never ends by itself. `return()` ends a pending `next()` at once and calls `leave`. */
export function createChangeStream(leave: () => Promise<void>) {
  const waiting: RecordingChange[] = []
  let missed = 0
  let ended = false
  let wake: () => void = () => undefined

  async function end(): Promise<IteratorResult<DeliveredRecordingChange>> {
    if (!ended) {
      ended = true
      waiting.length = 0
      wake()
      await leave()
    }
    return { done: true, value: undefined }
  }

  const stream: AsyncIterableIterator<DeliveredRecordingChange> = {
    async next() {
      while (!ended && waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      const change = waiting.shift()
      if (change === undefined) return { done: true, value: undefined }
      const missedBefore = missed
      missed = 0
      return { done: false, value: { ...change, missedBefore } }
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }

  return {
    stream,
    add(changes: readonly RecordingChange[]): void {
      if (ended || changes.length === 0) return
      waiting.push(...changes)
      const tooMany = Math.max(0, waiting.length - MAX_WAITING_CHANGES)
      waiting.splice(0, tooMany)
      missed += tooMany
      wake()
    },
  }
}
