import type { Json } from "../../../kernel/json.js"
import type { JsonSchema } from "../../../kernel/json-schema.js"
import {
  ANY_OBJECT,
  BOOLEAN,
  INTEGER,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  objectOf,
  TEXT,
  TIME,
} from "../../../kernel/json-schema.js"
import { toEnvelope } from "../paging-links.js"
import { readWindow } from "../read-query.js"
import type { RestRequest } from "../rest-route.types.js"
import { envelopeOf } from "../schemas.js"

/** Recordings are heavier than other items, so a page has fewer (`decisions.md`, "Paging"). */
const DEFAULT_LIMIT = 50

/** `limit` and `offset` of a list of recordings, as `readWindow`. */
export const readRecordingWindow = (query: URLSearchParams) => readWindow(query, DEFAULT_LIMIT)

/** A recording as the operations answer it. */
export interface RecordingData {
  readonly id: string
  readonly distinctId: string
  readonly viewed: boolean
  readonly viewers: readonly string[]
  readonly recordingDuration: number
  readonly activeSeconds: number
  readonly inactiveSeconds: number
  readonly startTime: string
  readonly endTime: string
  readonly clickCount: number
  readonly keypressCount: number
  readonly mouseActivityCount: number
  readonly consoleLogCount: number
  readonly consoleWarnCount: number
  readonly consoleErrorCount: number
  readonly startUrl: string | null
  readonly person: {
    readonly id: number | null
    readonly name: string | null
    readonly distinctIds: readonly string[]
    readonly properties: Json
    readonly createdAt: string | null
    readonly uuid: string
  }
  readonly storage: string
  readonly snapshotSource: string
  readonly ongoing: boolean
  readonly activityScore: number
}

/** A page of recordings as the operations answer it. */
export interface RecordingPage {
  readonly totalCount: number
  readonly nodes: readonly RecordingData[]
  readonly pageInfo: { readonly hasNextPage: boolean }
}

/** GraphQL fields of `RecordingData`. */
export const RECORDING_FIELDS = `id distinctId viewed viewers recordingDuration activeSeconds inactiveSeconds startTime endTime
  clickCount keypressCount mouseActivityCount consoleLogCount consoleWarnCount consoleErrorCount startUrl
  person { id name distinctIds properties createdAt uuid } storage snapshotSource ongoing activityScore`

/** GraphQL fields of `RecordingPage`. */
export const RECORDING_PAGE_FIELDS = `totalCount nodes { ${RECORDING_FIELDS} } pageInfo { hasNextPage }`

/** A recording with the keys of the contract, in its order. */
export const toWireRecording = (recording: RecordingData) => ({
  id: recording.id,
  distinct_id: recording.distinctId,
  viewed: recording.viewed,
  viewers: recording.viewers,
  recording_duration: recording.recordingDuration,
  active_seconds: recording.activeSeconds,
  inactive_seconds: recording.inactiveSeconds,
  start_time: recording.startTime,
  end_time: recording.endTime,
  click_count: recording.clickCount,
  keypress_count: recording.keypressCount,
  mouse_activity_count: recording.mouseActivityCount,
  console_log_count: recording.consoleLogCount,
  console_warn_count: recording.consoleWarnCount,
  console_error_count: recording.consoleErrorCount,
  start_url: recording.startUrl,
  person: {
    id: recording.person.id,
    name: recording.person.name,
    distinct_ids: recording.person.distinctIds,
    properties: recording.person.properties,
    created_at: recording.person.createdAt,
    uuid: recording.person.uuid,
  },
  storage: recording.storage,
  snapshot_source: recording.snapshotSource,
  ongoing: recording.ongoing,
  activity_score: recording.activityScore,
})

/** The envelope of a list of recordings, which also says `has_next` as some clients ask (`decisions.md`, "Recordings list"). */
export const toRecordingEnvelope = (request: RestRequest, { totalCount, nodes, pageInfo }: RecordingPage) => ({
  ...toEnvelope(request, readRecordingWindow(request.query), totalCount, nodes.map(toWireRecording)),
  has_next: pageInfo.hasNextPage,
})

const NUMBER: JsonSchema = { type: "number" }

/** JSON Schema of a recording. */
export const RECORDING = objectOf({
  id: TEXT,
  distinct_id: TEXT,
  viewed: BOOLEAN,
  viewers: { type: "array", items: TEXT },
  recording_duration: NUMBER,
  active_seconds: NUMBER,
  inactive_seconds: NUMBER,
  start_time: TIME,
  end_time: TIME,
  click_count: INTEGER,
  keypress_count: INTEGER,
  mouse_activity_count: INTEGER,
  console_log_count: INTEGER,
  console_warn_count: INTEGER,
  console_error_count: INTEGER,
  start_url: NULLABLE_TEXT,
  person: objectOf({
    id: { type: ["integer", "null"] },
    name: NULLABLE_TEXT,
    distinct_ids: { type: "array", items: TEXT },
    properties: ANY_OBJECT,
    created_at: NULLABLE_TIME,
    uuid: { type: "string", format: "uuid" },
  }),
  storage: TEXT,
  snapshot_source: TEXT,
  ongoing: BOOLEAN,
  activity_score: NUMBER,
})

const ENVELOPE = envelopeOf(RECORDING)

/** JSON Schema of a list of recordings. */
export const RECORDING_LIST: JsonSchema = {
  ...ENVELOPE,
  properties: { ...(ENVELOPE.properties as object), has_next: BOOLEAN },
}
