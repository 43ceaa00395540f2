import type { Json, JsonObject } from "./json.js"
import { jsonUnitsUpTo } from "./json-size.js"
import { yieldToEventLoop } from "./yield-to-event-loop.js"

/** Writing so much takes about a millisecond. */
const MAX_PIECE_UNITS = 128 * 1024
const UNITS_OF_SCALAR = 8

/**
 * `JSON.stringify` for data of any size, with everybody else's turn in between. Answers the text as UTF-8, in pieces.
 * @param value JSON, or what has the form of it.
 */
export async function writeJsonInTurns(value: object): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  let text = ""
  for (const part of partsOf(value as Json)) {
    text += part
    if (text.length < MAX_PIECE_UNITS) continue
    pieces.push(Buffer.from(text))
    text = ""
    await yieldToEventLoop()
  }
  pieces.push(Buffer.from(text))
  return pieces
}

function* partsOf(value: Json): Generator<string> {
  if (unitsOf(value) <= MAX_PIECE_UNITS) yield JSON.stringify(value)
  else if (typeof value === "string") yield* partsOfText(value)
  else if (Array.isArray(value)) yield* partsOfArray(value)
  else yield* partsOfObject(value as JsonObject)
}

const unitsOf = (value: Json): number => jsonUnitsUpTo(value, MAX_PIECE_UNITS, UNITS_OF_SCALAR)

function* partsOfText(text: string): Generator<string> {
  yield '"'
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + MAX_PIECE_UNITS, text.length)
    // The halves of a character are escaped when they stand alone.
    if (isFirstHalf(text.charCodeAt(end - 1))) end++
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
    start = end
  }
  yield '"'
}

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Several small items at a time. */
function* partsOfArray(items: readonly Json[]): Generator<string> {
  yield "["
  let start = 0
  let units = 0
  for (const [index, item] of items.entries()) {
    const itemUnits = unitsOf(item)
    if (units + itemUnits <= MAX_PIECE_UNITS) {
      units += itemUnits
      continue
    }
    yield listOf(items, start, index)
    start = index
    units = itemUnits
    if (itemUnits <= MAX_PIECE_UNITS) continue
    if (index > 0) yield ","
    yield* partsOf(item)
    start = index + 1
    units = 0
  }
  yield listOf(items, start, items.length)
  yield "]"
}

/** The items from `start` to before `end`, with a comma in front unless they are the first. */
function listOf(items: readonly Json[], start: number, end: number): string {
  if (start === end) return ""
  const list = JSON.stringify(items.slice(start, end)).slice(1, -1)
  return start === 0 ? list : `,${list}`
}

function* partsOfObject(object: JsonObject): Generator<string> {
  let opening = "{"
  for (const key in object) {
    const value = object[key]
    if (value === undefined) continue
    yield opening
    yield* partsOf(key)
    yield ":"
    yield* partsOf(value)
    opening = ","
  }
  yield opening === "{" ? "{}" : "}"
}
