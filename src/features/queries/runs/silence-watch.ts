import type { QueryRun } from "./query-run.js"

/**
 * Tells which running runs have stopped changing: a worker changes its runs with every progress note, so a run that
 * stands still has lost its process. Measured by what this watch has itself seen on a clock that only goes forward, so
 * neither a stepped clock nor another machine's makes a living run look silent.
 */
export class SilenceWatch {
  #seen = new Map<string, { readonly sequence: number; readonly sinceMs: number }>()

  constructor(private readonly silentAfterMs: number) {}

  /** `running` are all running runs, `nowMs` is of a monotonic clock. Returns those that stood still for too long. */
  observe(running: readonly QueryRun[], nowMs: number): QueryRun[] {
    const before = this.#seen
    this.#seen = new Map()
    return running.filter((run) => {
      const key = `${run.projectId}:${run.engineQueryId}`
      const known = before.get(key)
      const sinceMs = known?.sequence === run.sequence ? known.sinceMs : nowMs
      this.#seen.set(key, { sequence: run.sequence, sinceMs })
      return nowMs - sinceMs >= this.silentAfterMs
    })
  }
}
