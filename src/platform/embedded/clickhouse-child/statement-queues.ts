import { type Release, Semaphore } from "../../../kernel/semaphore.js"

/** `control` is for statements that watch or stop others; they must get through whatever else goes on. */
export type StatementClass = "query" | "insert" | "control"

const CONTROL_PERMITS = 2
const INSERT_PERMITS = 2
const QUERY_PERMITS = 6
const LONG_QUERY_PERMITS = 18
/** A query that has run this long counts as long from then on and passes its permit to the next one. */
const LONG_AFTER_MS = 500

/**
 * Threads that all statements together can occupy; libuv's pool must have as many (UV_THREADPOOL_SIZE), and a few for
 * itself. Each thread that has served the engine keeps about 0.5 MB.
 */
export const ENGINE_THREADS = CONTROL_PERMITS + INSERT_PERMITS + QUERY_PERMITS + LONG_QUERY_PERMITS

/**
 * Decides when a statement may start: a queue for each class of statements. Inserts never wait behind queries, and a short
 * query never waits for the end of a long one: a query that turns out long takes a permit of the long ones and frees its
 * own.
 */
export class StatementQueues {
  private readonly control = new Semaphore(CONTROL_PERMITS)
  private readonly insert = new Semaphore(INSERT_PERMITS)
  private readonly query = new Semaphore(QUERY_PERMITS)
  private readonly longQuery = new Semaphore(LONG_QUERY_PERMITS)

  constructor(private readonly longAfterMs = LONG_AFTER_MS) {}

  /** Resolves once the statement may start. @throws the signal's reason when it aborts before that. */
  async enter(statementClass: StatementClass, signal: AbortSignal): Promise<Release> {
    if (statementClass === "control") return this.control.acquire(signal)
    if (statementClass === "insert") return this.insert.acquire(signal)
    return this.exchangeWhenLong(await this.query.acquire(signal))
  }

  private exchangeWhenLong(release: Release): Release {
    let held = release
    const ended = new AbortController()
    const exchange = async (): Promise<void> => {
      const releaseLong = await this.longQuery.acquire(ended.signal)
      // It may have ended between being given the permit and hearing of it.
      if (ended.signal.aborted) return releaseLong()
      held = releaseLong
      release()
    }
    const timer = setTimeout(() => exchange().catch(() => undefined), this.longAfterMs)
    return () => {
      clearTimeout(timer)
      ended.abort()
      held()
    }
  }
}
