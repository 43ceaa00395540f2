import type { LoggedRequest } from "../ingestion.types.js"

const DAMAGED_ROW = "damaged:"

/** Stands in for the requests of a row of the log that cannot be unpacked. */
export const toDamagedRowText = (bytes: Buffer): string => `${DAMAGED_ROW}${bytes.toString("base64")}`

/** Whether a request stands for a row that could not be unpacked. */
export const isDamagedRow = (eventsJson: string): boolean => eventsJson.startsWith(DAMAGED_ROW)

/**
 * JSON text of one event of a request, for the dead letters. An event that nests too deep to be written out again would
 * hold up its shard for ever; its text is cut out of the request instead. `index` is the event's place in the request,
 * from 0.
 */
export function toDeadLetterText(
  event: unknown,
  { eventsJson }: Pick<LoggedRequest, "eventsJson">,
  index: number,
): string {
  try {
    return JSON.stringify(event)
  } catch {
    return cutElement(eventsJson, index)
  }
}

/** Text of an element of an array, found without parsing it. `json` must be an array that has the element. */
function cutElement(json: string, index: number): string {
  let depth = 0
  let place = 0
  let start = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '"') at = findStringEnd(json, at)
    else if (character === "[" || character === "{") {
      depth += 1
      if (depth === 1) start = at + 1
    } else if (character === "]" || character === "}") depth -= 1
    const isEnd = depth === 0 ? character === "]" : depth === 1 && character === ","
    if (!isEnd) continue
    if (place === index) return json.slice(start, at).trim()
    place += 1
    start = at + 1
  }
  return json
}

/** Index of the quote that ends the string which begins at `at`. */
function findStringEnd(json: string, at: number): number {
  let end = at + 1
  while (end < json.length && json[end] !== '"') end += json[end] === "\\" ? 2 : 1
  return end
}
