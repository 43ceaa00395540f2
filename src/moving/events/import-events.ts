import { rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import type { JsonObject } from "../../kernel/json.js"
import type { Progress } from "../../platform/progress/progress.js"
import type { FoundRow } from "../files/found-row.js"
import type { Ledger } from "../ledger.js"
import { count, createReport, type ImportReport, importReport } from "../report.js"
import type { Waymark } from "../wire/waymark.js"
import type { EventToSend, LeftOut } from "./event-to-send.js"
import { BEGINNING, readSorted, type SortedEvent, sortEvents } from "./sorted-events.js"
import { createStoredEvents, type StoredEvents } from "./stored-events.js"

/** How far an import of events is. */
export const eventsLedger = z.object({
  /** What is imported, for whoever looks into the file. */
  source: z.string(),
  /** Of the events API: where it goes on, and how many bytes of the download count. */
  download: z.object({ next: z.string().nullable(), bytes: z.int() }).nullable(),
  /** Up to where the sorted events are sent; null until they are sorted. */
  sent: z.object({ groupAt: z.int(), at: z.int() }).nullable(),
  isFinished: z.boolean(),
  report: importReport,
})
export type EventsLedger = z.output<typeof eventsLedger>

/** The ledger of an import that has not begun. */
export const beginEventsLedger = (source: string): EventsLedger => ({
  source,
  download: null,
  sent: null,
  isFinished: false,
  report: createReport(),
})

export interface EventSource {
  /** All rows of the source, in its order: the same whenever it is read. */
  rows(): AsyncIterable<FoundRow>
  /** Reads a row. */
  read(row: JsonObject): EventToSend | LeftOut
  /** Columns that nothing is known about. */
  findUnknownColumns(row: JsonObject): readonly string[]
}

export interface EventImport {
  readonly source: EventSource
  readonly target: Waymark
  /** Has room for all events of the source. */
  readonly folder: string
  readonly ledger: Ledger<EventsLedger>
  readonly progress: Progress
}

/** Requests as large as these are kept by the server as they were sent. */
const MAX_REQUEST_BYTES = 900_000
const MAX_REQUEST_EVENTS = 2_000
const ROWS_PER_SHOW = 10_000
const MAX_SHOWN_TEXT = 80

/**
 * Brings the events of a source into a project: sorts them by time, because merges of persons come out as in the source
 * only in the order in which they happened, and sends them one request after the other. What it has done is in the
 * ledger; killed at any point and run again, it goes on from there. Events that the project has already are passed over.
 * @throws StartupError when the server refuses them or is away for long.
 */
export async function importEvents(work: EventImport): Promise<ImportReport> {
  const { folder, ledger } = work
  const sorted = join(folder, "events.sorted")
  if (!ledger.state.isFinished) {
    if (ledger.state.sent === null) await sortSource(work, sorted)
    await sendSorted(work, sorted)
    await ledger.keep({ isFinished: true })
    await rm(sorted, { force: true })
  }
  return ledger.state.report
}

async function sortSource({ source, ledger, progress }: EventImport, sorted: string): Promise<void> {
  const report = createReport()
  await sortEvents(readEvents(source, report, progress), sorted)
  await ledger.keep({ sent: BEGINNING, report })
}

async function* readEvents(source: EventSource, report: ImportReport, progress: Progress): AsyncGenerator<EventToSend> {
  for await (const { place, row } of source.rows()) {
    report.read += 1
    if (report.read % ROWS_PER_SHOW === 0) progress.show(`Reading and sorting: ${report.read} rows`)
    if (row === null) {
      count(report.leftOut, "unreadable_row", place)
      continue
    }
    for (const column of source.findUnknownColumns(row)) {
      const value = JSON.stringify(row[column]).slice(0, MAX_SHOWN_TEXT)
      count(report.unknownColumns, column, `${value} in ${place}`)
    }
    const found = source.read(row)
    if ("leftOut" in found) count(report.leftOut, found.leftOut, place)
    else yield found
  }
}

async function sendSorted(work: EventImport, sorted: string): Promise<void> {
  const { target, ledger, progress } = work
  progress.show("Looking for what is there already")
  const stored = await createStoredEvents(target)
  let request: SortedEvent[] = []
  let bytes = 0
  for await (const event of readSorted(sorted, ledger.state.sent ?? BEGINNING)) {
    request.push(event)
    bytes += event.json.length
    if (bytes < MAX_REQUEST_BYTES && request.length < MAX_REQUEST_EVENTS) continue
    await send(work, stored, request)
    request = []
    bytes = 0
  }
  if (request.length > 0) await send(work, stored, request)
}

async function send({ target, ledger, progress }: EventImport, stored: StoredEvents, request: readonly SortedEvent[]) {
  const report = structuredClone(ledger.state.report)
  const last = request.at(-1)
  if (last === undefined) return
  const known = await stored.find(request)
  const fresh = request.filter(({ uuid }) => !known.has(uuid))
  report.alreadyThere += request.length - fresh.length
  if (fresh.length > 0) {
    const dropped = await target.capture(fresh.map(({ json }) => json))
    report.sent += fresh.length - dropped
    if (dropped > 0) count(report.leftOut, "quota_or_rule_of_the_project", `events up to ${last.time}`, dropped)
  }
  await ledger.keep({ sent: last.next, report })
  progress.show(`Sending: ${report.sent + report.alreadyThere} of ${report.read}, up to ${last.time.slice(0, 10)}`)
}
