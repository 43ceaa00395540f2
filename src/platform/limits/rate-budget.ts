import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"

export interface RateBudgetOptions {
  /** How often, or how much, one holder may in a minute of the clock; 0 means as it likes. */
  readonly perHolder: number
  /** What all holders together may, in multiples of one holder's. */
  readonly holders: number
  readonly clock: Pick<Clock, "now">
  /** Called for every refusal. */
  readonly onRefused: () => void
}

const WINDOW_MS = 60_000

/**
 * How much may be done in a minute of what costs the server more than the caller, for each holder and for all together. Each process
 * counts what it sees itself, at once and without a store: it protects this process.
 */
export class RateBudget<Holder extends string | number = string> {
  readonly #options: RateBudgetOptions
  readonly #ofHolders = new Map<Holder, number>()
  #taken = 0
  #window = 0

  constructor(options: RateBudgetOptions) {
    this.#options = options
  }

  /** Counts one, or more that are done at once: the last may go over. @throws AppError rate_limited when it is used up. */
  take(holder: Holder, count = 1): void {
    this.requireLeft(holder)
    if (this.#options.perHolder === 0) return
    this.#ofHolders.set(holder, (this.#ofHolders.get(holder) ?? 0) + count)
    this.#taken += count
  }

  /** Counts none. @throws AppError rate_limited when it is used up. */
  requireLeft(holder: Holder): void {
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
