import { type ReleaseSlot, Slots } from "./slots.js"

/** `control` is for statements that watch or stop others; they must get through whatever else goes on. */
export type LaneName = "query" | "insert" | "control"

const CONTROL_SLOTS = 2
const INSERT_SLOTS = 2
const QUERY_SLOTS = 6
const LONG_QUERY_SLOTS = 18
/** A query that has run this long gives its slot to the next one and counts as long from then on. */
const LONG_AFTER_MS = 500

/**
 * Threads that all lanes together can occupy; libuv's pool must have as many (UV_THREADPOOL_SIZE), and a few for itself.
 * Each thread that has served the engine keeps about 0.5 MB.
 */
export const ENGINE_THREADS = CONTROL_SLOTS + INSERT_SLOTS + QUERY_SLOTS + LONG_QUERY_SLOTS

/**
 * Decides when a statement may start. Inserts never wait behind queries, and a short query never waits for the end of
 * a long one: a query that turns out long moves to a larger lane and frees its slot.
 */
export class Lanes {
  readonly #control = new Slots(CONTROL_SLOTS)
  readonly #insert = new Slots(INSERT_SLOTS)
  readonly #query = new Slots(QUERY_SLOTS)
  readonly #longQuery = new Slots(LONG_QUERY_SLOTS)
  readonly #longAfterMs: number

  constructor(longAfterMs = LONG_AFTER_MS) {
    this.#longAfterMs = longAfterMs
  }

  /** Resolves once the statement may start. @throws the signal's reason when it aborts before that. */
  async enter(lane: LaneName, signal: AbortSignal): Promise<ReleaseSlot> {
    if (lane === "control") return this.#control.take(signal)
    if (lane === "insert") return this.#insert.take(signal)
    return this.#ageing(await this.#query.take(signal))
  }

  #ageing(release: ReleaseSlot): ReleaseSlot {
    let held = release
    const ended = new AbortController()
    const timer = setTimeout(() => {
      this.#longQuery.take(ended.signal).then(
        (releaseLong) => {
          // It may have ended between being given the slot and hearing of it.
          if (ended.signal.aborted) return releaseLong()
          held = releaseLong
          release()
        },
        () => undefined,
      )
    }, this.#longAfterMs)
    return () => {
      clearTimeout(timer)
      ended.abort()
      held()
    }
  }
}
