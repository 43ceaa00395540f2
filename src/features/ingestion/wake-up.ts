/** A pause that can be cut short: by a signal that there is work, or by the end of the program. */
export class WakeUp {
  private readonly sleepers = new Set<() => void>()
  private ended = false

  /** Resolves after `ms`, or at the next `wake` or `end`. Answers whether the pause was cut short. */
  sleep(ms: number): Promise<boolean> {
    if (this.ended) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (early: boolean): void => {
        clearTimeout(timer)
        this.sleepers.delete(wakeEarly)
        resolve(early)
      }
      const wakeEarly = (): void => finish(true)
      const timer = setTimeout(() => finish(false), ms)
      this.sleepers.add(wakeEarly)
    })
  }

  wake(): void {
    for (const wakeEarly of [...this.sleepers]) wakeEarly()
  }

  /** Wakes everybody for good. */
  end(): void {
    this.ended = true
    this.wake()
  }

  get hasEnded(): boolean {
    return this.ended
  }
}
