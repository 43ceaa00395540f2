/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
export type personal_api_keys_current_retrieveQueryVariables = Exact<{ [key: string]: never }>

export interface PersonalApiKeysOperations {
  personal_api_keys_current_retrieve: {
    readonly variables: personal_api_keys_current_retrieveQueryVariables
    readonly data: unknown
  }
}
