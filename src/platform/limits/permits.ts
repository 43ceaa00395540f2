import { AppError } from "../../kernel/errors.js"

export interface PermitsOptions {
  /** What a permit stands for, in the plural, for the texts of refusals. */
  readonly what: string
  /** Permits that all holders have together. */
  readonly total: number
  /** Permits that one holder has, so that the others find some too. */
  readonly perHolder: number
  /** What a holder is, for the texts of refusals. */
  readonly holder: "client address" | "project" | "key"
  /** Called for every refusal. */
  readonly onRefused: () => void
}

/** Gives the permit back; does nothing the second time. */
export type Permit = () => void

const RETRY_AFTER_SECONDS = 10

/**
 * Permits for what is held for a long time, such as a stream: a number of them in all, and a smaller one for each holder.
 * Nobody waits for one: who gets none is refused (`docs/contract/faults.md#connections`).
 */
export class Permits {
  readonly #options: PermitsOptions
  readonly #ofHolders = new Map<string | number, number>()
  #taken = 0

  constructor(options: PermitsOptions) {
    this.#options = options
  }

  /** Permits that are taken now. */
  get taken(): number {
    return this.#taken
  }

  /** @throws AppError rate_limited when the holder has all it may have, overloaded when no permit is left. */
  take(holder: string | number): Permit {
    const ofHolder = this.#ofHolders.get(holder) ?? 0
    const { what, total, perHolder, onRefused, holder: kind } = this.#options
    if (ofHolder >= perHolder || this.#taken >= total) {
      onRefused()
      const detail = `One ${kind} has at most ${perHolder} ${what} at a time.`
      if (ofHolder >= perHolder) throw new AppError("rate_limited", { detail, retryAfterSeconds: RETRY_AFTER_SECONDS })
      throw new AppError("overloaded", { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    this.#ofHolders.set(holder, ofHolder + 1)
    this.#taken++
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#giveBack(holder)
    }
  }

  #giveBack(holder: string | number): void {
    this.#taken--
    const left = (this.#ofHolders.get(holder) ?? 1) - 1
    if (left > 0) this.#ofHolders.set(holder, left)
    else this.#ofHolders.delete(holder)
  }
}
