/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
export type organizations_listQueryVariables = Exact<{
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
}>

export type organizations_retrieveQueryVariables = Exact<{
  id?: string | null | undefined
}>

export interface OrganizationsOperations {
  organizations_list: { readonly variables: organizations_listQueryVariables; readonly data: unknown }
  organizations_retrieve: { readonly variables: organizations_retrieveQueryVariables; readonly data: unknown }
}
