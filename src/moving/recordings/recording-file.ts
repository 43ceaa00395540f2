import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../kernel/json.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import type { FoundRow } from "../files/found-row.js"
import { readRows } from "../files/read-rows.js"

/** Whose recording it is, and what recorded it. */
export interface RecordedSession {
  readonly sessionId: string
  readonly distinctId: string
  /** `web` or `mobile`. */
  readonly source: string
  readonly library: string
}

/** Name of the custom event of rrweb that a file begins with: players pass over those that they do not know. */
const TAG = "recorded_session"
const CUSTOM = 5

/** The first line of a file of a recording. */
export const toFirstItem = (session: RecordedSession, startMs: number): JsonObject => ({
  type: CUSTOM,
  timestamp: startMs,
  data: { tag: TAG, payload: { ...session } },
})

/** The session that a first line names; null for any other item. */
export function readFirstItem({ type, data = null }: JsonObject): Partial<RecordedSession> | null {
  if (type !== CUSTOM || !isJsonObject(data) || data.tag !== TAG || !isJsonObject(data.payload)) return null
  const given = Object.entries(data.payload).filter(([, value]) => typeof value === "string" && value !== "")
  return Object.fromEntries(given)
}

/** Who is recorded in a file that does not say so: the session of its name, of a visitor who is nobody else. */
export function nameSession(path: string): RecordedSession {
  const sessionId = basename(path).split(".", 1)[0] ?? ""
  return { sessionId, distinctId: sessionId, source: "web", library: "web" }
}

/**
 * The items of a recording, events of rrweb each with its `windowId`: lines of a file as an export writes it, or of a
 * name that ends in `.json` those of the file that PostHog's player exports.
 * @throws StartupError for a file `.json` that is none.
 */
export const readItems = (path: string): AsyncIterable<FoundRow> =>
  path.toLowerCase().endsWith(".json") ? readExportOfPlayer(path) : readRows(path)

async function* readExportOfPlayer(path: string): AsyncGenerator<FoundRow> {
  const name = basename(path)
  const content = readJson(await readFile(path, "utf8"))
  const data = isJsonObject(content) && isJsonObject(content.data) ? content.data : {}
  const { id = "", person = null, snapshots } = data
  if (!Array.isArray(snapshots)) throw new StartupError(`${path} is no recording: it has no list data.snapshots.`)
  const [distinctId = ""] = isJsonObject(person) && Array.isArray(person.distinct_ids) ? person.distinct_ids : []
  const session = { ...nameSession(path), sessionId: String(id), distinctId: String(distinctId || id) }
  yield { place: name, row: toFirstItem(session, 0) }
  for (const [index, item] of snapshots.entries())
    yield { place: `${name} snapshot ${index + 1}`, row: isJsonObject(item) ? item : null }
}

function readJson(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
