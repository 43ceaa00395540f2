import { randomBytes, randomUUID } from "node:crypto"
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
  /** `length` random bytes; for keys that never leave the server. */
  bytes(length: number): Buffer
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
    bytes: (length) => randomBytes(length),
  }
}

const RANDOM_DIGITS = 12
const PAGE_BYTES = (512 * RANDOM_DIGITS) / 2
const MAX_COUNTER = 2 ** 26 - 1
const LAST_DIGITS = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, "0"))
const LAST_DIGITS_BITS = 8

/**
 * UUIDv7 in strictly rising order, also within a millisecond and when the clock is set back (RFC 9562 section 6.2 method 1:
 * a counter of 26 bits behind the time). Randomness is asked for by the page, and texts are put together from hexadecimal
 * pieces: one call of the system and sixteen bytes to write for each event were 6 % of capture's CPU.
 */
class TimeOrderedUuids {
  #page = ""
  #used = 0
  #lastMs = 0
  #timeText = ""
  #counter = 0
  /** Everything before the last two digits of the counter, and what of it was counter. */
  #start = ""
  #startCounter = -1

  next(): string {
    const nowMs = Date.now()
    if (nowMs > this.#lastMs || this.#counter === MAX_COUNTER) {
      this.#lastMs = Math.max(nowMs, this.#lastMs + 1)
      const digits = this.#lastMs.toString(16).padStart(12, "0")
      this.#timeText = `${digits.slice(0, 8)}-${digits.slice(8)}`
      // Begins in the lower half, so that it can rise millions of times within the millisecond.
      this.#counter = Number.parseInt(this.#takeRandom().slice(0, 6), 16)
      this.#startCounter = -1
    } else this.#counter++
    const startCounter = this.#counter >>> LAST_DIGITS_BITS
    if (startCounter !== this.#startCounter) this.#beginWith(startCounter)
    return `${this.#start}${LAST_DIGITS[this.#counter & 0xff]}-${this.#takeRandom()}`
  }

  #beginWith(startCounter: number): void {
    const upper = (0x7000 | (startCounter >>> 6)).toString(16)
    const lower = (0x80 | (startCounter & 0x3f)).toString(16)
    this.#start = `${this.#timeText}-${upper}-${lower}`
    this.#startCounter = startCounter
  }

  /** Twelve hexadecimal digits that nobody else gets. */
  #takeRandom(): string {
    if (this.#used >= this.#page.length) {
      this.#page = randomBytes(PAGE_BYTES).toString("hex")
      this.#used = 0
    }
    this.#used += RANDOM_DIGITS
    return this.#page.slice(this.#used - RANDOM_DIGITS, this.#used)
  }
}
