import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import type { OrganizationRole } from "../access.types.js"
import type { NewPersonalKey } from "../keys/personal-key.types.js"
import type { AcceptedInvitationType, MeType, OrganizationType } from "./me.graphql.js"

/** An organization with the caller's own role in it. */
export type OwnOrganization = Readonly<OrganizationType>

/** An organization as seen by one of its members. */
export type Organization = Omit<OwnOrganization, "role">

/** What a caller learns about themselves; the scopes are those of the calling key. */
export type Me = Readonly<MeType>

/** A user with what only the user and colleagues in the same organization see. */
export type User = Omit<Me, "scopes">

/** A user to be stored. */
export type NewUser = Pick<User, "uuid" | "distinctId" | "email" | "firstName" | "lastName" | "currentProjectId">

/** What a user may change about themselves; an absent field stays as it is. */
export type UserChanges = Partial<
  Pick<User, "firstName" | "lastName" | "roleAtOrganization" | "hedgehogConfig"> & { currentProjectId: ProjectId }
>

/** Somebody to be asked into an organization. */
export interface Invitation {
  readonly organizationId: OrganizationId
  readonly role: OrganizationRole
  readonly user: NewUser
  /**
   * Key with which a user who is new here joins at once, null for one who joins by the link; somebody known keeps their own
   * keys and gets none.
   */
  readonly firstKey: Omit<NewPersonalKey, "userId"> | null
  /** Of what somebody has to accept with who does not join at once, and until when. */
  readonly tokenHash: string
  readonly expiresAt: Date
  readonly invitedBy: UserId
}

/** The outcome of an invitation. */
export interface Invited {
  readonly user: User
  /** Value of the new user's first key; null for somebody who has to accept. */
  readonly personalApiKey: string | null
  /** What they accept with; null for a user who has joined. */
  readonly invitationToken: string | null
  /** The same as a link for browsers. */
  readonly invitationLink: string | null
}

/** Whom a token invites. */
export interface InvitedPerson {
  readonly userId: UserId
  readonly email: string
  /** Whether nobody has been this user yet: no membership and no key. Else only the user themselves may accept. */
  readonly isNew: boolean
}

/** Somebody who accepts an invitation. */
export interface Acceptance {
  readonly userId: UserId
  readonly tokenHash: string
  /** The key that the user needs to reach the organization; null when the calling one does. */
  readonly keyFor: (organizationId: OrganizationId) => Omit<NewPersonalKey, "userId"> | null
  readonly maxKeys: number
}

/** The outcome of an acceptance. */
export type Accepted = Readonly<AcceptedInvitationType>
