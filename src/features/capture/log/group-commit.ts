import { AppError } from "../../../kernel/errors.js"

export interface GroupCommitLimits {
  /** Groups that are written at one time. */
  readonly maxWriters: number
  /** What must wait for a group to be written beside another; less waits for the other's end and shares one write. */
  readonly minBytesBeside: number
  /**
   * How many must come at a time to be written in two halves. Callers who wait for their outcome before they come again are
   * otherwise all in one write, and nobody is left to be dealt with meanwhile.
   */
  readonly halved: { readonly minItems: number; readonly maxItems: number }
  /** What one write may hold; a single larger item is written alone. */
  readonly maxGroupItems: number
  readonly maxGroupBytes: number
  /** What may wait before new items are turned away. */
  readonly maxWaitingItems: number
  readonly maxWaitingBytes: number
}

interface Waiting<Item> {
  readonly item: Item
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (fault: unknown) => void
}

const FULL_RETRY_AFTER_SECONDS = 1

/**
 * Lets many callers share one write: while one group is being written the next one gathers, so groups grow with the load
 * by themselves and nobody waits for a timer. A caller's promise has the outcome of the write that held its item.
 */
export class GroupCommit<Item> {
  private waiting: Waiting<Item>[] = []
  private waitingBytes = 0
  private writers = 0
  /** What the next group may hold, so that a half is left for the one after it; null once a group has begun since the last write. */
  private nextShare: number | null = null
  private isScheduled = false
  private onIdle: (() => void)[] = []

  /** `write` resolves when the items are durable; whatever it rejects with is what every caller of the group gets. */
  constructor(
    private readonly write: (items: readonly Item[]) => Promise<void>,
    private readonly limits: GroupCommitLimits,
  ) {}

  /** @throws AppError store_unavailable at once when too much is waiting; else what `write` rejects with. */
  add(item: Item, bytes: number): Promise<void> {
    const { maxWaitingItems, maxWaitingBytes } = this.limits
    const isFull = this.waiting.length >= maxWaitingItems || this.waitingBytes + bytes > maxWaitingBytes
    if (isFull && this.waiting.length > 0)
      return Promise.reject(
        new AppError("store_unavailable", {
          detail: "Events arrive faster than they can be written. Please retry.",
          retryAfterSeconds: FULL_RETRY_AFTER_SECONDS,
        }),
      )
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, bytes, resolve, reject })
      this.waitingBytes += bytes
      this.schedule()
    })
  }

  /** Resolves when nothing waits and nothing is being written. */
  idle(): Promise<void> {
    if (this.isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.onIdle.push(resolve))
  }

  private isIdle(): boolean {
    return this.waiting.length === 0 && this.writers === 0
  }

  /**
   * A group begins at the end of the current turn, so that requests read in the same turn go together. After a write it is the
   * next turn, unless a whole half waits already: whoever was just answered and is back by then shares the next write instead
   * of waiting for it.
   */
  private schedule({ isAfterWrite = false } = {}): void {
    const { maxWriters, minBytesBeside } = this.limits
    if (this.isScheduled || this.writers >= maxWriters) return
    if (this.writers > 0 && this.waitingBytes < minBytesBeside) return
    this.isScheduled = true
    const begin = (): void => {
      this.isScheduled = false
      void this.writeGroup()
    }
    if (isAfterWrite) setImmediate(() => setImmediate(begin))
    else setImmediate(begin)
  }

  private async writeGroup(): Promise<void> {
    if (this.waiting.length === 0) return
    const group = this.takeGroup()
    this.writers++
    try {
      await this.write(group.map(({ item }) => item))
      for (const { resolve } of group) resolve()
    } catch (fault) {
      for (const { reject } of group) reject(fault)
    }
    this.writers--
    // Whoever was just answered is on the way back.
    this.nextShare = this.shareOf(this.waiting.length + group.length)
    if (this.waiting.length > 0) this.schedule({ isAfterWrite: this.waiting.length < this.nextShare })
    else if (this.isIdle()) for (const resolve of this.onIdle.splice(0)) resolve()
  }

  /** Half of so many callers; Infinity when they are too few or too many to be divided. */
  private shareOf(callers: number): number {
    const { minItems, maxItems } = this.limits.halved
    return callers < minItems || callers > maxItems ? Number.POSITIVE_INFINITY : Math.ceil(callers / 2)
  }

  private takeGroup(): Waiting<Item>[] {
    const { maxGroupBytes } = this.limits
    const share = this.nextShare ?? this.shareOf(this.waiting.length)
    const maxGroupItems = Math.min(this.limits.maxGroupItems, share)
    this.nextShare = null
    let count = 0
    let bytes = 0
    for (const { bytes: itemBytes } of this.waiting) {
      if (count > 0 && (count >= maxGroupItems || bytes + itemBytes > maxGroupBytes)) break
      count++
      bytes += itemBytes
    }
    this.waitingBytes -= bytes
    if (count < this.waiting.length) return this.waiting.splice(0, count)
    const all = this.waiting
    this.waiting = []
    return all
  }
}
