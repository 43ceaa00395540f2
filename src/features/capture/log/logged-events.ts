import type { DecodedText } from "../../../kernel/direct-route.types.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"
import type { AcceptedEvent, IngestBatch } from "../capture.types.js"
import { listItems } from "../envelope.js"
import type { LoggedList } from "./logged-requests.js"

/**
 * What a row of the ingest log holds when capture changed nothing in the events of a request: the text that was sent, and beside
 * it for each event what it did not bring along. Any other row is the JSON array of its events.
 */
interface LoggedAsSent {
  readonly sent: Json
  readonly added: readonly AddedToEvent[]
}

/** The uuid; with both times where the event's own `timestamp` is not what they are. */
type AddedToEvent = string | readonly [uuid: string, timestamp: string, clientTimestamp: string | null]

/** How ingestion puts back a list of events that were dead letters; no client can make a text that begins so. */
const BEFORE_RETRIED = '{"retried":'
const BEFORE_SENT = Buffer.from('{"sent":')

/** A body may be white space for the most part, and ingestion holds rows unpacked. Clients that send a thousand events stay below. */
const MAX_SENT_BYTES = 1024 * 1024

/** UTF-16 units; parsing so much takes a few milliseconds. */
const MIN_LIST_LENGTH = 512 * 1024

/**
 * The text of a request, when it stands for its events as well as they would themselves: every item was kept, and nothing but
 * uuid and times was added. Numbers that JSON has no word for become null by being written out, so they must be.
 */
export function findTextToLog(
  events: readonly AcceptedEvent[],
  { text, items }: { readonly text?: DecodedText; readonly items: readonly Json[] },
): DecodedText | undefined {
  if (text === undefined || !text.hasOnlyFiniteNumbers || text.bytes.length > MAX_SENT_BYTES) return undefined
  if (events.length !== items.length) return undefined
  return events.every((event, index) => standsAsSent(event, items[index])) ? text : undefined
}

const standsAsSent = ({ event, distinctId, properties, place }: AcceptedEvent, item: Json | undefined): boolean =>
  isJsonObject(item) &&
  place === undefined &&
  properties === item.properties &&
  event === item.event &&
  distinctId === item.distinct_id

/** JSON of the events as the log keeps them, in pieces; writing events out again takes two thirds as long as parsing them. */
export function toLoggedText({ events, sent }: Pick<IngestBatch, "events" | "sent">): Buffer[] {
  if (sent === undefined) return [Buffer.from(JSON.stringify(events))]
  const items = listItems(sent.json)
  let added = ""
  for (const [index, event] of events.entries()) added += `${index === 0 ? "" : ","}${addedTo(event, items[index])}`
  return [BEFORE_SENT, sent.bytes, Buffer.from(`,"added":[${added}]}`)]
}

/**
 * As `toLoggedText` for the events of a large request: several lists of half a mebibyte, because ingestion parses each list
 * in one go. Yields to the event loop between them.
 */
export async function toLoggedLists(events: readonly AcceptedEvent[]) {
  const text: Buffer[] = []
  const lists: LoggedList[] = []
  let list: string[] = []
  let length = 0
  for (const [index, event] of events.entries()) {
    const json = JSON.stringify(event)
    list.push(json)
    length += json.length
    if (length < MIN_LIST_LENGTH && index < events.length - 1) continue
    const bytes = Buffer.from(`[${list.join(",")}]`)
    text.push(bytes)
    lists.push({ eventCount: list.length, textBytes: bytes.length })
    list = []
    length = 0
    await yieldToEventLoop()
  }
  return { text, lists, textBytes: lists.reduce((sum, { textBytes }) => sum + textBytes, 0) }
}

/**
 * Reads what `toLoggedText` wrote: events as they were accepted, or whatever else stands in an array.
 * @throws SyntaxError for what is no JSON; TypeError for what has neither of the two forms.
 */
export function readLoggedText(text: string): unknown[] {
  const logged = JSON.parse(text) as unknown
  if (Array.isArray(logged)) return logged
  if (isRetriedText(text) && isJsonObject(logged) && Array.isArray(logged.retried)) return logged.retried
  if (!isLoggedAsSent(logged)) throw new TypeError("the logged request is not a list of events")
  return listItems(logged.sent).map((item, index) => toEvent(item as JsonObject, logged.added[index] as AddedToEvent))
}

/** Whether the text is that of an event that was put back into the log after it could not be stored. */
export const isRetriedText = (text: string): boolean => text.startsWith(BEFORE_RETRIED)

const isLoggedAsSent = (logged: unknown): logged is LoggedAsSent =>
  isJsonObject(logged) && logged.sent !== undefined && Array.isArray(logged.added)

/** JSON of an `AddedToEvent`; nothing in a uuid or a time has to be escaped. */
const addedTo = ({ uuid, timestamp, clientTimestamp }: AcceptedEvent, item: Json | undefined): string =>
  isJsonObject(item) && timestamp === item.timestamp && clientTimestamp === timestamp
    ? `"${uuid}"`
    : `["${uuid}","${timestamp}",${clientTimestamp === null ? "null" : `"${clientTimestamp}"`}]`

function toEvent({ event, distinct_id, properties, timestamp: sentAs }: JsonObject, added: AddedToEvent): JsonObject {
  const [uuid, timestamp, clientTimestamp] = typeof added === "string" ? [added, sentAs, sentAs] : added
  return { uuid, event, distinctId: distinct_id, properties, timestamp, clientTimestamp } as JsonObject
}
