/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
export type SessionRecordingOrder =
  | "START_TIME"
  | "DURATION"
  | "ACTIVE_SECONDS"
  | "INACTIVE_SECONDS"
  | "CLICK_COUNT"
  | "KEYPRESS_COUNT"
  | "MOUSE_ACTIVITY_COUNT"
  | "CONSOLE_LOG_COUNT"
  | "CONSOLE_WARN_COUNT"
  | "CONSOLE_ERROR_COUNT"
  | "ACTIVITY_SCORE"
export type SessionRecordingFilter = {
  from?: string | null | undefined
  to?: string | null | undefined
  sessionIds?: Array<string> | null | undefined
  personUuid?: string | null | undefined
  distinctIds?: Array<string> | null | undefined
  events?: Array<string> | null | undefined
  eventConditions?: Array<SessionRecordingEventCondition> | null | undefined
  properties?: Json | null | undefined
  leaveOutTestAccounts?: boolean | null | undefined
  consoleLevels?: Array<string> | null | undefined
  consoleSearch?: string | null | undefined
  having?: Array<SessionRecordingMeasureCondition> | null | undefined
  matchAny?: boolean | null | undefined
}
export type SessionRecordingEventCondition = {
  event?: string | null | undefined
  properties?: Json | null | undefined
}
export type SessionRecordingMeasureCondition = {
  measure: SessionRecordingMeasure
  comparison: Comparison
  value: number
}
export type SessionRecordingMeasure =
  | "DURATION"
  | "ACTIVE_SECONDS"
  | "INACTIVE_SECONDS"
  | "CLICK_COUNT"
  | "KEYPRESS_COUNT"
  | "MOUSE_ACTIVITY_COUNT"
  | "CONSOLE_LOG_COUNT"
  | "CONSOLE_WARN_COUNT"
  | "CONSOLE_ERROR_COUNT"
  | "ACTIVITY_SCORE"
export type Comparison = "EQ" | "GT" | "GTE" | "LT" | "LTE"

export type session_recordings_listQueryVariables = Exact<{
  recordingsQuery?: Json | null | undefined
  descending?: boolean | null | undefined
  orderBy?: SessionRecordingOrder | null | undefined
  filter?: SessionRecordingFilter | null | undefined
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  projectId?: string | null | undefined
}>

export type session_recordings_listQuery = {
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

export type session_recordings_retrieveQueryVariables = Exact<{
  id: string
  projectId?: string | null | undefined
}>

export type session_recordings_updateMutationVariables = Exact<{
  analyzed?: boolean | null | undefined
  viewed?: boolean | null | undefined
  id: string
  projectId?: string | null | undefined
}>

export type session_recordings_updateMutation = { markSessionRecording: { id: string } }

export type session_recordings_destroyMutationVariables = Exact<{
  id: string
  projectId?: string | null | undefined
}>

export type session_recordings_destroyMutation = { deleteSessionRecording: boolean }

export type session_recordings_snapshots_listQueryVariables = Exact<{
  hasSource: boolean
  id: string
  projectId?: string | null | undefined
  endBlobKey: string
  startBlobKey: string
}>

export type session_recordings_snapshots_listQuery = {
  lines?: Array<string>
  sources?: Array<{ blobKey: string; startTimestamp: string; endTimestamp: string }>
}

export type session_recordings_bulk_deleteMutationVariables = Exact<{
  ids: Array<string> | string
  projectId?: string | null | undefined
}>

export type session_recordings_bulk_deleteMutation = { count: number }

export type session_recordings_bulk_viewedMutationVariables = Exact<{
  viewed: boolean
  ids: Array<string> | string
  projectId?: string | null | undefined
}>

export type session_recordings_bulk_viewedMutation = { count: number }

export type session_recordings_bulk_not_viewedMutationVariables = Exact<{
  viewed: boolean
  ids: Array<string> | string
  projectId?: string | null | undefined
}>

export type session_recordings_bulk_not_viewedMutation = { count: number }

export interface SessionRecordingsOperations {
  session_recordings_list: {
    readonly variables: session_recordings_listQueryVariables
    readonly data: session_recordings_listQuery
  }
  session_recordings_retrieve: { readonly variables: session_recordings_retrieveQueryVariables; readonly data: unknown }
  session_recordings_update: {
    readonly variables: session_recordings_updateMutationVariables
    readonly data: session_recordings_updateMutation
  }
  session_recordings_destroy: {
    readonly variables: session_recordings_destroyMutationVariables
    readonly data: session_recordings_destroyMutation
  }
  session_recordings_snapshots_list: {
    readonly variables: session_recordings_snapshots_listQueryVariables
    readonly data: session_recordings_snapshots_listQuery
  }
  session_recordings_bulk_delete: {
    readonly variables: session_recordings_bulk_deleteMutationVariables
    readonly data: session_recordings_bulk_deleteMutation
  }
  session_recordings_bulk_viewed: {
    readonly variables: session_recordings_bulk_viewedMutationVariables
    readonly data: session_recordings_bulk_viewedMutation
  }
  session_recordings_bulk_not_viewed: {
    readonly variables: session_recordings_bulk_not_viewedMutationVariables
    readonly data: session_recordings_bulk_not_viewedMutation
  }
}
