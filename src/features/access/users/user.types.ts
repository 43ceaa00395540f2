import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { OffsetWindow, Page } from "../../../kernel/paging.js"
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

/** What admins may change about their organization; an absent field stays as it is. */
export interface OrganizationChanges {
  readonly name?: string
  readonly membersCanUsePersonalApiKeys?: boolean
}

/** A user with what only the user and colleagues in the same organization see. */
export interface User extends BasicUser {
  readonly isActive: boolean
  readonly createdAt: Date
  readonly currentProjectId: ProjectId | null
}

/** A user to be stored. */
export interface NewUser {
  readonly uuid: string
  readonly distinctId: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly currentProjectId: ProjectId | null
}

/** What a user may change about themselves; an absent field stays as it is. */
export interface UserChanges {
  readonly firstName?: string
  readonly lastName?: string
  readonly roleAtOrganization?: string | null
  readonly hedgehogConfig?: JsonObject | null
  readonly currentProjectId?: ProjectId
}

/** Somebody to be let into an organization. */
export interface Invitation {
  readonly organizationId: OrganizationId
  readonly role: OrganizationRole
  readonly user: NewUser
  /** Key for a user who is new here; somebody known keeps their own keys and gets none. */
  readonly firstKey: Omit<NewPersonalKey, "userId">
  readonly invitedBy: UserId
}

/** What became of an invitation. */
export type InvitationOutcome =
  | { readonly outcome: "created" | "joined"; readonly user: User }
  | { readonly outcome: "already a member" }

/** Users and organizations at rest. Changes write the audit log in the same transaction. */
export interface UserRepository {
  findMany(ids: readonly UserId[]): Promise<BasicUser[]>
  find(id: UserId): Promise<User | null>
  /** Users of any of the organizations, by id. */
  list(organizationIds: readonly OrganizationId[], window: OffsetWindow): Promise<Page<User>>
  findOrganizations(ids: readonly OrganizationId[]): Promise<Organization[]>
  createOrganization(organization: Organization, owner: UserId): Promise<Organization>
  /** Null for an unknown organization. */
  updateOrganization(
    id: OrganizationId,
    changes: OrganizationChanges,
    by: UserId,
    now: Date,
  ): Promise<Organization | null>
  invite(invitation: Invitation, now: Date): Promise<InvitationOutcome>
  update(id: UserId, changes: UserChanges, now: Date): Promise<User | null>
  /**
   * Ends a membership. "last owner" when nobody would be left to run the organization, "not a member" when there is
   * nothing to end.
   */
  removeMember(
    organizationId: OrganizationId,
    userId: UserId,
    by: UserId,
    now: Date,
  ): Promise<"removed" | "not a member" | "last owner">
}
