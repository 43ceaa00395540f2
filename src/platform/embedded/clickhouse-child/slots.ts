/** Gives back a slot; later calls do nothing. */
export type ReleaseSlot = () => void

interface Waiter {
  readonly grant: () => void
}

/** A fixed number of slots, given out in the order asked for. */
export class Slots {
  readonly #waiting = new Set<Waiter>()
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /**
   * Resolves with the slot's release once one is free.
   * @throws the signal's reason when it aborts while waiting.
   */
  take(signal: AbortSignal): Promise<ReleaseSlot> {
    if (signal.aborted) return Promise.reject(signal.reason)
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve(this.#releaseOnce())
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.delete(waiter)
        reject(signal.reason)
      }
      const waiter: Waiter = {
        grant: () => {
          signal.removeEventListener("abort", onAbort)
          resolve(this.#releaseOnce())
        },
      }
      signal.addEventListener("abort", onAbort, { once: true })
      this.#waiting.add(waiter)
    })
  }

  #releaseOnce(): ReleaseSlot {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const [next] = this.#waiting
      if (next === undefined) {
        this.#free++
        return
      }
      this.#waiting.delete(next)
      next.grant()
    }
  }
}
