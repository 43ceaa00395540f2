/** Gives back a permit; later calls do nothing. */
export type Release = () => void

/** A fixed number of permits, given out in the order asked for. */
export class Semaphore {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(permits: number) {
    this.#free = permits
  }

  /**
   * Resolves with the permit's release once one is free.
   * @throws the signal's reason when it aborts while waiting.
   */
  async acquire(signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#wait(signal)
    let isHeld = true
    return () => {
      if (isHeld) this.#passOn()
      isHeld = false
    }
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        signal?.removeEventListener("abort", onAbort)
        resolve()
      }
      const onAbort = (): void => {
        this.#waiting.delete(grant)
        reject(signal?.reason)
      }
      signal?.addEventListener("abort", onAbort, { once: true })
      this.#waiting.add(grant)
    })
  }

  #passOn(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free++
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
