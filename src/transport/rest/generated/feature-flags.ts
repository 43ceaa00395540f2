/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
export type FeatureFlagFilter = {
  type?: FeatureFlagType | null | undefined
  createdById?: number | null | undefined
  evaluationRuntime?: string | null | undefined
  tags?: Array<string> | null | undefined
  stale?: boolean | null | undefined
}
export type FeatureFlagType = "BOOLEAN" | "MULTIVARIANT" | "REMOTE_CONFIG"
export type FeatureFlagOrder = "CREATED_AT" | "UPDATED_AT" | "KEY" | "NAME" | "ACTIVE" | "CREATED_BY"
export type FlagExplanationInput = {
  distinctId: string
  groups?: Json | null | undefined
  personProperties?: Json | null | undefined
  groupProperties?: Json | null | undefined
}
export type FeatureFlagInput = {
  key?: string | null | undefined
  name?: string | null | undefined
  filters?: Json | null | undefined
  active?: boolean | null | undefined
  deleted?: boolean | null | undefined
  ensureExperienceContinuity?: boolean | null | undefined
  bucketingIdentifier?: string | null | undefined
  evaluationRuntime?: string | null | undefined
  evaluationContexts?: Array<string> | null | undefined
  tags?: Array<string> | null | undefined
  isRemoteConfiguration?: boolean | null | undefined
  hasEncryptedPayloads?: boolean | null | undefined
  version?: number | null | undefined
}

export type feature_flags_listQueryVariables = Exact<{
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  search?: string | null | undefined
  active?: boolean | null | undefined
  filter?: FeatureFlagFilter | null | undefined
  orderBy?: FeatureFlagOrder | null | undefined
  descending?: boolean | null | undefined
  projectId?: string | null | undefined
}>

export type feature_flags_createMutationVariables = Exact<{
  input: FeatureFlagInput
  projectId?: string | null | undefined
}>

export type feature_flags_retrieveQueryVariables = Exact<{
  key?: string | null | undefined
  id?: string | null | undefined
  projectId?: string | null | undefined
}>

export type feature_flags_updateMutationVariables = Exact<{
  input: FeatureFlagInput
  id: string
  projectId?: string | null | undefined
}>

export type feature_flags_remote_config_retrieveQueryVariables = Exact<{
  flag: string
  projectId?: string | null | undefined
}>

export type feature_flags_remote_config_retrieveQuery = { payload: Json | null }

export type feature_flags_activity_retrieveQueryVariables = Exact<{
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  id: string
  projectId?: string | null | undefined
}>

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

export interface FeatureFlagsOperations {
  feature_flags_list: { readonly variables: feature_flags_listQueryVariables; readonly data: unknown }
  feature_flags_create: { readonly variables: feature_flags_createMutationVariables; readonly data: unknown }
  feature_flags_retrieve: { readonly variables: feature_flags_retrieveQueryVariables; readonly data: unknown }
  feature_flags_update: { readonly variables: feature_flags_updateMutationVariables; readonly data: unknown }
  feature_flags_remote_config_retrieve: {
    readonly variables: feature_flags_remote_config_retrieveQueryVariables
    readonly data: feature_flags_remote_config_retrieveQuery
  }
  feature_flags_activity_retrieve: {
    readonly variables: feature_flags_activity_retrieveQueryVariables
    readonly data: unknown
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
}
