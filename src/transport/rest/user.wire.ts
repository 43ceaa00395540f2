import type { Json } from "../../kernel/json.js"

/** The GraphQL fields behind a user object on the wire. */
export const USER_FIELDS =
  "id uuid distinctId firstName lastName email isEmailVerified hedgehogConfig roleAtOrganization"

/** A user as the operations answer it. */
export interface UserData {
  readonly id: number
  readonly uuid: string
  readonly distinctId: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly isEmailVerified: boolean | null
  readonly hedgehogConfig: Json
  readonly roleAtOrganization: string | null
}

/** The user object of `interface.md`, null when the user is gone. */
export function toWireUser(user: UserData | null) {
  if (user === null) return null
  return {
    id: Number(user.id),
    uuid: user.uuid,
    distinct_id: user.distinctId,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    is_email_verified: user.isEmailVerified,
    hedgehog_config: user.hedgehogConfig,
    role_at_organization: user.roleAtOrganization,
  }
}
