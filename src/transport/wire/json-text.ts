import { isUtf8 } from "node:buffer"
import type { Awaitable } from "../../kernel/awaitable.js"
import type { Json } from "../../kernel/json.js"
import { parseJsonInTurns } from "../../kernel/parse-json-in-turns.js"
import { invalidJson, undecodable } from "./faults.js"
import { MAX_CORRECTED_LENGTH, parseLenientJson } from "./lenient-json.js"
import { quoteLongIds, quoteLongIdsWithin } from "./long-ids.js"
import { checkValue, NestingGuard, type NumbersOfValue } from "./nesting.js"
import { joinSurrogates, joinSurrogatesInTurns } from "./surrogates.js"

export interface JsonTextLimits {
  /** Levels of arrays and objects. */
  readonly maxDepth: number
  /** Numbers that JSON has no word for become null and damaged UTF-8 is replaced, as clients of flags rely on. */
  readonly lenientText?: boolean
}

/** A decoded body, and what its text tells of all texts in it without any of them being looked at. */
export interface DecodedText {
  readonly json: Json
  /** The JSON text as UTF-8. */
  readonly bytes: Buffer
  /** Whether anything is written as `\u`. Where nothing is, no text can hold NUL or a lone surrogate. */
  readonly hasUnicodeEscapes: boolean
  /**
   * False where a number is beyond what a double holds, for bodies too large to be looked through, and where an id was written
   * as a number with more digits than a double has, because that is a text in `json`.
   */
  readonly hasOnlyFiniteNumbers: boolean
}

/** However deep a text of this size nests, parsing it takes some milliseconds and some megabytes. */
const MAX_PARSED_AT_ONCE_BYTES = 1024 * 1024
/** UTF-8 has no more for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3
const NOT_LOOKED_THROUGH: NumbersOfValue = { hasOnlyFiniteNumbers: false, hasOnlyExactNumbers: false }

/**
 * Reads a text that should be JSON: at once where it is small, in turns where it is not.
 * @param scanned a guard that has seen these very bytes.
 * @throws AppError malformed_data, or rejects with it.
 */
export function readJsonText(sent: Buffer, limits: JsonTextLimits, scanned?: NestingGuard): Awaitable<DecodedText> {
  if (sent.length > MAX_PARSED_AT_ONCE_BYTES) return readLarge(sent, limits, scanned)
  const { maxDepth, lenientText = false } = limits
  const isWhole = isUtf8(sent)
  const bytes = isWhole ? sent : joinSurrogates(sent)
  if (!lenientText && !isWhole && !isUtf8(bytes)) throw notUtf8()
  return readAtOnce(bytes, lenientText, (parsed) => checkValue(parsed, maxDepth))
}

function readAtOnce(bytes: Buffer, isLenient: boolean, lookThrough: (parsed: Json) => NumbersOfValue): DecodedText {
  const text = bytes.toString()
  const parsed = parseText(text, isLenient)
  const { hasOnlyFiniteNumbers, hasOnlyExactNumbers } = lookThrough(parsed)
  const hasUnicodeEscapes = text.includes("\\u")
  const quoted = hasOnlyExactNumbers ? text : quoteLongIds(text)
  if (quoted === text) return { json: parsed, bytes, hasUnicodeEscapes, hasOnlyFiniteNumbers }
  return { json: parseText(quoted, isLenient), bytes, hasUnicodeEscapes, hasOnlyFiniteNumbers: false }
}

const notUtf8 = () => undecodable("it is not valid UTF-8.")

function parseText(text: string, isLenient: boolean): Json {
  try {
    return isLenient ? parseLenientJson(text) : (JSON.parse(text) as Json)
  } catch {
    throw invalidJson()
  }
}

/** Counts brackets before it parses anything, unless `scanned` has. */
async function readLarge(
  sent: Buffer,
  { maxDepth, lenientText = false }: JsonTextLimits,
  scanned?: NestingGuard,
): Promise<DecodedText> {
  const guard = scanned ?? (await scanInTurns(sent, maxDepth))
  if (isUtf8(sent)) return parseLarge(sent, guard, lenientText)
  const bytes = await joinSurrogatesInTurns(sent)
  if (!lenientText && !isUtf8(bytes)) throw notUtf8()
  return parseLarge(bytes, bytes === sent ? guard : await scanInTurns(bytes, maxDepth), lenientText)
}

async function scanInTurns(bytes: Buffer, maxDepth: number): Promise<NestingGuard> {
  const guard = new NestingGuard(maxDepth)
  await guard.scanInTurns(bytes)
  return guard
}

/** @throws AppError malformed_data. */
async function parseLarge(bytes: Buffer, guard: NestingGuard, isLenient: boolean): Promise<DecodedText> {
  let hasUnicodeEscapes = false
  try {
    const json = await parseJsonInTurns(bytes, guard.runs(), (text, { openers }) => {
      const parsed = JSON.parse(text) as Json
      hasUnicodeEscapes ||= text.includes("\\u")
      const quoted = quoteLongIdsWithin(text, bytes, openers)
      return quoted === text ? parsed : (JSON.parse(quoted) as Json)
    })
    return { json, bytes, hasUnicodeEscapes, hasOnlyFiniteNumbers: false }
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) throw fault
    // Numbers may be what is wrong with it: they are corrected in a text of this length, which is parsed whole.
    if (!isLenient || bytes.length > MAX_BYTES_PER_UNIT * MAX_CORRECTED_LENGTH) throw invalidJson()
    return readAtOnce(bytes, isLenient, () => NOT_LOOKED_THROUGH)
  }
}
