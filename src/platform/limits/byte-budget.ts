import { AppError } from "../../kernel/errors.js"

/** Sizes in bytes. */
export interface ByteBudgetOptions {
  /** What all requests together may hold, the small ones apart. One holder gets half of it. */
  readonly totalBytes: number
  /** A request that holds no more than this is small. */
  readonly smallBytes: number
  /** What small requests may hold together, so that large ones never keep them out. */
  readonly reserveBytes: number
  /** Called for every request that is refused. */
  readonly onRefused?: () => void
}

/** What one request holds. */
export interface ByteLease {
  /** Adds to it. @throws AppError overloaded when the budget, or the holder's share of it, is spent. */
  hold(bytes: number): void
  /** Gives everything back; may be called more than once. */
  release(): void
}

const RETRY_AFTER_SECONDS = 1

/**
 * Bounds the memory that requests take together: bytes of a body as they arrive, what they unpack to, and what parsing makes of
 * them, from arrival until the answer (`docs/contract/faults.md#memory-of-bodies`).
 */
export class ByteBudget {
  readonly #options: ByteBudgetOptions
  readonly #ofHolders = new Map<string, number>()
  #largeBytes = 0
  #smallBytes = 0

  constructor(options: ByteBudgetOptions) {
    this.#options = options
  }

  /** Bytes that are held now. */
  get heldBytes(): number {
    return this.#largeBytes + this.#smallBytes
  }

  /** Begins a request of a holder, such as a client's address. */
  open(holder: string): ByteLease {
    let held = 0
    let isSmall = true
    return {
      hold: (bytes) => {
        const isStillSmall = isSmall && this.#growSmall(held, bytes)
        if (!isStillSmall) this.#grow(holder, isSmall ? held + bytes : bytes)
        if (isSmall && !isStillSmall) this.#smallBytes -= held
        isSmall = isStillSmall
        held += bytes
      },
      release: () => {
        if (isSmall) this.#smallBytes -= held
        else this.#shrink(holder, held)
        held = 0
        isSmall = true
      },
    }
  }

  /** Whether a small request stays one with so many bytes more. */
  #growSmall(held: number, bytes: number): boolean {
    const { smallBytes, reserveBytes } = this.#options
    if (held + bytes > smallBytes || this.#smallBytes + bytes > reserveBytes) return false
    this.#smallBytes += bytes
    return true
  }

  #grow(holder: string, bytes: number): void {
    const { totalBytes, onRefused } = this.#options
    const ofHolder = (this.#ofHolders.get(holder) ?? 0) + bytes
    if (this.#largeBytes + bytes > totalBytes || ofHolder > totalBytes / 2) {
      onRefused?.()
      throw new AppError("overloaded", { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    this.#largeBytes += bytes
    this.#ofHolders.set(holder, ofHolder)
  }

  #shrink(holder: string, bytes: number): void {
    this.#largeBytes -= bytes
    const left = (this.#ofHolders.get(holder) ?? 0) - bytes
    if (left > 0) this.#ofHolders.set(holder, left)
    else this.#ofHolders.delete(holder)
  }
}
