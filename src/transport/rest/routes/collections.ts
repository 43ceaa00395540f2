import type { RowsOfOneKind } from "../define-route.js"

/** Persons of a project. */
export const PERSONS: RowsOfOneKind = {
  path: "/api/environments/:project_id/persons",
  scope: "person",
  source: "docs/contract/management.md#persons",
}

/** Feature flags of a project. */
export const FEATURE_FLAGS: RowsOfOneKind = {
  path: "/api/environments/:project_id/feature_flags",
  scope: "feature_flag",
  source: "docs/contract/flags.md#flag-management",
}

/** Playlists of session recordings. */
export const PLAYLISTS: RowsOfOneKind = {
  path: "/api/environments/:project_id/session_recording_playlists",
  scope: "session_recording_playlist",
  source: "docs/contract/recordings.md#playlist-fields",
}

/** Session recordings. */
export const RECORDINGS: RowsOfOneKind = {
  path: "/api/environments/:project_id/session_recordings",
  scope: "session_recording",
  source: "docs/contract/recordings.md#list-of-recordings",
}
