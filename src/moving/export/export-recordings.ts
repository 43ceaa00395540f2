import { Readable } from "node:stream"
import { writeCompressedFile } from "../../backup/backup-file.js"
import { isJsonObject, type JsonObject, parseJson } from "../../kernel/json.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Progress } from "../../platform/progress/progress.js"
import { readLines } from "../files/read-lines.js"
import { inflateItem } from "../recordings/inflate-item.js"
import { toFirstItem } from "../recordings/recording-file.js"
import { type ExportedTimes, type FindTable, recordingsSource } from "./exported-rows.js"
import type { ExportedRecording } from "./manifest.js"

/** Sorts larger recordings on disk. */
const SETTINGS = { max_execution_time: 3600, max_threads: 2, max_bytes_before_external_sort: 200_000_000 }

interface Session {
  readonly sessionId: string
  readonly day: string
  readonly startMs: number
  readonly distinctId: string
  readonly source: string
  readonly library: string
  readonly rows: number
  readonly checksum: string
}

/** Where recordings go to. */
export interface RecordingsTarget extends ExportedTimes {
  readonly folder: string
  readonly project: number
  /** What the folder has of an earlier run: sessions that nothing has come to since are not written again. */
  readonly known: readonly ExportedRecording[]
  readonly progress: Progress
  readonly signal: AbortSignal
}

/**
 * Writes what was on the screen, a file for each session that began within the times: lines of JSON with an event of
 * rrweb each, in order of time, with the id of its window and nothing compressed within. Yields each once it is on disk.
 */
export async function* exportRecordings(
  clickHouse: ClickHouse,
  find: FindTable,
  target: RecordingsTarget,
): AsyncGenerator<ExportedRecording> {
  const { folder, project, known, progress, signal } = target
  const sessions = await listSessions(clickHouse, find, target)
  const knownById = new Map(known.map((recording) => [recording.sessionId, recording]))
  for (const [index, session] of sessions.entries()) {
    progress.show(`Project ${project}: recording ${index + 1} of ${sessions.length}`)
    const { sessionId, day, rows, checksum } = session
    const same = knownById.get(sessionId)
    if (same?.checksum === checksum && same.rows === rows) {
      yield same
      continue
    }
    const lines = await clickHouse.stream(
      {
        sql: `SELECT line FROM ${find("session_snapshots")}
          ARRAY JOIN splitByChar('\\n', lines) AS line, arrayEnumerate(splitByChar('\\n', lines)) AS number
          WHERE project_id = {project:Int64} AND session_id = {session:String}
          ORDER BY JSONExtractFloat(line, 2, 'timestamp'), first_timestamp, block_uuid, part, number`,
        parameters: { project, session: sessionId },
        settings: SETTINGS,
        signal,
      },
      "JSONCompactEachRow",
    )
    const path = `project-${project}/recordings/${day}/${sessionId}.jsonl.gz`
    const file = await writeCompressedFile(folder, path, Readable.from(toFileLines(lines, session)))
    yield { project, sessionId, day, rows, checksum, file }
  }
}

function listSessions(
  clickHouse: ClickHouse,
  find: FindTable,
  { project, fromMs, toMs, signal }: RecordingsTarget,
): Promise<Session[]> {
  const from = fromMs === null ? "" : " AND startMs >= {fromMs:Int64}"
  const to = toMs === null ? "" : " AND startMs < {toMs:Int64}"
  return clickHouse.rows<Session>({
    sql: `SELECT r.session_id AS sessionId, toString(toDate(min(r.first_timestamp))) AS day,
        toUnixTimestamp64Milli(min(r.first_timestamp)) AS startMs,
        argMin(r.distinct_id, r.first_timestamp) AS distinctId,
        toString(argMin(r.snapshot_source, r.first_timestamp)) AS source,
        argMin(r.snapshot_library, r.first_timestamp) AS library, sum(r.event_count) AS rows,
        toString(sum(cityHash64(r.first_timestamp, r.last_timestamp, r.event_count, r.size))) AS checksum
      ${recordingsSource(find)} HAVING rows > 0${from}${to} ORDER BY startMs, sessionId`,
    parameters: { project, fromMs, toMs },
    settings: SETTINGS,
    signal,
  })
}

async function* toFileLines(answer: Readable, session: Session): AsyncGenerator<Buffer> {
  const { sessionId, distinctId, source, library, startMs } = session
  yield toLine(toFirstItem({ sessionId, distinctId, source, library }, startMs))
  for await (const { text } of readLines(answer)) {
    const row = parseJson(text)
    const line = Array.isArray(row) ? parseJson(String(row[0])) : null
    const [windowId = "", item = null] = Array.isArray(line) ? line : []
    if (isJsonObject(item)) yield toLine({ ...inflateItem(item), windowId })
  }
}

const toLine = (item: JsonObject): Buffer => Buffer.from(`${JSON.stringify(item)}\n`)
