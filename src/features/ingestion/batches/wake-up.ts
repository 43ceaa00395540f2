import { setTimeout as sleep } from "node:timers/promises"

/** Waiting that can be cut short: by a signal that there is work, or by the end of the program. */
export class WakeUp {
  #signal = new AbortController()
  readonly #ending = new AbortController()

  /**
   * Resolves after `ms`, at the next `wake` or `end`, or at once when there was a `wake` since `reset`.
   * @returns whether it was cut short.
   */
  sleep(ms: number): Promise<boolean> {
    return wait(ms, AbortSignal.any([this.#signal.signal, this.#ending.signal]))
  }

  /** Resolves after `ms`, or at `end`: work may come meanwhile and has to wait. */
  async pause(ms: number): Promise<void> {
    await wait(ms, this.#ending.signal)
  }

  wake(): void {
    this.#signal.abort()
  }

  /** To be called before looking for work: whatever `wake` was called for up to now will be seen there. */
  reset(): void {
    if (this.#signal.signal.aborted) this.#signal = new AbortController()
  }

  /** Cuts all waiting short, for good. */
  end(): void {
    this.#ending.abort()
  }

  get hasEnded(): boolean {
    return this.#ending.signal.aborted
  }
}

const wait = (ms: number, signal: AbortSignal): Promise<boolean> => sleep(ms, false, { signal }).catch(() => true)
