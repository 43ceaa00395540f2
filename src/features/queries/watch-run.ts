import { isFinal, type QueryRun } from "./query-run.js"

/**
 * Follows one run: its present state first, then each later one, ending after the final one. Subscribes before it reads,
 * so no change falls between. `return()` ends a pending `next()` at once (an async generator would wait for the next
 * change and keep the subscription of a client that has left).
 */
export function watchRun(
  find: () => Promise<QueryRun | null>,
  subscribe: (listener: () => void) => Promise<() => Promise<void>>,
): AsyncIterableIterator<QueryRun> {
  let wake: () => void = () => undefined
  let changed = true
  let ended = false
  let shownSequence = -1
  const subscription = subscribe(() => {
    changed = true
    wake()
  })

  async function end(): Promise<IteratorResult<QueryRun>> {
    if (!ended) {
      ended = true
      wake()
      await (await subscription)()
    }
    return { done: true, value: undefined }
  }

  async function nextChange(): Promise<void> {
    if (!changed) await new Promise<void>((resolve) => (wake = resolve))
    changed = false
  }

  return {
    async next() {
      await subscription
      while (!ended) {
        await nextChange()
        if (ended) break
        const run = await find()
        if (run === null) break
        if (run.sequence <= shownSequence) continue
        shownSequence = run.sequence
        if (isFinal(run.state)) await end()
        return { done: false, value: run }
      }
      return end()
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
