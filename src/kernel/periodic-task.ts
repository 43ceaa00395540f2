/** Calls `work` every `everyMs` milliseconds until the returned function is called; alone it keeps no process alive. */
export function startInterval(everyMs: number, work: () => void): () => void {
  const timer = setInterval(work, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Background work that runs at a fixed interval. */
export interface PeriodicTask {
  /** To be called once, and again only after `stop`. */
  start(): void
  /** Starts no further run; resolves when the run in progress has ended. */
  stop(): Promise<void>
}

/**
 * Runs `work` every `everyMs` milliseconds, never twice at once: a tick that comes while the last run is still in progress is
 * skipped, so that nothing piles up behind a store that does not answer.
 * @param work handles its own errors; it must not reject.
 */
export function createPeriodicTask(everyMs: number, work: () => Promise<void>): PeriodicTask {
  let stopTimer = (): void => {}
  let running: Promise<void> | null = null
  return {
    start: () => {
      stopTimer = startInterval(everyMs, () => {
        running ??= work().finally(() => {
          running = null
        })
      })
    },
    stop: async () => {
      stopTimer()
      await running
    },
  }
}
