import type { OrganizationRole } from "../../access/index.js"

/** How people sign in by a provider of OpenID Connect, as the operator has set it. */
export interface OidcSettings {
  readonly issuer: URL
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  /** What the button says. */
  readonly name: string
  /** Domains of mail whose users may sign in, in lower case; none lets in every address that the provider has verified. */
  readonly allowedDomains: readonly string[]
  /** Role, in the first organization, of somebody who was not known here; null lets in only who was. */
  readonly newUserRole: OrganizationRole | null
}
