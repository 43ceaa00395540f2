import {
  ANY_OBJECT,
  BOOLEAN,
  INTEGER,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  NUMBER,
  TEXT,
  TEXT_LIST,
  TIME,
  UUID,
} from "../../../kernel/json-schema.js"
import { defineResource, nested } from "./resource.js"

/** The person of a recording, whom lists of persons show otherwise. */
const RECORDED_PERSON = defineResource(["RecordedPerson", "SessionRecordingPerson"], {
  id: { schema: { type: ["integer", "null"] } },
  name: { schema: NULLABLE_TEXT },
  distinct_ids: { schema: TEXT_LIST },
  properties: { schema: ANY_OBJECT },
  created_at: { schema: NULLABLE_TIME },
  uuid: { schema: UUID },
})

/** A session recording, with the keys of the contract in its order. */
export const RECORDING = defineResource(["SessionRecording", "SessionRecording"], {
  id: { schema: TEXT },
  distinct_id: { schema: TEXT },
  viewed: { schema: BOOLEAN },
  viewers: { schema: TEXT_LIST },
  recording_duration: { schema: NUMBER },
  active_seconds: { schema: NUMBER },
  inactive_seconds: { schema: NUMBER },
  start_time: { schema: TIME },
  end_time: { schema: TIME },
  click_count: { schema: INTEGER },
  keypress_count: { schema: INTEGER },
  mouse_activity_count: { schema: INTEGER },
  console_log_count: { schema: INTEGER },
  console_warn_count: { schema: INTEGER },
  console_error_count: { schema: INTEGER },
  start_url: { schema: NULLABLE_TEXT },
  person: { ...nested(RECORDED_PERSON), schema: RECORDED_PERSON.schema },
  storage: { schema: TEXT },
  snapshot_source: { schema: TEXT },
  ongoing: { schema: BOOLEAN },
  activity_score: { schema: NUMBER },
})
