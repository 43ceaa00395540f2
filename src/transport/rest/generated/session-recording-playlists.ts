/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
export type SessionRecordingPlaylistType = "COLLECTION" | "FILTERS"
export type SessionRecordingPlaylistOrder =
  | "ID"
  | "SHORT_ID"
  | "DESCRIPTION"
  | "CREATED_BY"
  | "LAST_MODIFIED_BY"
  | "LAST_MODIFIED_AT"
  | "CREATED_AT"
  | "NAME"
  | "DERIVED_NAME"
  | "PINNED"
export type SessionRecordingPlaylistFilter = {
  createdBy?: number | null | undefined
  mine?: boolean | null | undefined
  shortId?: string | null | undefined
  type?: SessionRecordingPlaylistType | null | undefined
  pinned?: boolean | null | undefined
  search?: string | null | undefined
  modifiedFrom?: string | null | undefined
  modifiedTo?: string | null | undefined
  sessionRecordingId?: string | null | undefined
}
export type SessionRecordingPlaylistInput = {
  name?: string | null | undefined
  derivedName?: string | null | undefined
  description?: string | null | undefined
  pinned?: boolean | null | undefined
  deleted?: boolean | null | undefined
  filters?: Json | null | undefined
  type?: SessionRecordingPlaylistType | null | undefined
}

export type session_recording_playlists_listQueryVariables = Exact<{
  descending?: boolean | null | undefined
  orderBy?: SessionRecordingPlaylistOrder | null | undefined
  filter?: SessionRecordingPlaylistFilter | null | undefined
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  projectId?: string | null | undefined
}>

export type session_recording_playlists_createMutationVariables = Exact<{
  input: SessionRecordingPlaylistInput
  projectId?: string | null | undefined
}>

export type session_recording_playlists_retrieveQueryVariables = Exact<{
  shortId: string
  projectId?: string | null | undefined
}>

export type session_recording_playlists_updateMutationVariables = Exact<{
  input: SessionRecordingPlaylistInput
  shortId: string
  projectId?: string | null | undefined
}>

export type session_recording_playlists_replaceMutationVariables = Exact<{
  input: SessionRecordingPlaylistInput
  shortId: string
  projectId?: string | null | undefined
}>

export type session_recording_playlists_recordings_listQueryVariables = Exact<{
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  shortId: string
  projectId?: string | null | undefined
}>

export type session_recording_playlists_recordings_listQuery = {
  page: {
    totalCount: number
    nodes: Array<{
      id: string
      distinctId: string
      viewed: boolean
      viewers: Array<string>
      recordingDuration: number
      activeSeconds: number
      inactiveSeconds: number
      startTime: string
      endTime: string
      clickCount: number
      keypressCount: number
      mouseActivityCount: number
      consoleLogCount: number
      consoleWarnCount: number
      consoleErrorCount: number
      startUrl: string | null
      storage: string
      snapshotSource: string
      ongoing: boolean
      activityScore: number
      person: {
        id: number | null
        name: string | null
        distinctIds: Array<string>
        properties: Json
        createdAt: string | null
        uuid: string
      }
    }>
    pageInfo: { hasNextPage: boolean }
  }
}

export type session_recording_playlists_recordings_createMutationVariables = Exact<{
  sessionRecordingId: string
  shortId: string
  projectId?: string | null | undefined
}>

export type session_recording_playlists_recordings_createMutation = { attachSessionRecording: boolean }

export type session_recording_playlists_recordings_destroyMutationVariables = Exact<{
  sessionRecordingId: string
  shortId: string
  projectId?: string | null | undefined
}>

export type session_recording_playlists_recordings_destroyMutation = { detachSessionRecording: boolean }

export type session_recording_playlists_recordings_bulk_addMutationVariables = Exact<{
  sessionRecordingIds: Array<string> | string
  shortId: string
  projectId?: string | null | undefined
}>

export type session_recording_playlists_recordings_bulk_addMutation = { count: number }

export type session_recording_playlists_recordings_bulk_deleteMutationVariables = Exact<{
  sessionRecordingIds: Array<string> | string
  shortId: string
  projectId?: string | null | undefined
}>

export type session_recording_playlists_recordings_bulk_deleteMutation = { count: number }

export type session_recording_playlists_viewedQueryVariables = Exact<{
  shortId: string
  projectId?: string | null | undefined
}>

export type session_recording_playlists_viewedQuery = { playlist: { id: number } }

export type session_recording_playlists_activity_retrieveQueryVariables = Exact<{
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  shortId: string
  projectId?: string | null | undefined
}>

export interface SessionRecordingPlaylistsOperations {
  session_recording_playlists_list: {
    readonly variables: session_recording_playlists_listQueryVariables
    readonly data: unknown
  }
  session_recording_playlists_create: {
    readonly variables: session_recording_playlists_createMutationVariables
    readonly data: unknown
  }
  session_recording_playlists_retrieve: {
    readonly variables: session_recording_playlists_retrieveQueryVariables
    readonly data: unknown
  }
  session_recording_playlists_update: {
    readonly variables: session_recording_playlists_updateMutationVariables
    readonly data: unknown
  }
  session_recording_playlists_replace: {
    readonly variables: session_recording_playlists_replaceMutationVariables
    readonly data: unknown
  }
  session_recording_playlists_recordings_list: {
    readonly variables: session_recording_playlists_recordings_listQueryVariables
    readonly data: session_recording_playlists_recordings_listQuery
  }
  session_recording_playlists_recordings_create: {
    readonly variables: session_recording_playlists_recordings_createMutationVariables
    readonly data: session_recording_playlists_recordings_createMutation
  }
  session_recording_playlists_recordings_destroy: {
    readonly variables: session_recording_playlists_recordings_destroyMutationVariables
    readonly data: session_recording_playlists_recordings_destroyMutation
  }
  session_recording_playlists_recordings_bulk_add: {
    readonly variables: session_recording_playlists_recordings_bulk_addMutationVariables
    readonly data: session_recording_playlists_recordings_bulk_addMutation
  }
  session_recording_playlists_recordings_bulk_delete: {
    readonly variables: session_recording_playlists_recordings_bulk_deleteMutationVariables
    readonly data: session_recording_playlists_recordings_bulk_deleteMutation
  }
  session_recording_playlists_viewed: {
    readonly variables: session_recording_playlists_viewedQueryVariables
    readonly data: session_recording_playlists_viewedQuery
  }
  session_recording_playlists_activity_retrieve: {
    readonly variables: session_recording_playlists_activity_retrieveQueryVariables
    readonly data: unknown
  }
}
