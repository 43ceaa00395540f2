import { createReadStream } from "node:fs"
import { readLines } from "../files/read-lines.js"
import { sortIntoFile } from "../files/sort-file.js"
import { type EventToSend, toDigest, uuidOfContent } from "./event-to-send.js"

/** An event of the sorted file. */
export interface SortedEvent {
  readonly uuid: string
  /** ISO 8601 in UTC. */
  readonly time: string
  /** The event as capture takes it, with its uuid. */
  readonly json: string
  /** Where the file goes on behind it. */
  readonly next: PlaceInFile
}

/** A place in the sorted file. */
export interface PlaceInFile {
  /** Where the first event is that has the same time: equal ones are told apart by their order from there. */
  readonly groupAt: number
  readonly at: number
}

export const BEGINNING: PlaceInFile = { groupAt: 0, at: 0 }

const NO_UUID = "-"
const PLACE_DIGITS = 12

/** Sorts events by time into a file, persons first; those of the same time stay in the order of the source. */
export function sortEvents(events: AsyncIterable<EventToSend>, path: string): Promise<void> {
  return sortIntoFile(toLines(events), path)
}

async function* toLines(events: AsyncIterable<EventToSend>): AsyncGenerator<string> {
  let place = 0
  for await (const { uuid, isOfPerson, time, item } of events) {
    const order = `${isOfPerson ? 0 : 1}${time}\t${String(place++).padStart(PLACE_DIGITS, "0")}`
    yield `${order}\t${uuid ?? NO_UUID}\t${JSON.stringify(item)}`
  }
}

/** The events of a sorted file from a place that an event before said. */
export async function* readSorted(path: string, from: PlaceInFile): AsyncGenerator<SortedEvent> {
  let group = ""
  let groupAt = from.groupAt
  let at = from.groupAt
  const occurrences = new Map<string, number>()
  for await (const { text, nextAt } of readLines(createReadStream(path, { start: from.groupAt }))) {
    const [order = "", , given = NO_UUID, ...rest] = text.split("\t")
    if (order !== group) {
      group = order
      groupAt = at
      occurrences.clear()
    }
    at = from.groupAt + nextAt
    const json = rest.join("\t")
    const uuid = given === NO_UUID ? countedUuid(json, occurrences) : given
    // Seen again for what comes before it alone.
    if (at <= from.at) continue
    yield { uuid, time: order.slice(1), json: `{"uuid":"${uuid}",${json.slice(1)}`, next: { groupAt, at } }
  }
}

function countedUuid(json: string, occurrences: Map<string, number>): string {
  const digest = toDigest(json)
  const occurrence = occurrences.get(digest) ?? 0
  occurrences.set(digest, occurrence + 1)
  return uuidOfContent(digest, occurrence)
}
