import { AppError } from "../../../kernel/errors.js"
import { INTEGER, TEXT } from "../../../kernel/json-schema.js"
import { asInput, defineBody, nullable, text } from "../body-fields.js"
import { defineRoutes } from "../define-route.js"
import { defineQuery, joinQueries, type QueryShape } from "../query-parameters.js"
import { readInteger, readText, readTime } from "../read-query.js"
import { PLAYLIST } from "../resources/playlist.js"
import type { RestRoute } from "../rest-route.types.js"
import { PLAYLISTS } from "./collections.js"

const ORDERS = [
  "id",
  "short_id",
  "name",
  "derived_name",
  "description",
  "pinned",
  "created_at",
  "created_by",
  "last_modified_at",
  "last_modified_by",
]
const TYPES = ["collection", "filters"]

/** `order=name`, or `order=-name` for descending. */
function readOrder(query: URLSearchParams): { orderBy?: string; descending?: boolean } {
  const order = readText(query, "order")
  if (order === undefined) return {}
  const field = order.replace(/^-/, "")
  if (!ORDERS.includes(field))
    throw new AppError("invalid_choice", { attr: "order", detail: `Order by one of: ${ORDERS.join(", ")}.` })
  return { orderBy: field.toUpperCase(), descending: order.startsWith("-") }
}

/** `type` as GraphQL writes it. @throws AppError invalid_input in the words that clients know. */
function readType(type: string | undefined): string | undefined {
  if (type === undefined || TYPES.includes(type)) return type?.toUpperCase()
  throw new AppError("invalid_input", { detail: "Must provide a valid playlist type: either filters or collection" })
}

const isGiven = (query: URLSearchParams, name: string): true | undefined => query.has(name) || undefined

const FILTERS = defineQuery(
  {
    created_by: { description: "Id of the user who created it.", schema: INTEGER, read: readInteger },
    short_id: { description: "Exact short id." },
    user: { description: "Any value: only the caller's own.", as: "mine", read: isGiven },
    pinned: { description: "Any value: only pinned ones.", read: isGiven },
    type: { description: "collection or filters.", read: (query) => readType(readText(query, "type")) },
    search: { description: "Part of name or derived name, any case." },
    date_from: {
      description: "Changed at or after this time; `-7d` is relative.",
      as: "modifiedFrom",
      read: readTime,
    },
    date_to: { description: "Changed at or before this time.", as: "modifiedTo", read: readTime },
    session_recording_id: { description: "Playlists that hold this recording." },
  },
  "filter",
)
const ORDER: QueryShape = {
  docs: [{ name: "order", description: `One of ${ORDERS.join(", ")}; \`-\` in front descends.`, schema: TEXT }],
  read: ({ query }) => readOrder(query),
}

const INPUT = asInput(PLAYLIST.input)
/** A new playlist may also say what it has to be. */
const NEW = asInput(
  PLAYLIST.input,
  defineBody({ type: { schema: TEXT, read: nullable((value, field) => readType(text(value, field))) } }),
)

const { list, item, softDelete } = defineRoutes(PLAYLISTS)

/** No field is required, so that PUT is the same as PATCH. */
const UPDATE = {
  body: INPUT,
  field: "updateSessionRecordingPlaylist",
  resource: PLAYLIST,
  summary: "Change a playlist; `deleted` deletes it softly or restores it.",
} as const

/** Rows of `docs/contract/recordings.md#playlist-fields`. */
export const playlistRoutes: readonly RestRoute[] = [
  list({
    id: "session_recording_playlists_list",
    on: "GET",
    field: "sessionRecordingPlaylists",
    resource: PLAYLIST,
    query: joinQueries(FILTERS, ORDER),
    summary: "List playlists that are not deleted, newest change first.",
  }),
  item({
    id: "session_recording_playlists_create",
    on: "POST",
    statuses: [201],
    body: NEW,
    field: "createSessionRecordingPlaylist",
    resource: PLAYLIST,
    summary: "Create a playlist.",
    requestSchema: PLAYLIST.input.schema,
  }),
  item({
    id: "session_recording_playlists_retrieve",
    on: "GET /:short_id",
    field: "sessionRecordingPlaylist",
    resource: PLAYLIST,
    summary: "Get a playlist.",
  }),
  item({ ...UPDATE, id: "session_recording_playlists_update", on: "PATCH /:short_id" }),
  item({ ...UPDATE, id: "session_recording_playlists_replace", on: "PUT /:short_id" }),
  softDelete("session_recording_playlists_destroy", "DELETE /:short_id", "playlists"),
]
