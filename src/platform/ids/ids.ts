import { randomBytes, randomUUID } from "node:crypto"
import { v7 } from "uuid"
import { toBase62 } from "./base62.js"

/** Where random values come from. Passed in, so that tests decide what is random. */
export interface Ids {
  /** A random UUID, lower case. */
  uuidV4(): string
  /** A UUID that sorts by the time it was made, lower case. */
  uuidV7(): string
  /** `prefix` followed by 43 letters and digits that hold 256 random bits; for keys (`phc_`, `phx_`). */
  secret(prefix: string): string
  /** `length` random letters and digits; for short ids in addresses, not for secrets. */
  shortId(length: number): string
}

const SECRET_BYTES = 32
const SECRET_LENGTH = 43

/** Ids from the operating system's random source. */
export function createIds(): Ids {
  const timeOrdered = new TimeOrderedUuids()
  return {
    uuidV4: () => randomUUID(),
    uuidV7: () => timeOrdered.next(),
    secret: (prefix) => prefix + toBase62(randomBytes(SECRET_BYTES), SECRET_LENGTH),
    shortId: (length) => toBase62(randomBytes(length), length).slice(-length),
  }
}

const RANDOM_BYTES = 16
const POOL_BYTES = 256 * RANDOM_BYTES

/**
 * UUIDv7 in strictly rising order, also within a millisecond and when the clock is set back. Randomness is asked for by the
 * page: one call of the system for each event was 4 % of capture's CPU.
 */
class TimeOrderedUuids {
  #page = Buffer.alloc(0)
  #used = 0
  #lastMs = 0
  #sequence = 0

  next(): string {
    const random = this.#takeRandom()
    const nowMs = Date.now()
    if (nowMs > this.#lastMs) {
      this.#lastMs = nowMs
      // Begins in the lower half, so that it can rise two thousand million times within the millisecond.
      this.#sequence = random.readUInt32BE(0) >>> 1
    } else this.#sequence++
    return v7({ random, msecs: this.#lastMs, seq: this.#sequence })
  }

  /** 16 bytes that nobody else gets. */
  #takeRandom(): Buffer {
    if (this.#used >= this.#page.length) {
      this.#page = randomBytes(POOL_BYTES)
      this.#used = 0
    }
    this.#used += RANDOM_BYTES
    return this.#page.subarray(this.#used - RANDOM_BYTES, this.#used)
  }
}
