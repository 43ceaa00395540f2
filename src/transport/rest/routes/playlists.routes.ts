import { AppError } from "../../../kernel/errors.js"
import type { Json } from "../../../kernel/json.js"
import {
  ANY_JSON,
  BOOLEAN,
  INTEGER,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  objectOf,
  TEXT,
  TIME,
} from "../../../kernel/json-schema.js"
import { anyJson, flag, nullable, readFields, text } from "../body-fields.js"
import { defineGuarded, defineRoute } from "../define-route.js"
import { toEnvelope } from "../paging-links.js"
import { readInteger, readText, readTime, readWindow } from "../read-query.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { envelopeOf, NULLABLE_USER, PAGING_PARAMETERS } from "../schemas.js"
import { toWireUser, USER_FIELDS, type UserData } from "../user.wire.js"

const LIST = "/api/environments/:project_id/session_recording_playlists"
const ONE = `${LIST}/:short_id`
const READ = "session_recording_playlist:read"
const WRITE = "session_recording_playlist:write"
const SOURCE = "interface.md, Session recording playlists"

interface PlaylistData {
  readonly id: number
  readonly shortId: string
  readonly name: string | null
  readonly derivedName: string | null
  readonly description: string
  readonly pinned: boolean
  readonly createdAt: string
  readonly createdBy: UserData | null
  readonly deleted: boolean
  readonly filters: Json
  readonly lastModifiedAt: string
  readonly lastModifiedBy: UserData | null
  readonly recordingsCounts: Json
}

const FIELDS = `id shortId name derivedName description pinned createdAt createdBy { ${USER_FIELDS} } deleted filters
  lastModifiedAt lastModifiedBy { ${USER_FIELDS} } recordingsCounts`

const toWirePlaylist = (playlist: PlaylistData) => ({
  id: playlist.id,
  short_id: playlist.shortId,
  name: playlist.name,
  derived_name: playlist.derivedName,
  description: playlist.description,
  pinned: playlist.pinned,
  created_at: playlist.createdAt,
  created_by: toWireUser(playlist.createdBy),
  deleted: playlist.deleted,
  filters: playlist.filters,
  last_modified_at: playlist.lastModifiedAt,
  last_modified_by: toWireUser(playlist.lastModifiedBy),
  recordings_counts: playlist.recordingsCounts,
})

const WRITABLE = {
  name: NULLABLE_TEXT,
  derived_name: NULLABLE_TEXT,
  description: TEXT,
  pinned: BOOLEAN,
  deleted: BOOLEAN,
  filters: ANY_JSON,
}

const NULLABLE_COUNT = { type: ["integer", "null"] }
const NULLABLE_FLAG = { type: ["boolean", "null"] }
const RECORDINGS_COUNTS = objectOf({
  saved_filters: objectOf({
    ...{ count: NULLABLE_COUNT, has_more: NULLABLE_FLAG, watched_count: NULLABLE_COUNT, increased: NULLABLE_FLAG },
    last_refreshed_at: NULLABLE_TIME,
  }),
  collection: objectOf({ count: NULLABLE_COUNT, watched_count: INTEGER }),
})

const PLAYLIST = objectOf({
  id: INTEGER,
  short_id: TEXT,
  ...WRITABLE,
  created_at: TIME,
  created_by: NULLABLE_USER,
  last_modified_at: TIME,
  last_modified_by: NULLABLE_USER,
  recordings_counts: RECORDINGS_COUNTS,
})

const ORDERS = [
  ...["id", "short_id", "name", "derived_name", "description", "pinned"],
  ...["created_at", "created_by", "last_modified_at", "last_modified_by"],
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
function readType(type: string): string {
  if (TYPES.includes(type)) return type.toUpperCase()
  throw new AppError("invalid_input", { detail: "Must provide a valid playlist type: either filters or collection" })
}

function typeOf(query: URLSearchParams): string | undefined {
  const type = readText(query, "type")
  return type === undefined ? undefined : readType(type)
}

const toListVariables = ({ params, query, receivedAtMs }: RestRequest) => ({
  projectId: params.project_id,
  ...readWindow(query).variables,
  ...readOrder(query),
  filter: {
    createdBy: readInteger(query, "created_by"),
    shortId: readText(query, "short_id"),
    mine: query.has("user") ? true : undefined,
    pinned: query.has("pinned") ? true : undefined,
    type: typeOf(query),
    search: readText(query, "search"),
    modifiedFrom: readTime(query, "date_from", receivedAtMs),
    modifiedTo: readTime(query, "date_to", receivedAtMs),
    sessionRecordingId: readText(query, "session_recording_id"),
  },
})

const toInput = ({ body }: RestRequest) =>
  readFields(body, {
    name: ["name", nullable(text)],
    derived_name: ["derivedName", nullable(text)],
    description: ["description", text],
    pinned: ["pinned", flag],
    deleted: ["deleted", flag],
    filters: ["filters", anyJson],
  })

/** A new playlist may also say what it has to be. */
const toNewInput = (request: RestRequest) => ({
  ...toInput(request),
  ...readFields(request.body, { type: ["type", nullable((value, field) => readType(text(value, field)))] }),
})

/** No field is required, so that PUT is the same as PATCH. */
function defineUpdate(method: "PATCH" | "PUT", id: string): RestRoute {
  return defineRoute({
    id,
    method,
    path: ONE,
    scope: WRITE,
    body: "json",
    operation: `mutation ($projectId: ID!, $shortId: String!, $input: SessionRecordingPlaylistInput!) {
      playlist: updateSessionRecordingPlaylist(projectId: $projectId, shortId: $shortId, input: $input) { ${FIELDS} } }`,
    variables: (request) => ({
      projectId: request.params.project_id,
      shortId: request.params.short_id,
      input: toInput(request),
    }),
    reply: ({ playlist }: { playlist: PlaylistData }) => ({ status: 200, body: toWirePlaylist(playlist) }),
    statuses: [200],
    doc: {
      summary: "Change a playlist; `deleted` deletes it softly or restores it.",
      source: SOURCE,
      requestSchema: objectOf(WRITABLE),
      responseSchema: PLAYLIST,
    },
  })
}

/** Rows of `interface.md`, "Session recording playlists". */
export const playlistRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "session_recording_playlists_list",
    method: "GET",
    path: LIST,
    scope: READ,
    body: "none",
    operation: `query ($projectId: ID!, $first: Int, $offset: Int, $filter: SessionRecordingPlaylistFilter,
      $orderBy: SessionRecordingPlaylistOrder, $descending: Boolean) {
      page: sessionRecordingPlaylists(projectId: $projectId, first: $first, offset: $offset, filter: $filter,
        orderBy: $orderBy, descending: $descending) { totalCount nodes { ${FIELDS} } } }`,
    variables: toListVariables,
    reply: ({ page }: { page: { totalCount: number; nodes: PlaylistData[] } }, request) => ({
      status: 200,
      body: toEnvelope(request, readWindow(request.query), page.totalCount, page.nodes.map(toWirePlaylist)),
    }),
    statuses: [200],
    doc: {
      summary: "List playlists that are not deleted, newest change first.",
      source: SOURCE,
      query: [
        ...PAGING_PARAMETERS,
        { name: "created_by", description: "Id of the user who created it.", schema: INTEGER },
        { name: "short_id", description: "Exact short id.", schema: TEXT },
        { name: "user", description: "Any value: only the caller's own.", schema: TEXT },
        { name: "pinned", description: "Any value: only pinned ones.", schema: TEXT },
        { name: "type", description: "collection or filters.", schema: TEXT },
        { name: "search", description: "Part of name or derived name, any case.", schema: TEXT },
        { name: "date_from", description: "Changed at or after this time; `-7d` is relative.", schema: TEXT },
        { name: "date_to", description: "Changed at or before this time.", schema: TEXT },
        { name: "session_recording_id", description: "Playlists that hold this recording.", schema: TEXT },
        { name: "order", description: `One of ${ORDERS.join(", ")}; \`-\` in front descends.`, schema: TEXT },
      ],
      responseSchema: envelopeOf(PLAYLIST),
    },
  }),
  defineRoute({
    id: "session_recording_playlists_create",
    method: "POST",
    path: LIST,
    scope: WRITE,
    body: "json",
    operation: `mutation ($projectId: ID!, $input: SessionRecordingPlaylistInput!) {
      playlist: createSessionRecordingPlaylist(projectId: $projectId, input: $input) { ${FIELDS} } }`,
    variables: (request) => ({ projectId: request.params.project_id, input: toNewInput(request) }),
    reply: ({ playlist }: { playlist: PlaylistData }) => ({ status: 201, body: toWirePlaylist(playlist) }),
    statuses: [201],
    doc: {
      summary: "Create a playlist.",
      source: SOURCE,
      requestSchema: objectOf(WRITABLE),
      responseSchema: PLAYLIST,
    },
  }),
  defineRoute({
    id: "session_recording_playlists_retrieve",
    method: "GET",
    path: ONE,
    scope: READ,
    body: "none",
    operation: `query ($projectId: ID!, $shortId: String!) {
      playlist: sessionRecordingPlaylist(projectId: $projectId, shortId: $shortId) { ${FIELDS} } }`,
    variables: ({ params }) => ({ projectId: params.project_id, shortId: params.short_id }),
    reply: ({ playlist }: { playlist: PlaylistData }) => ({ status: 200, body: toWirePlaylist(playlist) }),
    statuses: [200],
    doc: { summary: "Get a playlist.", source: SOURCE, responseSchema: PLAYLIST },
  }),
  defineUpdate("PATCH", "session_recording_playlists_update"),
  defineUpdate("PUT", "session_recording_playlists_replace"),
  defineGuarded({
    id: "session_recording_playlists_destroy",
    method: "DELETE",
    path: ONE,
    scope: WRITE,
    reply: () => ({ status: 405 }),
    statuses: [405],
    doc: { summary: "Refused: playlists are deleted softly, by PATCH with `deleted` true.", source: SOURCE },
  }),
]
