import { jsonTooDeep, jsonTooLarge } from "./faults.js"

/** What a JSON body may hold at most. */
export interface JsonLimits {
  /** Arrays, objects, texts, numbers and words together; names of members do not count. */
  readonly maxValues: number
  /** Levels of arrays and objects. */
  readonly maxDepth: number
  /** Members of one object: whatever lists the names of a larger one holds up everybody else. */
  readonly maxMembers: number
}

/**
 * The limits of every JSON body (`docs/contract/faults.md#deep-and-wide-json`). An event with more members than this
 * would be dropped for its size, and no recorder makes such objects.
 */
export const JSON_LIMITS: JsonLimits = { maxValues: 1_000_000, maxDepth: 100, maxMembers: 200_000 }

/** A comma outside of texts, at which a text can be cut in two. */
export interface JsonCut {
  readonly at: number
  /** The arrays and objects that are open there, outermost first. */
  readonly open: readonly OpenContainer[]
}

/** An array or object that begins before a cut and ends behind it. */
export interface OpenContainer {
  /** The place of its bracket. */
  readonly bracketAt: number
  /** The place of its name, which ends before the bracket; only of what stands in an object. */
  readonly nameAt: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Parsing so much takes a millisecond, and up to forty where every object has names of its own. */
const PIECE_BYTES = 512 * 1024

/**
 * Counts the values and levels of a JSON text without parsing it, and finds where it can be cut into pieces of half a
 * mebibyte. `JSON.parse` takes millions of brackets, and everything that walks the result runs out of stack
 * (`docs/contract/faults.md#deep-and-wide-json`). Of a text that is not JSON the result means nothing; parsing tells.
 * @param bytes UTF-8.
 * @throws AppError payload_too_large, malformed_data above the limits.
 */
export function scanJson(
  bytes: Uint8Array,
  { maxValues, maxDepth, maxMembers }: JsonLimits,
  pieceBytes = PIECE_BYTES,
): readonly JsonCut[] {
  const cuts: JsonCut[] = []
  // By level, as plain numbers: a body may have a million brackets.
  const brackets = new Int32Array(maxDepth)
  const names = new Int32Array(maxDepth)
  const commas = new Int32Array(maxDepth + 1)
  let depth = 0
  let values = 1
  let nameAt = 0
  let cutFrom = pieceBytes
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === QUOTE) {
      nameAt = index
      index = closingQuote(bytes, index)
    } else if (byte === COMMA) {
      if (++values > maxValues) throw jsonTooLarge(`${maxValues} JSON values`)
      const members = (commas[depth] ?? 0) + 1
      commas[depth] = members
      if (members >= maxMembers && bytes[brackets[depth - 1] ?? 0] === OPEN_OBJECT)
        throw jsonTooLarge(`${maxMembers} members in one object`)
      if (index < cutFrom || depth === 0 || !followsValue(bytes, index)) continue
      const open = Array.from({ length: depth }, (_, level) => toOpen(brackets, names, level))
      cuts.push({ at: index, open })
      cutFrom = index + pieceBytes
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth === maxDepth) throw jsonTooDeep(maxDepth)
      brackets[depth] = index
      names[depth++] = nameAt
      commas[depth] = 0
    } else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && depth > 0) {
      // Its first item, if it has one; the others have a comma in front.
      if (brackets[--depth] !== index - 1 && ++values > maxValues) throw jsonTooLarge(`${maxValues} JSON values`)
    }
  }
  return cuts
}

const toOpen = (brackets: Int32Array, names: Int32Array, level: number): OpenContainer => ({
  bracketAt: brackets[level] ?? 0,
  nameAt: names[level] ?? 0,
})

/** The place of the quote that ends a text, or the end of the bytes. */
function closingQuote(bytes: Uint8Array, openingQuote: number): number {
  let index = openingQuote + 1
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index
}

/** Not so where a comma comes right behind a bracket, which no JSON has: a cut would hide it. */
function followsValue(bytes: Uint8Array, comma: number): boolean {
  let before = comma - 1
  while (isJsonSpace(bytes[before])) before--
  return bytes[before] !== OPEN_ARRAY && bytes[before] !== OPEN_OBJECT
}

const isJsonSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
