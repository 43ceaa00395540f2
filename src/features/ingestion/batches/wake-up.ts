/** Waiting that can be cut short: by a signal that there is work, or by the end of the program. */
export class WakeUp {
  private readonly sleepers = new Set<() => void>()
  private readonly pausing = new Set<() => void>()
  private isCalled = false
  private ended = false

  /**
   * Resolves after `ms`, at the next `wake` or `end`, or at once when there was a `wake` since `forget`. Answers whether it
   * was cut short.
   */
  sleep(ms: number): Promise<boolean> {
    return this.isCalled ? Promise.resolve(true) : this.wait(ms, this.sleepers)
  }

  /** Resolves after `ms`, or at `end`: work may come meanwhile and has to wait. */
  async pause(ms: number): Promise<void> {
    await this.wait(ms, this.pausing)
  }

  wake(): void {
    this.isCalled = true
    for (const wakeEarly of [...this.sleepers]) wakeEarly()
  }

  /** To be called before looking for work: what was called for up to now will be seen there. */
  forget(): void {
    this.isCalled = false
  }

  /** Wakes everybody for good. */
  end(): void {
    this.ended = true
    for (const endEarly of [...this.sleepers, ...this.pausing]) endEarly()
  }

  get hasEnded(): boolean {
    return this.ended
  }

  private wait(ms: number, waiting: Set<() => void>): Promise<boolean> {
    if (this.ended) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (early: boolean): void => {
        clearTimeout(timer)
        waiting.delete(endEarly)
        resolve(early)
      }
      const endEarly = (): void => finish(true)
      const timer = setTimeout(() => finish(false), ms)
      waiting.add(endEarly)
    })
  }
}
