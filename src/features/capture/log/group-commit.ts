import { AppError } from "../../../kernel/errors.js"

export interface GroupCommitLimits {
  /** Groups that are written at one time. */
  readonly maxWriters: number
  /** What must wait for a group to be written beside another; less waits for the other's end and shares one write. */
  readonly minBytesBeside: number
  /** A group of this size takes so long that nothing waits for its end; when all writers have such, small items get one more. */
  readonly largeGroupBytes: number
  readonly smallItemBytes: number
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
  readonly holder: number
  readonly resolve: () => void
  readonly reject: (fault: unknown) => void
}

const FULL_RETRY_AFTER_SECONDS = 1

/**
 * Lets many callers share one write: while one group is being written the next one gathers, so groups grow with the load
 * by themselves and nobody waits for a timer. A caller's promise has the outcome of the write that held its item.
 *
 * When more waits than one group holds, holders take turns, so that what one has waiting does not delay another's
 * (`docs/contract/faults.md#turns-of-projects`).
 */
export class GroupCommit<Item> {
  private waiting: Waiting<Item>[] = []
  private waitingBytes = 0
  private smallWaiting = 0
  private writers = 0
  private largeWriters = 0
  /** What the next group may hold, so that a half is left for the one after it; null once a group has begun since the last write. */
  private nextShare: number | null = null
  private isScheduled = false
  private onIdle: (() => void)[] = []

  /** `write` resolves when the items are durable; whatever it rejects with is what every caller of the group gets. */
  constructor(
    private readonly write: (items: readonly Item[]) => Promise<void>,
    private readonly limits: GroupCommitLimits,
  ) {}

  /**
   * @param holder number of whom the item belongs to.
   * @throws AppError store_unavailable at once when too much is waiting; else what `write` rejects with.
   */
  add(item: Item, bytes: number, holder: number): Promise<void> {
    if (this.isFull(bytes) && !(this.isSmall(bytes) && !this.hasWaiting(holder)))
      return Promise.reject(
        new AppError("store_unavailable", {
          detail: "Events arrive faster than they can be written. Please retry.",
          retryAfterSeconds: FULL_RETRY_AFTER_SECONDS,
        }),
      )
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, bytes, holder, resolve, reject })
      this.waitingBytes += bytes
      if (this.isSmall(bytes)) this.smallWaiting++
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
    if (this.isScheduled || !this.mayBegin()) return
    this.isScheduled = true
    const begin = (): void => {
      this.isScheduled = false
      void this.writeGroup()
    }
    if (isAfterWrite) setImmediate(() => setImmediate(begin))
    else setImmediate(begin)
  }

  /** Whether an item is too much for all that may wait; a small one of a holder who has nothing waiting is taken all the same. */
  private isFull(bytes: number): boolean {
    const { maxWaitingItems, maxWaitingBytes } = this.limits
    if (this.waiting.length === 0) return false
    return this.waiting.length >= maxWaitingItems || this.waitingBytes + bytes > maxWaitingBytes
  }

  private hasWaiting(holder: number): boolean {
    return this.waiting.some((one) => one.holder === holder)
  }

  private mayBegin(): boolean {
    const { maxWriters, minBytesBeside } = this.limits
    const areAllLarge = this.largeWriters === this.writers
    if (this.writers >= maxWriters) return this.writers === maxWriters && areAllLarge && this.smallWaiting > 0
    return areAllLarge || this.waitingBytes >= minBytesBeside
  }

  private isSmall(bytes: number): boolean {
    return bytes <= this.limits.smallItemBytes
  }

  private async writeGroup(): Promise<void> {
    if (this.waiting.length === 0 || !this.mayBegin()) return
    const { group, bytes } = this.takeGroup()
    const large = bytes < this.limits.largeGroupBytes ? 0 : 1
    this.writers++
    this.largeWriters += large
    if (this.waiting.length > 0) this.schedule()
    try {
      await this.write(group.map(({ item }) => item))
      for (const { resolve } of group) resolve()
    } catch (fault) {
      for (const { reject } of group) reject(fault)
    }
    this.writers--
    this.largeWriters -= large
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

  private takeGroup(): { readonly group: readonly Waiting<Item>[]; readonly bytes: number } {
    const { maxWriters, maxGroupBytes } = this.limits
    const share = this.nextShare ?? this.shareOf(this.waiting.length)
    const maxGroupItems = Math.min(this.limits.maxGroupItems, share)
    this.nextShare = null
    const isExtra = this.writers >= maxWriters
    const fitsWhole = !isExtra && this.waiting.length <= maxGroupItems && this.waitingBytes <= maxGroupBytes
    if (fitsWhole) return this.takeAll()
    const candidates = isExtra ? this.waiting.filter(({ bytes }) => this.isSmall(bytes)) : this.waiting
    const group = new Set<Waiting<Item>>()
    let bytes = 0
    for (const waiting of inTurns(candidates)) {
      if (group.size > 0 && (group.size >= maxGroupItems || bytes + waiting.bytes > maxGroupBytes)) break
      group.add(waiting)
      bytes += waiting.bytes
      if (this.isSmall(waiting.bytes)) this.smallWaiting--
    }
    this.waiting = this.waiting.filter((one) => !group.has(one))
    this.waitingBytes -= bytes
    return { group: [...group], bytes }
  }

  private takeAll(): { readonly group: readonly Waiting<Item>[]; readonly bytes: number } {
    const taken = { group: this.waiting, bytes: this.waitingBytes }
    this.waiting = []
    this.waitingBytes = 0
    this.smallWaiting = 0
    return taken
  }
}

/** What waits, by how many bytes of the same holder wait before it; of one holder in the order in which it came. */
function inTurns<Item>(waiting: readonly Waiting<Item>[]): readonly Waiting<Item>[] {
  const before = new Map<number, number>()
  const placed = waiting.map((one) => {
    const place = before.get(one.holder) ?? 0
    before.set(one.holder, place + one.bytes)
    return { one, place }
  })
  if (before.size === 1) return waiting
  return placed.sort((one, other) => one.place - other.place).map(({ one }) => one)
}
