/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
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

export interface FeatureFlagOperations {
  feature_flag_local_evaluation_retrieve: {
    readonly variables: feature_flag_local_evaluation_retrieveQueryVariables
    readonly data: feature_flag_local_evaluation_retrieveQuery
  }
  feature_flag_list: { readonly variables: feature_flag_listQueryVariables; readonly data: feature_flag_listQuery }
}
