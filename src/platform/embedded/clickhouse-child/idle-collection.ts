/** Statements closer together than this count as one stretch of work. */
const IDLE_AFTER_MS = 2_000

/**
 * Has garbage collected once after every stretch of work. Bodies of large inserts lie outside V8's heap, so V8 sees
 * little reason to collect them and the process would keep some 100 MB while it does nothing.
 * Does nothing when the process runs without `--expose-gc`.
 */
export class IdleCollection {
  private timer: NodeJS.Timeout | null = null

  /** To be called when a statement has ended. */
  noteWork(): void {
    const collect = globalThis.gc
    if (collect === undefined) return
    this.timer ??= setTimeout(() => {
      this.timer = null
      void collect()
    }, IDLE_AFTER_MS)
    this.timer.refresh()
  }
}
