import { AppError, ERRORS } from "./errors.js"
import { type AddItems, type Delivered, type FailStream, openLossyStream } from "./lossy-stream.js"
import { startInterval } from "./periodic-task.js"
import { isBeyond, type Place } from "./place.js"

/** Some items in their order. */
export interface OrderedItems<Item> {
  readonly items: readonly Item[]
  /** Earlier ones that were left out, because there were too many. */
  readonly missed: number
}

/** Where items are stored in an order to which only later ones are added. */
export interface OrderedStore<Item> {
  /** A place up to which everything is stored: nothing will be added before it. */
  findLast(): Promise<Place>
  /**
   * What lies beyond `after` and not beyond `upTo`; of many the newest, as many as a reader may be behind.
   * @throws AppError store_unavailable, overloaded for what may be tried again; any other AppError for what can never
   * be read, such as items that a condition cannot be asked of.
   */
  read(after: Place, upTo: Place): Promise<OrderedItems<Item>>
  /** Calls `listener` soon after more has been stored, until the returned function is called. */
  onMore(listener: () => void): Promise<() => Promise<void>>
}

/** What is announced may get lost on its way, so the store is asked this often as well. */
const ASK_EVERY_MS = 5_000

interface Follower<Item> {
  readonly add: AddItems<Item>
  readonly fail: FailStream
}

/** What lies beyond the last place that was read, for all who follow the same items in this process. */
class OrderedFeed<Item> {
  /** Rejects when the store cannot be asked. */
  readonly opened: Promise<() => Promise<void>>
  private readonly followers = new Set<Follower<Item>>()
  private last: Place = [0, 0]
  private advanced: Promise<void> = Promise.resolve()
  private isWoken = false

  constructor(
    private readonly store: OrderedStore<Item>,
    private readonly onFailure: (failure: unknown) => void,
  ) {
    this.opened = this.open()
    this.advanced = this.opened.then(() => undefined)
    this.advanced.catch(() => undefined)
  }

  get hasFollowers(): boolean {
    return this.followers.size > 0
  }

  /**
   * Adds every item beyond `since`, from now on when it is null, until the returned function is called or it fails.
   * @throws AppError invalid_input naming `since` when nothing is stored there yet.
   */
  async follow({ add, fail }: Follower<Item>, since: Place | null): Promise<() => void> {
    await this.opened
    // Another process may have read further than this one.
    if (since !== null && isBeyond(since, this.last)) await this.advance()
    if (since !== null && isBeyond(since, this.last))
      throw new AppError("invalid_input", { attr: "since", detail: "since is no cursor of what is stored here." })
    const joinedAt = this.last
    const early: Parameters<AddItems<Item>>[] = []
    let deliver: AddItems<Item> = (...added) => void early.push(added)
    const follower: Follower<Item> = { add: (...added) => deliver(...added), fail }
    // From here on nothing is missed; what came before is read meanwhile.
    this.followers.add(follower)
    const leave = (): void => void this.followers.delete(follower)
    if (since !== null && isBeyond(joinedAt, since)) {
      const { items, missed } = await this.store.read(since, joinedAt).catch((failure: unknown) => {
        leave()
        throw failure
      })
      add(items, missed)
    }
    for (const added of early) add(...added)
    deliver = add
    return leave
  }

  private async open(): Promise<() => Promise<void>> {
    const stopListening = await this.store.onMore(() => this.wake())
    try {
      this.last = await this.store.findLast()
    } catch (failure) {
      await stopListening()
      throw failure
    }
    const stopAsking = startInterval(ASK_EVERY_MS, () => this.wake())
    return () => {
      stopAsking()
      return stopListening()
    }
  }

  private wake(): void {
    if (this.isWoken) return
    this.isWoken = true
    this.advance().catch(this.onFailure)
  }

  /** Reads what is new once everything that was asked for before is read. */
  private advance(): Promise<void> {
    this.advanced = this.advanced.catch(() => undefined).then(() => this.readNext())
    return this.advanced
  }

  private async readNext(): Promise<void> {
    this.isWoken = false
    const upTo = await this.store.findLast()
    if (!isBeyond(upTo, this.last)) return
    try {
      const { items, missed } = await this.store.read(this.last, upTo)
      if (items.length + missed > 0) for (const { add } of this.followers) add(items, missed)
    } catch (failure) {
      if (!isLasting(failure)) throw failure
      for (const { fail } of this.followers) fail(failure)
      this.followers.clear()
    }
    this.last = upTo
  }
}

/** Whether trying again would only fail again. */
const isLasting = (failure: unknown): boolean =>
  failure instanceof AppError && ERRORS[failure.code].status !== ERRORS.store_unavailable.status

/** Lets callers follow what is stored in an order, from now on or from a place on. */
export class OrderedFeeds<Item extends object> {
  private readonly feeds = new Map<string, OrderedFeed<Item>>()

  /** `onFailure` is called when a store could not be read; it is tried again. */
  constructor(
    private readonly maxWaiting: number,
    private readonly onFailure: (failure: unknown) => void,
  ) {}

  /**
   * Items beyond `since`, or from now on. However many follow the same `key`, each item is read once. For a slow
   * reader the oldest of more than `maxWaiting` are left out, and counted. The stream fails when what comes can never
   * be read.
   * @throws AppError invalid_input naming `since`, store_unavailable.
   */
  follow(key: string, store: OrderedStore<Item>, since: Place | null): Promise<AsyncIterableIterator<Delivered<Item>>> {
    return openLossyStream<Item>(this.maxWaiting, async (add, fail) => {
      const feed = this.feeds.get(key) ?? new OrderedFeed(store, this.onFailure)
      this.feeds.set(key, feed)
      const leave = await feed.follow({ add, fail }, since).catch(async (failure: unknown) => {
        await this.closeUnused(key, feed)
        throw failure
      })
      return () => {
        leave()
        return this.closeUnused(key, feed)
      }
    })
  }

  private async closeUnused(key: string, feed: OrderedFeed<Item>): Promise<void> {
    if (feed.hasFollowers) return
    if (this.feeds.get(key) === feed) this.feeds.delete(key)
    const close = await feed.opened.catch(() => async () => undefined)
    await close()
  }
}
