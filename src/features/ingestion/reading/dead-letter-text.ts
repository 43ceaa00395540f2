import type { LoggedRequest } from "../ingestion.types.js"

/**
 * JSON text of one event of a request, for the dead letters. An event that nests too deep to be written out again would
 * hold up its shard for ever; its text is cut out of the request instead. `index` is the event's place in the request,
 * from 0.
 */
export function deadLetterText(
  event: unknown,
  { eventsJson }: Pick<LoggedRequest, "eventsJson">,
  index: number,
): string {
  try {
    return JSON.stringify(event)
  } catch {
    return elementOf(eventsJson, index)
  }
}

/** Text of an element of an array, found without parsing it; `json` must be the text of an array that has it. */
function elementOf(json: string, index: number): string {
  let depth = 0
  let place = 0
  let start = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '"') at = endOfText(json, at)
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

/** Place of the quote that ends the text which begins at `at`. */
function endOfText(json: string, at: number): number {
  let end = at + 1
  while (end < json.length && json[end] !== '"') end += json[end] === "\\" ? 2 : 1
  return end
}
