import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { QueryRunStore, RunName } from "./postgres-query-run.store.js"
import type { QueryRun } from "./query-run.js"

/** Called with each state of a run; with null once the run is no longer known. */
export type RunListener = (run: QueryRun | null) => void

/** Where feeds read runs and learn of their changes. */
interface RunFeedSources extends Pick<QueryRunStore, "find" | "listSequences"> {
  /** Calls `listener` whenever the run may have changed. */
  subscribe(run: RunName, listener: () => void): Promise<() => Promise<void>>
  onFailure(failure: unknown): void
}

/** Changes are pushed; this often runs are read as well, for pushes that were lost with a connection or never sent here. */
const RECHECK_EVERY_MS = 1_000

/**
 * Runs that are followed in this process. However many follow one run, it has one subscription and is read once for each
 * change; each follower gets a state at most once and never an older one after a newer.
 */
export class RunFeeds {
  readonly #feeds = new Map<string, Feed>()
  readonly #rechecks = createPeriodicTask(RECHECK_EVERY_MS, () => this.#recheck())

  constructor(private readonly sources: RunFeedSources) {}

  /** Runs followed and their followers; both are zero when everybody has left. */
  get counts(): { readonly runs: number; readonly followers: number } {
    const followers = [...this.#feeds.values()].reduce((sum, feed) => sum + feed.size, 0)
    return { runs: this.#feeds.size, followers }
  }

  /** Calls `listener` with the present state, read after this call, and then with each change, until the result is called. */
  async follow(name: RunName, listener: RunListener): Promise<() => Promise<void>> {
    const key = toKey(name)
    const feed = this.#feeds.get(key) ?? new Feed(this.sources, name)
    if (this.#feeds.size === 0) this.#rechecks.start()
    this.#feeds.set(key, feed)
    const follower = { listener, shownSequence: -1 }
    const stopFollowing = async (): Promise<void> => {
      if (!feed.remove(follower) || feed.size > 0) return
      if (this.#feeds.get(key) === feed) this.#feeds.delete(key)
      if (this.#feeds.size === 0) void this.#rechecks.stop()
      await feed.close()
    }
    try {
      await feed.add(follower)
    } catch (failure) {
      await stopFollowing()
      throw failure
    }
    return stopFollowing
  }

  async #recheck(): Promise<void> {
    const names = [...this.#feeds.values()].map(({ name }) => name)
    try {
      const found = new Map((await this.sources.listSequences(names)).map((seen) => [toKey(seen), seen.sequence]))
      for (const [key, feed] of this.#feeds) if (found.get(key) !== feed.sequence) feed.refresh()
    } catch (failure) {
      this.sources.onFailure(failure)
    }
  }
}

const toKey = ({ projectId, id }: RunName): string => `${projectId}:${id}`

interface Follower {
  readonly listener: RunListener
  shownSequence: number
}

/** One followed run. */
class Feed {
  readonly #followers = new Set<Follower>()
  readonly #subscription: Promise<() => Promise<void>>
  /** What was read last; undefined before the first read. */
  sequence: number | undefined
  #isReading = false
  #isDirty = false

  constructor(
    private readonly sources: RunFeedSources,
    readonly name: RunName,
  ) {
    this.#subscription = sources.subscribe(name, () => this.refresh())
    this.#subscription.catch(() => undefined)
  }

  get size(): number {
    return this.#followers.size
  }

  async add(follower: Follower): Promise<void> {
    this.#followers.add(follower)
    // Only then is no change lost between the read and the first push.
    await this.#subscription
    this.refresh()
  }

  remove(follower: Follower): boolean {
    return this.#followers.delete(follower)
  }

  /** Reads the run and notifies followers of a state that they have not seen. A read that began before does not count. */
  refresh(): void {
    this.#isDirty = true
    if (!this.#isReading) void this.#read()
  }

  async close(): Promise<void> {
    await (await this.#subscription.catch(() => null))?.()
  }

  async #read(): Promise<void> {
    this.#isReading = true
    try {
      while (this.#isDirty && this.size > 0) {
        this.#isDirty = false
        this.#notify(await this.sources.find(this.name.projectId, this.name.id))
      }
    } catch (failure) {
      // The regular check of the sequences reads again.
      this.sources.onFailure(failure)
    } finally {
      this.#isReading = false
    }
  }

  #notify(run: QueryRun | null): void {
    this.sequence = run?.sequence
    for (const follower of [...this.#followers]) {
      if (run !== null && run.sequence <= follower.shownSequence) continue
      follower.shownSequence = run?.sequence ?? follower.shownSequence
      follower.listener(run)
    }
  }
}
