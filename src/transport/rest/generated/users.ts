/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] }
export type Incremental<T> = T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never }
import type { Json } from "../../../kernel/json.js"
export type OrganizationRole = "OWNER" | "ADMIN" | "MEMBER" | "VIEWER"

export type users_me_retrieveQueryVariables = Exact<{ [key: string]: never }>

export type users_me_retrieveQuery = {
  me: {
    id: number
    uuid: string
    distinctId: string
    firstName: string
    lastName: string
    email: string
    isEmailVerified: boolean
    hedgehogConfig: Json | null
    roleAtOrganization: string | null
    createdAt: string
    currentProject: {
      id: number
      uuid: string
      organizationId: string
      apiToken: string | null
      name: string
      ingestedEvent: boolean
      timezone: string
    } | null
    organizations: Array<{
      id: string
      name: string
      createdAt: string
      role: OrganizationRole
      membersCanUsePersonalApiKeys: boolean
    }>
  }
}

export interface UsersOperations {
  users_me_retrieve: { readonly variables: users_me_retrieveQueryVariables; readonly data: users_me_retrieveQuery }
}
