import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { QueryRunStore, RunName } from "./postgres-query-run.store.js"
import type { QueryRun } from "./query-run.js"

/** Called with each state of a run; with null once the run of that name is no longer known. */
export type RunListener = (run: QueryRun | null, name: RunName) => void

/** Somebody who follows runs. */
export interface Following {
  /** Resolves once the listener has the present states; rejects when they cannot be read, which is tried again. */
  readonly hasPresent: Promise<void>
  leave(): Promise<void>
}

/** Where feeds read runs and learn of their changes. */
interface RunFeedSources extends Pick<QueryRunStore, "findAll" | "listSequences"> {
  /** Calls `listener` whenever the run may have changed. */
  subscribe(run: RunName, listener: () => void): Promise<() => Promise<void>>
  onFailure(failure: unknown): void
}

/** Changes are pushed; this often runs are asked for as well: pushes get lost with a connection. */
const RECHECK_EVERY_MS = 1_000
/** Each may come with an answer of many megabytes. */
const RUNS_PER_READ = 100

/** A followed run. */
interface Feed {
  readonly name: RunName
  /** Resolves with how to end the subscription. */
  readonly subscribed: Promise<() => Promise<void>>
  /** Who follows it, and the sequence of the state that each has got last. */
  readonly followers: Map<RunListener, number>
  /** What was read last; undefined before the first read and for a run that is not known. */
  sequence: number | undefined
}

const NO_STATE = -1

/**
 * Runs that are followed in this process. However many follow them, each run has one subscription, and one statement at
 * a time reads all that may have changed since the one before; each follower gets a state at most once and never an
 * older one after a newer.
 */
export class RunFeeds {
  readonly #feeds = new Map<string, Feed>()
  readonly #rechecks = createPeriodicTask(RECHECK_EVERY_MS, () => this.#recheck())
  readonly #due = new Set<Feed>()
  /** The read that has not begun yet, for all who ask for one meanwhile. */
  #nextRead: Promise<void> | null = null
  #lastRead: Promise<void> = Promise.resolve()

  constructor(private readonly sources: RunFeedSources) {}

  /** Runs followed and their followers; both are zero when everybody has left. */
  get counts(): { readonly runs: number; readonly followers: number } {
    const followers = [...this.#feeds.values()].reduce((sum, feed) => sum + feed.followers.size, 0)
    return { runs: this.#feeds.size, followers }
  }

  /** Calls `listener` with the present state of each run, read after this call and then with each change. */
  async follow(names: readonly RunName[], listener: RunListener): Promise<Following> {
    const feeds = names.map((name) => this.#open(name))
    for (const feed of feeds) feed.followers.set(listener, NO_STATE)
    const leave = async (): Promise<void> => {
      await Promise.all(feeds.map((feed) => this.#leave(feed, listener)))
    }
    try {
      // Only then is no change lost between the read and the first push.
      await Promise.all(feeds.map(({ subscribed }) => subscribed))
    } catch (failure) {
      await leave()
      throw failure
    }
    return { hasPresent: this.#read(feeds), leave }
  }

  #open(name: RunName): Feed {
    const known = this.#feeds.get(toKey(name))
    if (known !== undefined) return known
    const subscribed = this.sources.subscribe(name, () => void this.#read([feed]))
    subscribed.catch(() => undefined)
    const feed: Feed = { name, subscribed, followers: new Map(), sequence: undefined }
    if (this.#feeds.size === 0) this.#rechecks.start()
    this.#feeds.set(toKey(name), feed)
    return feed
  }

  async #leave(feed: Feed, listener: RunListener): Promise<void> {
    if (!feed.followers.delete(listener) || feed.followers.size > 0) return
    const key = toKey(feed.name)
    if (this.#feeds.get(key) === feed) this.#feeds.delete(key)
    if (this.#feeds.size === 0) void this.#rechecks.stop()
    await (await feed.subscribed.catch(() => null))?.()
  }

  /** Reads these runs and notifies followers of states they have not seen. A read that began before does not count. */
  #read(feeds: Iterable<Feed>): Promise<void> {
    for (const feed of feeds) this.#due.add(feed)
    if (this.#nextRead !== null) return this.#nextRead
    const read = this.#lastRead.then(() => this.#readDue())
    this.#nextRead = read
    // The regular check of the sequences reads again.
    this.#lastRead = read.catch((failure) => this.sources.onFailure(failure))
    return read
  }

  async #readDue(): Promise<void> {
    this.#nextRead = null
    const due = [...this.#due].filter(({ followers }) => followers.size > 0)
    this.#due.clear()
    while (due.length > 0) {
      const feeds = due.splice(0, RUNS_PER_READ)
      const runs = await this.sources.findAll(feeds.map(({ name }) => name))
      const found = new Map(runs.map((run) => [toKey(run), run]))
      for (const feed of feeds) notify(feed, found.get(toKey(feed.name)) ?? null)
    }
  }

  async #recheck(): Promise<void> {
    const feeds = [...this.#feeds.values()]
    try {
      const seen = await this.sources.listSequences(feeds.map(({ name }) => name))
      const found = new Map(seen.map((one) => [toKey(one), one.sequence]))
      void this.#read(feeds.filter((feed) => found.get(toKey(feed.name)) !== feed.sequence))
    } catch (failure) {
      this.sources.onFailure(failure)
    }
  }
}

const toKey = ({ projectId, id }: RunName): string => `${projectId}:${id}`

function notify(feed: Feed, run: QueryRun | null): void {
  feed.sequence = run?.sequence
  for (const [listener, shown] of [...feed.followers]) {
    if (run !== null && run.sequence <= shown) continue
    feed.followers.set(listener, run?.sequence ?? shown)
    listener(run, feed.name)
  }
}
