import type { SnapshotMessage } from "../../../../src/features/recordings/replay/snapshot-message.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"

/** In the far future, because the engine goes by its own clock when it removes what nobody may keep any longer. */
export const NOW_MS = Date.parse("2085-06-01T12:00:00.000Z")
export const SESSION = "0198f0a0-0000-7000-8000-000000000001"

/** Items `offsetMs` after NOW_MS. */
export const click = (offsetMs: number): JsonObject => incremental(offsetMs, { source: 2, type: 2 })
export const key = (offsetMs: number): JsonObject => incremental(offsetMs, { source: 5 })
export const move = (offsetMs: number): JsonObject => incremental(offsetMs, { source: 1 })
export const mutation = (offsetMs: number): JsonObject => incremental(offsetMs, { source: 0 })
export const meta = (offsetMs: number, href: Json): JsonObject => item(offsetMs, 4, { href, width: 1, height: 1 })
export const consoleCall = (offsetMs: number, level: string, ...payload: Json[]): JsonObject =>
  item(offsetMs, 6, { plugin: "rrweb/console@1", payload: { level, payload, trace: [] } })

const item = (offsetMs: number, type: number, data: JsonObject): JsonObject => ({
  type,
  timestamp: NOW_MS + offsetMs,
  data,
})
const incremental = (offsetMs: number, data: JsonObject): JsonObject => item(offsetMs, 3, data)

interface Changes extends Partial<Omit<SnapshotMessage, "properties" | "projectId">> {
  readonly projectId?: number
  readonly properties?: JsonObject
}

/** A message as ingestion hands it on. */
export const message = (
  items: readonly Json[],
  { projectId = 1, properties, ...rest }: Changes = {},
): SnapshotMessage => ({
  position: 0,
  projectId: asProjectId(projectId),
  uuid: "0198f0a0-0000-7000-8000-0000000000ff",
  distinctId: "größe@b.test",
  receivedAtMs: NOW_MS,
  historicalMigration: false,
  ...rest,
  properties: {
    $session_id: SESSION,
    $window_id: "w1",
    $snapshot_source: "web",
    $lib: "web",
    $snapshot_items: [...items],
    ...properties,
  },
})
