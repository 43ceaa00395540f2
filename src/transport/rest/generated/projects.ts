/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
export type PathCleaningInput = {
  regex: string
  alias: string
}

export type projects_listQueryVariables = Exact<{
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
}>

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

export interface ProjectsOperations {
  projects_list: { readonly variables: projects_listQueryVariables; readonly data: unknown }
  projects_retrieve: { readonly variables: projects_retrieveQueryVariables; readonly data: projects_retrieveQuery }
  projects_partial_update: {
    readonly variables: projects_partial_updateMutationVariables
    readonly data: projects_partial_updateMutation
  }
}
