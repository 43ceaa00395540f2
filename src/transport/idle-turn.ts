/** A turn of the event loop that took no longer answered nothing. */
const IDLE_TURN_MS = 0.05

/**
 * Resolves at the end of a turn of the event loop that had nothing to do, or after `withinMs` on a process that is never idle.
 * Whatever had reached the process before that turn has been taken up by then.
 */
export function untilIdleTurn(withinMs: number): Promise<void> {
  const deadlineMs = performance.now() + withinMs
  return new Promise((resolve) => {
    const look = (turnBeganMs: number): void => {
      const nowMs = performance.now()
      if (nowMs - turnBeganMs <= IDLE_TURN_MS || nowMs >= deadlineMs) resolve()
      else setImmediate(look, nowMs)
    }
    setImmediate(look, Number.NEGATIVE_INFINITY)
  })
}
