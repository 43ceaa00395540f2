import type { Json } from "../../../kernel/json.js"
import { unparsable } from "./faults.js"

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** What `checkValue` tells of all numbers in a value together. */
export interface NumbersOfValue {
  readonly hasOnlyFiniteNumbers: boolean
  readonly hasOnlyExactNumbers: boolean
}

const nestsTooDeep = (maxDepth: number) => unparsable(`it nests deeper than ${maxDepth} levels.`)

/**
 * Refuses a parsed value that nests too deep, and tells whether all its numbers are finite (`1e999` is none that JSON could be
 * written with again), and small enough to be what the text said to the last digit. Takes a tenth of the time of a `NestingGuard`, but comes too late for a text that makes millions of
 * arrays. Goes no deeper than allowed.
 * @throws AppError malformed_data.
 */
export function checkValue(value: Json, maxDepth: number): NumbersOfValue {
  const worst = worstIn(value, maxDepth)
  if (worst === TOO_DEEP) throw nestsTooDeep(maxDepth)
  return { hasOnlyFiniteNumbers: worst < INFINITE, hasOnlyExactNumbers: worst === FINE }
}

const FINE = 0
const LARGE = 1
const INFINITE = 2
const TOO_DEEP = 3

/** The worst that is found in a value: `FINE`, `LARGE`, `INFINITE` or `TOO_DEEP`. Texts, which most values are, cost no call. */
function worstIn(value: Json, levels: number): number {
  if (typeof value === "number")
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? FINE : Number.isFinite(value) ? LARGE : INFINITE
  if (typeof value !== "object" || value === null) return FINE
  if (levels === 0) return TOO_DEEP
  let worst = FINE
  if (Array.isArray(value))
    for (let index = 0; index < value.length && worst !== TOO_DEEP; index++) {
      const item = value[index] as Json
      if (typeof item !== "string") worst = Math.max(worst, worstIn(item, levels - 1))
    }
  else
    for (const key in value) {
      const item = value[key] as Json
      if (typeof item !== "string") worst = Math.max(worst, worstIn(item, levels - 1))
      if (worst === TOO_DEEP) break
    }
  return worst
}

/**
 * Counts how deep a JSON text nests without parsing it, chunk by chunk. `JSON.parse` takes five million opening brackets,
 * and everything that walks the result afterwards runs out of stack (`reliability.md` B6).
 */
export class NestingGuard {
  private depth = 0
  private inText = false
  private escaped = false

  constructor(private readonly maxDepth: number) {}

  /** @throws AppError malformed_data as soon as the text nests deeper than allowed. */
  scan(bytes: Uint8Array): void {
    let index = 0
    while (index < bytes.length) index = this.inText ? this.skipText(bytes, index) : this.countBrackets(bytes, index)
  }

  /** Goes on to the byte after the quote that ends the text, or to the end of the chunk. */
  private skipText(bytes: Uint8Array, from: number): number {
    let index = from
    if (this.escaped) {
      this.escaped = false
      index++
    }
    while (index < bytes.length) {
      const byte = bytes[index++]
      if (byte === QUOTE) {
        this.inText = false
        return index
      }
      if (byte === BACKSLASH && ++index > bytes.length) this.escaped = true
    }
    return index
  }

  /** Goes on to the byte after the quote that begins a text, or to the end of the chunk. */
  private countBrackets(bytes: Uint8Array, from: number): number {
    let index = from
    while (index < bytes.length) {
      const byte = bytes[index++] as number
      if (byte === QUOTE) {
        this.inText = true
        return index
      }
      if (byte < OPEN_ARRAY) continue
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.depth++
        if (this.depth > this.maxDepth) throw nestsTooDeep(this.maxDepth)
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.depth--
    }
    return index
  }
}
