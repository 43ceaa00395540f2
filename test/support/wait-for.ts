import { setTimeout as pause } from "node:timers/promises"

const FIRST_PAUSE_MS = 20
/** Each pause is longer than the one before, up to this: who asks all the time keeps the machine from what is waited for. */
const LONGEST_PAUSE_MS = 150

/**
 * Polls until `probe` answers something other than null, undefined or false, and returns it. For real processes that act
 * on their own time; nothing else in the tests waits.
 * @throws Error naming `what` after `withinMs`, with the probe's last failure as cause.
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  withinMs = 40_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  let lastFailure: unknown
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    try {
      const answer = await probe()
      if (answer !== null && answer !== undefined && answer !== false) return answer
    } catch (failure) {
      lastFailure = failure
    }
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`, { cause: lastFailure })
    await pause(pauseMs)
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)
  }
}
