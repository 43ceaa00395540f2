import type { Json } from "../../../kernel/json.js"
import type { OffsetWindow, Page } from "../../../kernel/paging.js"
import type { Principal } from "../../../kernel/request-context.js"
import type { OrganizationRole } from "../access.types.js"
import type { Organization, User } from "./user.types.js"

/** What a caller learns about themselves. */
export interface Me extends User {
  readonly scopes: readonly string[]
}

/** Whom to let into an organization, as it came in. */
export interface InviteRequest {
  readonly organizationId?: string | null
  readonly email: string
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly role?: OrganizationRole | null
  readonly keyScopes?: readonly string[] | null
}

/** The outcome of an invitation. */
export interface Invited {
  readonly user: User
  /** Value of the new user's first key; null for somebody who was known here before. */
  readonly personalApiKey: string | null
}

/** What to change about an organization, as it came in; an absent field stays. */
export interface OrganizationRequest {
  readonly name?: string | null
  readonly membersCanUsePersonalApiKeys?: boolean | null
}

/** What users change about themselves, as it came in; an absent field stays. */
export interface MeRequest {
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly roleAtOrganization?: string | null
  readonly hedgehogConfig?: Json
  readonly currentProjectId?: number | null
}

/** An organization with the caller's own role in it. */
export type OwnOrganization = Organization & { readonly role: OrganizationRole }

/** Use cases on users and organizations. Faults are AppErrors naming the field and the rule. */
export interface UsersService {
  me(principal: Principal): Promise<Me>
  updateMe(principal: Principal, request: MeRequest): Promise<Me>
  listOrganizations(principal: Principal): Promise<OwnOrganization[]>
  list(principal: Principal, organizationId: string | null, window: OffsetWindow): Promise<Page<User>>
  createOrganization(principal: Principal, name: string): Promise<OwnOrganization>
  /** For admins and owners. */
  updateOrganization(principal: Principal, id: string, request: OrganizationRequest): Promise<OwnOrganization>
  invite(principal: Principal, request: InviteRequest): Promise<Invited>
  removeMember(principal: Principal, organizationId: string, userId: number): Promise<void>
}
