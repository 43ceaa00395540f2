import { Repeater, SlidingBuffer } from "@graphql-yoga/subscription"
import { isFinal, type QueryRun } from "./query-run.js"
import type { RunListener } from "./run-feeds.js"

/**
 * Follows one run as an iterator: its present state first, then later ones, ending after the final one or when the run is
 * no longer known. A reader that is slower than the changes gets the newest. `return()` ends a pending `next()` at once.
 */
export const watchRun = (follow: (listener: RunListener) => Promise<() => Promise<void>>): Repeater<QueryRun> =>
  new Repeater(async (push, stop) => {
    const stopFollowing = await follow((run) => {
      if (run !== null) void push(run)
      if (run === null || isFinal(run.state)) stop()
    })
    await stop
    await stopFollowing()
  }, new SlidingBuffer(1))
