/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
export type ActionInput = {
  name?: string | null | undefined
  description?: string | null | undefined
  steps?: Json | null | undefined
  deleted?: boolean | null | undefined
}

export type actions_listQueryVariables = Exact<{
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
  search?: string | null | undefined
  projectId?: string | null | undefined
}>

export type actions_createMutationVariables = Exact<{
  input: ActionInput
  projectId?: string | null | undefined
}>

export type actions_retrieveQueryVariables = Exact<{
  id: number
  projectId?: string | null | undefined
}>

export type actions_updateMutationVariables = Exact<{
  input: ActionInput
  id: number
  projectId?: string | null | undefined
}>

export interface ActionsOperations {
  actions_list: { readonly variables: actions_listQueryVariables; readonly data: unknown }
  actions_create: { readonly variables: actions_createMutationVariables; readonly data: unknown }
  actions_retrieve: { readonly variables: actions_retrieveQueryVariables; readonly data: unknown }
  actions_update: { readonly variables: actions_updateMutationVariables; readonly data: unknown }
}
