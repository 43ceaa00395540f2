import { z } from "zod"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { Progress } from "../../platform/progress/progress.js"
import { toDigest, uuidOfId } from "../events/event-to-send.js"
import type { Ledger } from "../ledger.js"
import { type Counts, count, describeCounts } from "../report.js"
import type { Waymark } from "../wire/waymark.js"
import { nameSession, type RecordedSession, readFirstItem, readItems } from "./recording-file.js"

/** The session that is being sent: what the project shows of it may not be all. */
export const recordingsLedger = z.object({ source: z.string(), begun: z.string().nullable() })
export type RecordingsLedger = z.output<typeof recordingsLedger>

export interface RecordingImport {
  readonly target: Waymark
  readonly ledger: Ledger<RecordingsLedger>
  readonly progress: Progress
}

/** As capture accepts it. */
const SESSION_ID = /^[A-Za-z0-9-]{1,70}$/
/** As recorders bound their requests. */
const MAX_REQUEST_CHARACTERS = 900_000

interface Outcome {
  recordings: number
  items: number
  alreadyThere: number
  readonly leftOut: Counts
}

/**
 * Sends recordings of files to a project, as recorders send them. One that the project shows already is passed over; one
 * that an earlier run did not send to its end is sent again, and the server knows its parts by their uuids.
 * @returns the report. @throws StartupError when the server refuses a request or is away for long.
 */
export async function importRecordings(work: RecordingImport, paths: readonly string[]): Promise<string> {
  const outcome: Outcome = { recordings: 0, items: 0, alreadyThere: 0, leftOut: {} }
  for (const [index, path] of paths.entries()) {
    work.progress.show(`Recording ${index + 1} of ${paths.length}`)
    await importFile(work, path, outcome)
  }
  const { recordings, items, alreadyThere, leftOut } = outcome
  return [
    `${recordings} recordings came over with ${items} items, ${alreadyThere} there before.`,
    ...describeCounts("left out", leftOut),
  ].join("\n")
}

async function importFile(work: RecordingImport, path: string, outcome: Outcome): Promise<void> {
  const { target, ledger } = work
  let session = nameSession(path)
  const request: Item[] = []
  let characters = 0
  let isBegun = false
  for await (const { place, row } of readItems(path)) {
    const named = row === null || isBegun ? null : readFirstItem(row)
    if (named !== null) {
      session = { ...session, ...named }
      continue
    }
    if (!isBegun) {
      const refusal = await findRefusal(work, session)
      if (refusal === "there before") outcome.alreadyThere++
      else if (refusal !== null) count(outcome.leftOut, refusal, place)
      if (refusal !== null) return
      await ledger.keep({ begun: session.sessionId })
      isBegun = true
    }
    const item = row === null ? null : toItem(row, session)
    if (item === null) {
      count(outcome.leftOut, "invalid_item", place)
      continue
    }
    if (characters + item.characters > MAX_REQUEST_CHARACTERS && request.length > 0) {
      await send(target, session, request.splice(0), outcome)
      characters = 0
    }
    request.push(item)
    characters += item.characters
  }
  if (!isBegun) return
  if (request.length > 0) await send(target, session, request, outcome)
  await ledger.keep({ begun: null })
  outcome.recordings++
}

async function findRefusal(
  { target, ledger }: RecordingImport,
  { sessionId }: RecordedSession,
): Promise<string | null> {
  if (!SESSION_ID.test(sessionId)) return "invalid_session_id"
  if (ledger.state.begun === sessionId) return null
  return (await target.hasRecording(sessionId)) ? "there before" : null
}

interface Item {
  readonly windowId: string
  readonly timestampMs: number
  readonly item: JsonObject
  readonly characters: number
}

/** Null for what no player could place. */
function toItem({ windowId, ...item }: JsonObject, { sessionId }: RecordedSession): Item | null {
  const { timestamp } = item
  if (typeof timestamp !== "number" || !(timestamp > 0)) return null
  const window = typeof windowId === "string" && windowId !== "" ? windowId : sessionId
  return { windowId: window, timestampMs: timestamp, item, characters: JSON.stringify(item).length }
}

async function send(
  target: Waymark,
  session: RecordedSession,
  items: readonly Item[],
  outcome: Outcome,
): Promise<void> {
  const windows = [...Map.groupBy(items, ({ windowId }) => windowId).values()]
  const dropped = await target.captureSnapshots(windows.map((some) => toSnapshot(session, some)))
  const place = `session ${session.sessionId}`
  if (dropped === null) count(outcome.leftOut, "too_large", place, items.length)
  else if (dropped > 0) count(outcome.leftOut, "quota_or_rule_of_the_project", place, items.length)
  else outcome.items += items.length
}

/** The event of a window; its uuid says what is in it, so that it is stored once however often it is sent. */
function toSnapshot({ sessionId, distinctId, source, library }: RecordedSession, items: readonly Item[]): JsonObject {
  const [first] = items
  const data: Json[] = items.map(({ item }) => item)
  return {
    uuid: uuidOfId("recording", `${sessionId}:${first?.windowId}:${toDigest(JSON.stringify(data))}`),
    event: "$snapshot",
    distinct_id: distinctId,
    timestamp: new Date(first?.timestampMs ?? 0).toISOString(),
    properties: {
      distinct_id: distinctId,
      $session_id: sessionId,
      $window_id: first?.windowId ?? sessionId,
      $snapshot_source: source,
      $lib: library,
      $snapshot_data: data,
    },
  }
}
