/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
export type CohortInput = {
  name?: string | null | undefined
  description?: string | null | undefined
  filters?: Json | null | undefined
  deleted?: boolean | null | undefined
  distinctIds?: Array<string> | null | undefined
}

export type cohorts_listQueryVariables = Exact<{
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  search?: string | null | undefined
  isStatic?: boolean | null | undefined
  createdById?: number | null | undefined
  projectId?: string | null | undefined
}>

export type cohorts_createMutationVariables = Exact<{
  isStatic?: boolean | null | undefined
  input: CohortInput
  projectId?: string | null | undefined
}>

export type cohorts_retrieveQueryVariables = Exact<{
  id: number
  projectId?: string | null | undefined
}>

export type cohorts_updateMutationVariables = Exact<{
  input: CohortInput
  id: number
  projectId?: string | null | undefined
}>

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

export interface CohortsOperations {
  cohorts_list: { readonly variables: cohorts_listQueryVariables; readonly data: unknown }
  cohorts_create: { readonly variables: cohorts_createMutationVariables; readonly data: unknown }
  cohorts_retrieve: { readonly variables: cohorts_retrieveQueryVariables; readonly data: unknown }
  cohorts_update: { readonly variables: cohorts_updateMutationVariables; readonly data: unknown }
  cohorts_members_add: {
    readonly variables: cohorts_members_addMutationVariables
    readonly data: cohorts_members_addMutation
  }
  cohorts_members_remove: {
    readonly variables: cohorts_members_removeMutationVariables
    readonly data: cohorts_members_removeMutation
  }
}
