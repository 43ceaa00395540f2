import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import type { BasicUser, OrganizationRole } from "../access.types.js"
import type { NewPersonalKey } from "../keys/personal-key.types.js"

/** An organization as seen by one of its members. */
export interface Organization {
  readonly id: OrganizationId
  readonly name: string
  /** Whether personal keys of ordinary members are taken; those of admins and owners always are. */
  readonly membersCanUsePersonalApiKeys: boolean
  readonly createdAt: Date
}

/** An organization with the caller's own role in it. */
export type OwnOrganization = Organization & { readonly role: OrganizationRole }

/** A user with what only the user and colleagues in the same organization see. */
export interface User extends BasicUser {
  readonly isActive: boolean
  readonly createdAt: Date
  readonly currentProjectId: ProjectId | null
}

/** What a caller learns about themselves. */
export interface Me extends User {
  /** What the calling key may do. */
  readonly scopes: readonly string[]
}

/** A user to be stored. */
export type NewUser = Pick<User, "uuid" | "distinctId" | "email" | "firstName" | "lastName" | "currentProjectId">

/** What a user may change about themselves; an absent field stays as it is. */
export type UserChanges = Partial<
  Pick<User, "firstName" | "lastName" | "roleAtOrganization" | "hedgehogConfig"> & { currentProjectId: ProjectId }
>

/** Somebody to be let into an organization. */
export interface Invitation {
  readonly organizationId: OrganizationId
  readonly role: OrganizationRole
  readonly user: NewUser
  /** Key for a user who is new here; somebody known keeps their own keys and gets none. */
  readonly firstKey: Omit<NewPersonalKey, "userId">
  readonly invitedBy: UserId
}

/** The outcome of an invitation. */
export interface Invited {
  readonly user: User
  /** Value of the new user's first key; null for somebody who was known here before. */
  readonly personalApiKey: string | null
}
