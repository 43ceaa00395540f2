import {
  ANY_JSON,
  BOOLEAN,
  INTEGER,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  TEXT,
  TIME,
  toObjectSchema,
} from "../../../kernel/json-schema.js"
import { anyJson, flag, nullable, text } from "../body-fields.js"
import { defineResource, nested } from "./resource.js"
import { USER } from "./user.js"

const COUNT = { type: ["integer", "null"] }
const FLAG = { type: ["boolean", "null"] }
const SAVED_FILTERS = toObjectSchema({
  count: COUNT,
  has_more: FLAG,
  watched_count: COUNT,
  increased: FLAG,
  last_refreshed_at: NULLABLE_TIME,
})

/** A session recording playlist. */
export const PLAYLIST = defineResource(["Playlist", "SessionRecordingPlaylist"], {
  id: { schema: INTEGER },
  short_id: { schema: TEXT },
  name: { schema: NULLABLE_TEXT, read: nullable(text) },
  derived_name: { schema: NULLABLE_TEXT, read: nullable(text) },
  description: { schema: TEXT, read: text },
  pinned: { schema: BOOLEAN, read: flag },
  created_at: { schema: TIME },
  created_by: nested(USER),
  deleted: { schema: BOOLEAN, read: flag },
  filters: { schema: ANY_JSON, read: anyJson },
  last_modified_at: { schema: TIME },
  last_modified_by: nested(USER),
  recordings_counts: {
    schema: toObjectSchema({
      saved_filters: SAVED_FILTERS,
      collection: toObjectSchema({ count: COUNT, watched_count: INTEGER }),
    }),
  },
})
