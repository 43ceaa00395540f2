import { jsonUnitsUpTo } from "../../../kernel/json-size.js"
import { writeJsonInTurns } from "../../../kernel/write-json-in-turns.js"
import type { AcceptedEvent } from "../capture.types.js"
import type { LoggedList, RequestToLog } from "./logged-requests.js"

/** Parsing so much takes a few milliseconds. */
const MAX_LIST_UNITS = 512 * 1024
/** Of an event without its properties. */
const UNITS_OF_EVENT = 250
const UNITS_OF_SCALAR = 8

/**
 * JSON of the events of a large request as the log keeps them, with everybody else's turn in between: as several lists, because
 * ingestion parses each list in one go.
 */
export async function writeLargeBatch(
  events: readonly AcceptedEvent[],
): Promise<Pick<RequestToLog, "text" | "textBytes" | "lists">> {
  const text: Buffer[] = []
  const lists: LoggedList[] = []
  for (const list of cutIntoLists(events)) {
    const pieces = await writeJsonInTurns(list)
    text.push(...pieces)
    lists.push({ eventCount: list.length, textBytes: pieces.reduce((sum, { length }) => sum + length, 0) })
  }
  return { text, textBytes: lists.reduce((sum, { textBytes }) => sum + textBytes, 0), lists }
}

function* cutIntoLists(events: readonly AcceptedEvent[]): Generator<readonly AcceptedEvent[]> {
  let start = 0
  let units = 0
  for (const [index, { properties }] of events.entries()) {
    const unitsOfEvent = UNITS_OF_EVENT + jsonUnitsUpTo(properties, MAX_LIST_UNITS, UNITS_OF_SCALAR)
    if (units + unitsOfEvent > MAX_LIST_UNITS && index > start) {
      yield events.slice(start, index)
      start = index
      units = 0
    }
    units += unitsOfEvent
  }
  yield events.slice(start)
}
