/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
export type QueryRunState = "QUEUED" | "RUNNING" | "COMPLETE" | "FAILED" | "CANCELLED"
export type RunQueryInput = {
  query: Json
  clientQueryId?: string | null | undefined
  refresh?: Json | null | undefined
  async?: boolean | null | undefined
  filtersOverride?: Json | null | undefined
  variablesOverride?: Json | null | undefined
}

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

export interface QueryOperations {
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
}
