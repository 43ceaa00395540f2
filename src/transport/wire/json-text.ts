import { isUtf8 } from "node:buffer"
import type { Awaitable } from "../../kernel/awaitable.js"
import type { DecodedText } from "../../kernel/direct-route.types.js"
import { type Json, parseJson } from "../../kernel/json.js"
import { yieldToEventLoop } from "../../kernel/yield-to-event-loop.js"
import { checkValue } from "./check-value.js"
import { invalidJson, undecodable } from "./faults.js"
import { parseLenientJson } from "./lenient-json.js"
import { quoteLongIds } from "./long-ids.js"
import { parseInPieces } from "./parse-in-pieces.js"
import type { HoldBytes } from "./read-body.js"
import { JSON_LIMITS, scanJson } from "./scan-json.js"
import { joinSurrogates } from "./surrogates.js"

/** Parsing so much takes some milliseconds and some megabytes, whatever it is; it cannot hold too many values. */
const MAX_PARSED_AT_ONCE_BYTES = 1024 * 1024
/** What parsing makes of a byte of JSON, in bytes; ordinary events take less, lists of empty objects more. */
const PARSED_PER_BYTE = 2

/**
 * Reads a text that should be JSON: at once where it is small, yielding to the event loop where it is not.
 * @param isLenient numbers that JSON has no word for become null and damaged UTF-8 is replaced, as clients of flags rely on;
 * their bodies are small.
 * @throws AppError malformed_data, payload_too_large, overloaded, or rejects with it.
 */
export function readJsonText(sent: Buffer, isLenient: boolean, hold: HoldBytes): Awaitable<DecodedText> {
  const isWhole = isUtf8(sent)
  const bytes = isWhole ? sent : joinSurrogates(sent)
  if (!isLenient && !isWhole && !isUtf8(bytes)) throw undecodable("it is not valid UTF-8.")
  hold(PARSED_PER_BYTE * bytes.length)
  return bytes.length > MAX_PARSED_AT_ONCE_BYTES ? readLarge(bytes) : readAtOnce(bytes, isLenient)
}

/** @throws AppError malformed_data. */
function readAtOnce(bytes: Buffer, isLenient: boolean): DecodedText {
  const text = bytes.toString()
  const json = parse(text, isLenient)
  const { hasOnlyFiniteNumbers, hasOnlyExactNumbers } = checkValue(json, JSON_LIMITS.maxDepth)
  const hasUnicodeEscapes = text.includes("\\u")
  const quoted = hasOnlyExactNumbers ? text : quoteLongIds(text)
  if (quoted === text) return { json, bytes, hasUnicodeEscapes, hasOnlyFiniteNumbers }
  return { json: parse(quoted, isLenient), bytes, hasUnicodeEscapes, hasOnlyFiniteNumbers: false }
}

function parse(text: string, isLenient: boolean): Json {
  try {
    return isLenient ? parseLenientJson(text) : parseJson(text)
  } catch {
    throw invalidJson()
  }
}

/** Rejects with AppError malformed_data, payload_too_large. */
async function readLarge(bytes: Buffer): Promise<DecodedText> {
  await yieldToEventLoop()
  const cuts = scanJson(bytes, JSON_LIMITS)
  await yieldToEventLoop()
  try {
    const json = await parseInPieces(bytes, cuts, parseExactly)
    return { json, bytes, hasUnicodeEscapes: bytes.includes("\\u"), hasOnlyFiniteNumbers: false }
  } catch (fault) {
    throw fault instanceof SyntaxError ? invalidJson() : fault
  }
}

function parseExactly(text: string): Json {
  const json = parseJson(text)
  const quoted = quoteLongIds(text)
  return quoted === text ? json : parseJson(quoted)
}
