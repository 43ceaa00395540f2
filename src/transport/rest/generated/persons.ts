/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
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

export interface PersonsOperations {
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
}
