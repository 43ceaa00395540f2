import type { QueryRun } from "./query-run.js"

/**
 * Finds running runs whose process is gone: a process changes its runs with every heartbeat, which also carries their
 * progress, so a run that no longer changes has lost its process. Measured by what this monitor has itself seen on a clock
 * that only goes forward, so neither a stepped clock nor another machine's makes a living run look silent.
 */
export class HeartbeatMonitor {
  #seen = new Map<string, { readonly sequence: number; readonly sinceMs: number }>()

  constructor(private readonly silentAfterMs: number) {}

  /** Of all running runs those that have not changed for too long; `nowMs` is of a monotonic clock. */
  findSilent(running: readonly QueryRun[], nowMs: number): QueryRun[] {
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
