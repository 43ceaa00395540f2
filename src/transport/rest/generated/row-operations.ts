/** Types of the operations that REST rows run, by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
export type QueryRunState = "QUEUED" | "RUNNING" | "COMPLETE" | "FAILED" | "CANCELLED"
export type OrganizationRole = "OWNER" | "ADMIN" | "MEMBER" | "VIEWER"
export type PathCleaningInput = {
  regex: string
  alias: string
}
export type FlagExplanationInput = {
  distinctId: string
  groups?: Json | null | undefined
  personProperties?: Json | null | undefined
  groupProperties?: Json | null | undefined
}
export type PersonFilter = {
  search?: string | null | undefined
  distinctId?: string | null | undefined
  email?: string | null | undefined
  properties?: Array<PersonPropertyFilter> | null | undefined
  propertyGroup?: PersonPropertyGroup | null | undefined
}
export type PersonPropertyFilter = {
  key: string
  operator?: string | null | undefined
  value?: Json | null | undefined
}
export type PersonPropertyGroup = {
  type?: string | null | undefined
  conditions?: Array<PersonPropertyFilter> | null | undefined
  groups?: Array<PersonPropertyGroup> | null | undefined
}
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
export type RunQueryInput = {
  query: Json
  clientQueryId?: string | null | undefined
  refresh?: Json | null | undefined
  async?: boolean | null | undefined
  filtersOverride?: Json | null | undefined
  variablesOverride?: Json | null | undefined
}

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

export type persons_trends_retrieveQueryVariables = Exact<{
  projectId: string
  nobody: string
  page: boolean
  csv: boolean
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  event?: string | null | undefined
  properties?: Json | null | undefined
  dateFrom?: string | null | undefined
  dateTo?: string | null | undefined
}>

export type persons_trends_retrieveQuery = {
  person: { id: string } | null
  page?: {
    totalCount: number
    nodes: Array<{
      eventCount: number
      person: {
        id: string
        name: string
        distinctIds: Array<string>
        properties: Json
        createdAt: string
        isIdentified: boolean
      } | null
    }>
  }
  exported?: Array<{
    eventCount: number
    person: {
      id: string
      name: string
      distinctIds: Array<string>
      properties: Json
      createdAt: string
      isIdentified: boolean
    } | null
  }>
}

export type persons_values_retrieveQueryVariables = Exact<{
  containing?: string | null | undefined
  property: string
  projectId?: string | null | undefined
}>

export type persons_values_retrieveQuery = { values: Array<{ value: Json | null; personCount: number }> }

export type persons_listQueryVariables = Exact<{
  csv: boolean
  filter?: PersonFilter | null | undefined
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  projectId?: string | null | undefined
}>

export type persons_listQuery = {
  page?: {
    totalCount: number
    nodes: Array<{
      id: string
      name: string
      distinctIds: Array<string>
      properties: Json
      createdAt: string
      isIdentified: boolean
    }>
  }
  exported?: Array<{
    id: string
    name: string
    distinctIds: Array<string>
    properties: Json
    createdAt: string
    isIdentified: boolean
  }>
}

export type persons_retrieveQueryVariables = Exact<{
  distinctId?: string | null | undefined
  id?: string | null | undefined
  projectId?: string | null | undefined
}>

export type persons_retrieveQuery = {
  person: {
    id: string
    name: string
    distinctIds: Array<string>
    properties: Json
    createdAt: string
    isIdentified: boolean
  } | null
}

export type persons_bulk_delete_createMutationVariables = Exact<{
  deleteRecordings?: boolean | null | undefined
  deleteEvents?: boolean | null | undefined
  distinctIds?: Array<string> | string | null | undefined
  ids?: Array<string> | string | null | undefined
  projectId?: string | null | undefined
}>

export type persons_bulk_delete_createMutation = { count: number }

export type persons_destroyMutationVariables = Exact<{
  deleteRecordings?: boolean | null | undefined
  deleteEvents?: boolean | null | undefined
  id: string
  projectId?: string | null | undefined
}>

export type persons_destroyMutation = { deletePerson: boolean }

export type persons_split_createMutationVariables = Exact<{
  mainDistinctId?: string | null | undefined
  id: string
  projectId?: string | null | undefined
}>

export type persons_split_createMutation = { splitPerson: Array<{ id: string }> }

export type persons_partial_updateMutationVariables = Exact<{
  unset?: Array<string> | string | null | undefined
  set?: Json | null | undefined
  id: string
  projectId?: string | null | undefined
}>

export type persons_partial_updateMutation = { updatePerson: boolean }

export type persons_update_property_createMutationVariables = Exact<{
  unset?: Array<string> | string | null | undefined
  set?: Json | null | undefined
  id: string
  projectId?: string | null | undefined
}>

export type persons_update_property_createMutation = { updatePerson: boolean }

export type persons_delete_property_createMutationVariables = Exact<{
  unset?: Array<string> | string | null | undefined
  set?: Json | null | undefined
  id: string
  projectId?: string | null | undefined
}>

export type persons_delete_property_createMutation = { updatePerson: boolean }

export type query_createMutationVariables = Exact<{
  input: RunQueryInput
  projectId?: string | null | undefined
}>

export type query_createMutation = { answer: Json }

export type query_draft_sql_retrieveQueryVariables = Exact<{
  prompt?: string | null | undefined
  query?: Json | null | undefined
  projectId?: string | null | undefined
}>

export type query_draft_sql_retrieveQuery = { sql: string }

export type query_events_retrieveSubscriptionVariables = Exact<{
  id: string
  projectId?: string | null | undefined
}>

export type query_events_retrieveSubscription = { run: { state: QueryRunState; sequence: number; wire: Json } }

export type query_retrieveQueryVariables = Exact<{
  wakesOnProgress?: boolean | null | undefined
  waitSeconds?: number | null | undefined
  id: string
  projectId?: string | null | undefined
}>

export type query_retrieveQuery = { run: { state: QueryRunState; sequence: number; wire: Json } }

export type query_destroyMutationVariables = Exact<{
  dequeueOnly?: boolean | null | undefined
  id: string
  projectId?: string | null | undefined
}>

export type query_destroyMutation = { cancelQuery: { id: string } }

export type feature_flags_remote_config_retrieveQueryVariables = Exact<{
  flag: string
  projectId?: string | null | undefined
}>

export type feature_flags_remote_config_retrieveQuery = { payload: Json | null }

export type feature_flags_dependent_flags_retrieveQueryVariables = Exact<{
  id: string
  projectId?: string | null | undefined
}>

export type feature_flags_dependent_flags_retrieveQuery = { flags: Array<{ id: number; key: string; name: string }> }

export type feature_flags_status_retrieveQueryVariables = Exact<{
  key?: string | null | undefined
  id?: string | null | undefined
  projectId?: string | null | undefined
  days?: number | null | undefined
}>

export type feature_flags_status_retrieveQuery = {
  flag: { id: number; status: string }
  stale: Array<{ reasons: Array<string>; flag: { id: number } }>
}

export type feature_flags_my_flags_retrieveQueryVariables = Exact<{
  projectId?: string | null | undefined
}>

export type feature_flags_my_flags_retrieveQuery = {
  mine: Array<{
    flag: {
      id: number
      name: string
      key: string
      filters: Json | null
      deleted: boolean
      active: boolean
      createdAt: string
      updatedAt: string
      version: number
      isSimpleFlag: boolean
      rolloutPercentage: number | null
      ensureExperienceContinuity: boolean
      bucketingIdentifier: string
      evaluationRuntime: string
      evaluationContexts: Array<string>
      isRemoteConfiguration: boolean
      hasEncryptedPayloads: boolean
      tags: Array<string>
      status: string
      createdBy: {
        id: number
        uuid: string
        distinctId: string
        firstName: string
        lastName: string
        email: string
        isEmailVerified: boolean
        hedgehogConfig: Json | null
        roleAtOrganization: string | null
      } | null
      lastModifiedBy: {
        id: number
        uuid: string
        distinctId: string
        firstName: string
        lastName: string
        email: string
        isEmailVerified: boolean
        hedgehogConfig: Json | null
        roleAtOrganization: string | null
      } | null
    }
    decision: {
      key: string
      enabled: boolean
      variant: string | null
      reason: { code: string; conditionIndex: number | null; description: string }
    }
  }>
}

export type feature_flags_evaluation_reasons_retrieveQueryVariables = Exact<{
  for: FlagExplanationInput
  projectId?: string | null | undefined
}>

export type feature_flags_evaluation_reasons_retrieveQuery = {
  flags: Array<{
    key: string
    enabled: boolean
    variant: string | null
    reason: { code: string; conditionIndex: number | null; description: string }
  }>
}

export type feature_flags_create_static_cohort_for_flag_createMutationVariables = Exact<{
  id: string
  projectId?: string | null | undefined
}>

export type feature_flags_create_static_cohort_for_flag_createMutation = {
  cohort: {
    id: number
    name: string
    description: string
    filters: Json | null
    isStatic: boolean
    deleted: boolean
    createdAt: string
    createdBy: {
      id: number
      uuid: string
      distinctId: string
      firstName: string
      lastName: string
      email: string
      isEmailVerified: boolean
      hedgehogConfig: Json | null
      roleAtOrganization: string | null
    } | null
  }
}

export type feature_flags_user_blast_radius_createQueryVariables = Exact<{
  groupTypeIndex?: number | null | undefined
  condition: Json
  projectId?: string | null | undefined
}>

export type feature_flags_user_blast_radius_createQuery = { reach: { affected: number; total: number } }

export type organization_feature_flags_copy_flags_createMutationVariables = Exact<{
  organizationId?: string | null | undefined
  isDisabled?: boolean | null | undefined
  targetProjectIds: Array<string> | string
  key: string
  fromProjectId: string
}>

export type organization_feature_flags_copy_flags_createMutation = {
  copies: Array<{
    target: string
    projectId: number | null
    error: string | null
    flag: {
      id: number
      name: string
      key: string
      filters: Json | null
      deleted: boolean
      active: boolean
      createdAt: string
      updatedAt: string
      version: number
      isSimpleFlag: boolean
      rolloutPercentage: number | null
      ensureExperienceContinuity: boolean
      bucketingIdentifier: string
      evaluationRuntime: string
      evaluationContexts: Array<string>
      isRemoteConfiguration: boolean
      hasEncryptedPayloads: boolean
      tags: Array<string>
      status: string
      createdBy: {
        id: number
        uuid: string
        distinctId: string
        firstName: string
        lastName: string
        email: string
        isEmailVerified: boolean
        hedgehogConfig: Json | null
        roleAtOrganization: string | null
      } | null
      lastModifiedBy: {
        id: number
        uuid: string
        distinctId: string
        firstName: string
        lastName: string
        email: string
        isEmailVerified: boolean
        hedgehogConfig: Json | null
        roleAtOrganization: string | null
      } | null
    } | null
  }>
}

export type cohorts_members_addMutationVariables = Exact<{
  distinctIds: Array<string> | string
  id: number
  projectId?: string | null | undefined
}>

export type cohorts_members_addMutation = { count: number }

export type cohorts_members_removeMutationVariables = Exact<{
  distinctIds: Array<string> | string
  id: number
  projectId?: string | null | undefined
}>

export type cohorts_members_removeMutation = { count: number }

export type flags_definitions_retrieveQueryVariables = Exact<{
  knownRevision?: string | null | undefined
  withCohorts?: boolean | null | undefined
  projectId?: string | null | undefined
}>

export type flags_definitions_retrieveQuery = { definitions: { revision: string; body: Json | null } }

export type feature_flag_local_evaluation_retrieveQueryVariables = Exact<{
  knownRevision?: string | null | undefined
  withCohorts?: boolean | null | undefined
  projectId?: string | null | undefined
}>

export type feature_flag_local_evaluation_retrieveQuery = { definitions: { revision: string; body: Json | null } }

export type feature_flag_listQueryVariables = Exact<{
  knownRevision?: string | null | undefined
  withCohorts?: boolean | null | undefined
  projectId?: string | null | undefined
}>

export type feature_flag_listQuery = { definitions: { revision: string; body: Json | null } }

export type projects_retrieveQueryVariables = Exact<{
  id?: string | null | undefined
}>

export type projects_retrieveQuery = {
  project: {
    id: number
    uuid: string
    organizationId: string
    apiToken: string | null
    name: string
    ingestedEvent: boolean
    timezone: string
    createdAt: string
    weekStartDay: number
    settings: Json
  }
}

export type projects_partial_updateMutationVariables = Exact<{
  name?: string | null | undefined
  timezone?: string | null | undefined
  weekStartDay?: number | null | undefined
  settings?: Json | null | undefined
  pathCleaningFilters?: Array<PathCleaningInput> | PathCleaningInput | null | undefined
  projectId?: string | null | undefined
}>

export type projects_partial_updateMutation = {
  project: {
    id: number
    uuid: string
    organizationId: string
    apiToken: string | null
    name: string
    ingestedEvent: boolean
    timezone: string
    createdAt: string
    weekStartDay: number
    settings: Json
  }
}

export type users_me_retrieveQueryVariables = Exact<{ [key: string]: never }>

export type users_me_retrieveQuery = {
  me: {
    id: number
    uuid: string
    distinctId: string
    firstName: string
    lastName: string
    email: string
    isEmailVerified: boolean
    hedgehogConfig: Json | null
    roleAtOrganization: string | null
    createdAt: string
    currentProject: {
      id: number
      uuid: string
      organizationId: string
      apiToken: string | null
      name: string
      ingestedEvent: boolean
      timezone: string
    } | null
    organizations: Array<{
      id: string
      name: string
      createdAt: string
      role: OrganizationRole
      membersCanUsePersonalApiKeys: boolean
    }>
  }
}

export interface RowOperations {
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
  session_recordings_list: {
    readonly variables: session_recordings_listQueryVariables
    readonly data: session_recordings_listQuery
  }
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
  persons_trends_retrieve: {
    readonly variables: persons_trends_retrieveQueryVariables
    readonly data: persons_trends_retrieveQuery
  }
  persons_values_retrieve: {
    readonly variables: persons_values_retrieveQueryVariables
    readonly data: persons_values_retrieveQuery
  }
  persons_list: { readonly variables: persons_listQueryVariables; readonly data: persons_listQuery }
  persons_retrieve: { readonly variables: persons_retrieveQueryVariables; readonly data: persons_retrieveQuery }
  persons_bulk_delete_create: {
    readonly variables: persons_bulk_delete_createMutationVariables
    readonly data: persons_bulk_delete_createMutation
  }
  persons_destroy: { readonly variables: persons_destroyMutationVariables; readonly data: persons_destroyMutation }
  persons_split_create: {
    readonly variables: persons_split_createMutationVariables
    readonly data: persons_split_createMutation
  }
  persons_partial_update: {
    readonly variables: persons_partial_updateMutationVariables
    readonly data: persons_partial_updateMutation
  }
  persons_update_property_create: {
    readonly variables: persons_update_property_createMutationVariables
    readonly data: persons_update_property_createMutation
  }
  persons_delete_property_create: {
    readonly variables: persons_delete_property_createMutationVariables
    readonly data: persons_delete_property_createMutation
  }
  query_create: { readonly variables: query_createMutationVariables; readonly data: query_createMutation }
  query_draft_sql_retrieve: {
    readonly variables: query_draft_sql_retrieveQueryVariables
    readonly data: query_draft_sql_retrieveQuery
  }
  query_events_retrieve: {
    readonly variables: query_events_retrieveSubscriptionVariables
    readonly data: query_events_retrieveSubscription
  }
  query_retrieve: { readonly variables: query_retrieveQueryVariables; readonly data: query_retrieveQuery }
  query_destroy: { readonly variables: query_destroyMutationVariables; readonly data: query_destroyMutation }
  feature_flags_remote_config_retrieve: {
    readonly variables: feature_flags_remote_config_retrieveQueryVariables
    readonly data: feature_flags_remote_config_retrieveQuery
  }
  feature_flags_dependent_flags_retrieve: {
    readonly variables: feature_flags_dependent_flags_retrieveQueryVariables
    readonly data: feature_flags_dependent_flags_retrieveQuery
  }
  feature_flags_status_retrieve: {
    readonly variables: feature_flags_status_retrieveQueryVariables
    readonly data: feature_flags_status_retrieveQuery
  }
  feature_flags_my_flags_retrieve: {
    readonly variables: feature_flags_my_flags_retrieveQueryVariables
    readonly data: feature_flags_my_flags_retrieveQuery
  }
  feature_flags_evaluation_reasons_retrieve: {
    readonly variables: feature_flags_evaluation_reasons_retrieveQueryVariables
    readonly data: feature_flags_evaluation_reasons_retrieveQuery
  }
  feature_flags_create_static_cohort_for_flag_create: {
    readonly variables: feature_flags_create_static_cohort_for_flag_createMutationVariables
    readonly data: feature_flags_create_static_cohort_for_flag_createMutation
  }
  feature_flags_user_blast_radius_create: {
    readonly variables: feature_flags_user_blast_radius_createQueryVariables
    readonly data: feature_flags_user_blast_radius_createQuery
  }
  organization_feature_flags_copy_flags_create: {
    readonly variables: organization_feature_flags_copy_flags_createMutationVariables
    readonly data: organization_feature_flags_copy_flags_createMutation
  }
  cohorts_members_add: {
    readonly variables: cohorts_members_addMutationVariables
    readonly data: cohorts_members_addMutation
  }
  cohorts_members_remove: {
    readonly variables: cohorts_members_removeMutationVariables
    readonly data: cohorts_members_removeMutation
  }
  flags_definitions_retrieve: {
    readonly variables: flags_definitions_retrieveQueryVariables
    readonly data: flags_definitions_retrieveQuery
  }
  feature_flag_local_evaluation_retrieve: {
    readonly variables: feature_flag_local_evaluation_retrieveQueryVariables
    readonly data: feature_flag_local_evaluation_retrieveQuery
  }
  feature_flag_list: { readonly variables: feature_flag_listQueryVariables; readonly data: feature_flag_listQuery }
  projects_retrieve: { readonly variables: projects_retrieveQueryVariables; readonly data: projects_retrieveQuery }
  projects_partial_update: {
    readonly variables: projects_partial_updateMutationVariables
    readonly data: projects_partial_updateMutation
  }
  users_me_retrieve: { readonly variables: users_me_retrieveQueryVariables; readonly data: users_me_retrieveQuery }
}
