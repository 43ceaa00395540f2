import type { Json } from "../../kernel/json.js"
import { JsonOutline, type JsonRun } from "../../kernel/json-outline.js"
import { yieldToEventLoop } from "../../kernel/yield-to-event-loop.js"
import { unparsable } from "./faults.js"

/** Looking for brackets in so much takes two milliseconds. */
const BYTES_PER_YIELD = 1024 * 1024

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
 * An outline of a JSON text that refuses what nests too deep, before any of it is parsed.
 */
export class NestingGuard {
  private readonly outline: JsonOutline

  constructor(private readonly maxDepth: number) {
    this.outline = new JsonOutline(maxDepth)
  }

  /** @throws AppError malformed_data as soon as the text nests deeper than allowed. */
  scan(bytes: Uint8Array): void {
    if (!this.outline.scan(bytes)) throw nestsTooDeep(this.maxDepth)
  }

  /** `scan`, with everybody else's turn in between. Rejects as that throws. */
  async scanInTurns(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += BYTES_PER_YIELD) {
      this.scan(bytes.subarray(start, start + BYTES_PER_YIELD))
      await yieldToEventLoop()
    }
  }

  /** The text as runs, when all of it was scanned. */
  runs(): readonly JsonRun[] {
    return this.outline.finish()
  }
}
