import { isObject } from "../../pictures/is-object"
import type { RecordedItem } from "./recorded-item"

/** What an entry of the timeline is of. */
export type EntryKind = "event" | "console" | "network" | "page"

/** Something that happened in a session. */
export interface Entry {
  readonly key: string
  readonly kind: EntryKind
  /** Milliseconds since the beginning of what is played. */
  readonly offsetMs: number
  readonly title: string
  readonly isError: boolean
}

interface SessionEvent {
  readonly id: string
  readonly event: string
  readonly timestamp: string
}

const META = 4
const PLUGIN = 6
const CONSOLE = "rrweb/console@1"
const NETWORK = "rrweb/network@1"

/** All that happened, events of the session with console, requests and pages of the recording, in the order of time. */
export function toTimeline(items: readonly RecordedItem[], events: readonly SessionEvent[], startMs: number): Entry[] {
  const recorded = items.flatMap((item, index) =>
    readEntries(item).map((entry, part) => ({ ...entry, key: `${index}.${part}` })),
  )
  const sent = events.map(({ id, event, timestamp }) => ({
    key: id,
    kind: "event" as const,
    offsetMs: Date.parse(timestamp),
    title: event,
    isError: event === "$exception",
  }))
  return [...recorded, ...sent]
    .map((entry) => ({ ...entry, offsetMs: Math.max(0, entry.offsetMs - startMs) }))
    .sort((a, b) => a.offsetMs - b.offsetMs)
}

/** What an item tells besides pictures; `offsetMs` is still the time itself. */
function readEntries({ type, timestamp, data }: RecordedItem): Omit<Entry, "key">[] {
  if (!isObject(data)) return []
  if (type === META) return [{ kind: "page", offsetMs: timestamp, title: String(data.href), isError: false }]
  if (type !== PLUGIN || !isObject(data.payload)) return []
  const { level, payload, requests } = data.payload
  if (data.plugin === CONSOLE) {
    const title = Array.isArray(payload) ? payload.map(toText).join(" ") : String(payload)
    return [{ kind: "console", offsetMs: timestamp, title, isError: level === "error" || level === "assert" }]
  }
  if (data.plugin !== NETWORK || !Array.isArray(requests)) return []
  return requests.filter(isObject).map((request) => {
    const status = Number(request.responseStatus ?? request.status ?? 0)
    const title = [request.method ?? "GET", request.name, status || ""].join(" ").trim()
    const at = Number(request.timestamp ?? timestamp)
    return { kind: "network", offsetMs: Number.isFinite(at) ? at : timestamp, title, isError: status >= 400 }
  })
}

/** A recorded argument of the console, which the recorder wrote as JSON. */
function toText(argument: unknown): string {
  const text = typeof argument === "string" ? argument : JSON.stringify(argument)
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text
}
