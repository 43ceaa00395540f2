/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
export type flags_definitions_retrieveQueryVariables = Exact<{
  knownRevision?: string | null | undefined
  withCohorts?: boolean | null | undefined
  projectId?: string | null | undefined
}>

export type flags_definitions_retrieveQuery = { definitions: { revision: string; body: Json | null } }

export interface FlagsOperations {
  flags_definitions_retrieve: {
    readonly variables: flags_definitions_retrieveQueryVariables
    readonly data: flags_definitions_retrieveQuery
  }
}
