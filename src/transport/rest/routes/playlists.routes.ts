import { AppError } from "../../../kernel/errors.js"
import { INTEGER, TEXT } from "../../../kernel/json-schema.js"
import { defineBody, nullable, text } from "../body-fields.js"
import { defineItem, defineList, defineSoftDelete } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import { readInteger, readText, readTime } from "../read-query.js"
import { PLAYLIST } from "../resources/playlist.js"
import type { RestRoute } from "../rest-route.types.js"

const LIST = "/api/environments/:project_id/session_recording_playlists"
const ONE = `${LIST}/:short_id`
const READ = "session_recording_playlist:read"
const WRITE = "session_recording_playlist:write"
const SOURCE = "docs/contract/recordings.md#playlist-fields"

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

const FILTERS = defineQuery({
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
})

/** A new playlist may also say what it has to be. */
const KIND = defineBody({ type: { schema: TEXT, read: nullable((value, field) => readType(text(value, field))) } })

/** No field is required, so that PUT is the same as PATCH. */
const defineUpdate = (method: "PATCH" | "PUT", id: string): RestRoute =>
  defineItem({
    id,
    method,
    path: ONE,
    scope: WRITE,
    body: "json",
    field: "updateSessionRecordingPlaylist",
    args: { projectId: "ID!", shortId: "String!", input: "SessionRecordingPlaylistInput!" },
    resource: PLAYLIST,
    variables: ({ body }) => ({ input: PLAYLIST.input.read(body) }),
    doc: {
      summary: "Change a playlist; `deleted` deletes it softly or restores it.",
      source: SOURCE,
      requestSchema: PLAYLIST.input.schema,
    },
  })

/** Rows of `docs/contract/recordings.md#playlist-fields`. */
export const playlistRoutes: readonly RestRoute[] = [
  defineList({
    id: "session_recording_playlists_list",
    path: LIST,
    scope: READ,
    field: "sessionRecordingPlaylists",
    args: {
      projectId: "ID!",
      filter: "SessionRecordingPlaylistFilter",
      orderBy: "SessionRecordingPlaylistOrder",
      descending: "Boolean",
    },
    resource: PLAYLIST,
    variables: (request) => ({ ...readOrder(request.query), filter: FILTERS.read(request) }),
    summary: "List playlists that are not deleted, newest change first.",
    source: SOURCE,
    query: [
      ...FILTERS.docs,
      { name: "order", description: `One of ${ORDERS.join(", ")}; \`-\` in front descends.`, schema: TEXT },
    ],
  }),
  defineItem({
    id: "session_recording_playlists_create",
    method: "POST",
    path: LIST,
    scope: WRITE,
    body: "json",
    status: 201,
    field: "createSessionRecordingPlaylist",
    args: { projectId: "ID!", input: "SessionRecordingPlaylistInput!" },
    resource: PLAYLIST,
    variables: ({ body }) => ({ input: { ...PLAYLIST.input.read(body), ...KIND.read(body) } }),
    doc: { summary: "Create a playlist.", source: SOURCE, requestSchema: PLAYLIST.input.schema },
  }),
  defineItem({
    id: "session_recording_playlists_retrieve",
    method: "GET",
    path: ONE,
    scope: READ,
    field: "sessionRecordingPlaylist",
    args: { projectId: "ID!", shortId: "String!" },
    resource: PLAYLIST,
    doc: { summary: "Get a playlist.", source: SOURCE },
  }),
  defineUpdate("PATCH", "session_recording_playlists_update"),
  defineUpdate("PUT", "session_recording_playlists_replace"),
  defineSoftDelete({
    id: "session_recording_playlists_destroy",
    path: ONE,
    scope: WRITE,
    what: "playlists",
    source: SOURCE,
  }),
]
