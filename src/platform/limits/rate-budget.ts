import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"

export interface RateBudgetOptions {
  /** How often one holder may do it in a minute of the clock; 0 means as often as it likes. */
  readonly perHolder: number
  /** How often all holders together may, in multiples of one holder's. */
  readonly holders: number
  readonly clock: Pick<Clock, "now">
  /** Called for every refusal. */
  readonly onRefused: () => void
}

const WINDOW_MS = 60_000

/**
 * How often something may be done that costs the server more than the caller, for each holder and for all together. Each process
 * counts what it sees itself, at once and without a store: it protects this process.
 */
export class RateBudget {
  readonly #options: RateBudgetOptions
  /** Never more entries than may be taken in all. */
  readonly #ofHolders = new Map<string, number>()
  #taken = 0
  #window = 0

  constructor(options: RateBudgetOptions) {
    this.#options = options
  }

  /** Counts one. @throws AppError rate_limited when the minute's are used up. */
  take(holder: string): void {
    this.requireLeft(holder)
    if (this.#options.perHolder === 0) return
    this.#ofHolders.set(holder, (this.#ofHolders.get(holder) ?? 0) + 1)
    this.#taken++
  }

  /** Counts none. @throws AppError rate_limited when the minute's are used up. */
  requireLeft(holder: string): void {
    const { perHolder, holders, clock, onRefused } = this.#options
    if (perHolder === 0) return
    const nowMs = clock.now()
    this.#open(Math.floor(nowMs / WINDOW_MS))
    if ((this.#ofHolders.get(holder) ?? 0) < perHolder && this.#taken < perHolder * holders) return
    onRefused()
    const seconds = Math.max(1, Math.ceil((WINDOW_MS - (nowMs % WINDOW_MS)) / 1_000))
    const detail = `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? "" : "s"}.`
    throw new AppError("rate_limited", { detail, retryAfterSeconds: seconds })
  }

  #open(window: number): void {
    if (window === this.#window) return
    this.#window = window
    this.#ofHolders.clear()
    this.#taken = 0
  }
}
