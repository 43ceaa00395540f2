import { isFinal, type QueryRun } from "./query-run.js"
import type { RunListener } from "./run-feeds.js"

/**
 * Follows one run as an iterator: its present state first, then later ones, ending after the final one or when the run is
 * known no more. A reader that is slower than the changes gets the newest. `return()` ends a pending `next()` at once (an
 * async generator would wait for the next change and keep the subscription of a client that has left).
 */
export function watchRun(
  follow: (listener: RunListener) => Promise<() => Promise<void>>,
): AsyncIterableIterator<QueryRun, undefined> {
  let wake: () => void = () => undefined
  let newest: QueryRun | null | undefined
  let ended = false
  let following: Promise<() => Promise<void>> | null = null

  async function end(): Promise<IteratorResult<QueryRun, undefined>> {
    if (!ended) {
      ended = true
      wake()
      await (await following?.catch(() => null))?.()
    }
    return { done: true, value: undefined }
  }

  return {
    async next() {
      following ??= follow((run) => {
        newest = run
        wake()
      })
      await following
      if (!ended && newest === undefined) await new Promise<void>((resolve) => (wake = resolve))
      const run = newest
      newest = undefined
      if (ended || run == null) return end()
      if (isFinal(run.state)) await end()
      return { done: false, value: run }
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
