/** Calls `work` every `everyMs` milliseconds until the returned function is called; alone it keeps no process alive. */
export function repeat(everyMs: number, work: () => void): () => void {
  const timer = setInterval(work, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Work that is done again and again in the background. */
export interface RepeatedWork {
  /** To be called once, and again only after `stop`. */
  start(): void
  /** Begins nothing more; resolves when the work that was under way has ended. */
  stop(): Promise<void>
}

/**
 * Does `work` every `everyMs` milliseconds, never twice at once: a turn that comes while the last one still works is passed over,
 * so that nothing piles up behind a store that does not answer.
 * @param work says itself what goes wrong; it must not reject.
 */
export function createRepeatedWork(everyMs: number, work: () => Promise<void>): RepeatedWork {
  let stopTimer = (): void => {}
  let working: Promise<void> | null = null
  return {
    start: () => {
      stopTimer = repeat(everyMs, () => {
        working ??= work().finally(() => {
          working = null
        })
      })
    },
    stop: async () => {
      stopTimer()
      await working
    },
  }
}
