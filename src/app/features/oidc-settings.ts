import type { OidcSettings } from "../../features/sign-in/index.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import type { Environment } from "../environment.js"

type OidcEnvironment = Pick<
  Environment,
  "oidcIssuer" | "oidcClientId" | "oidcClientSecret" | "oidcName" | "oidcAllowedDomains" | "oidcNewUserRole"
>

/** How people sign in by a provider; null without one. @throws StartupError where something of it is missing. */
export function toOidcSettings(environment: OidcEnvironment): OidcSettings | null {
  const { oidcIssuer: issuer, oidcClientId: clientId } = environment
  if (issuer === null) return null
  if (clientId === null) throw new StartupError("OIDC_ISSUER needs OIDC_CLIENT_ID: the provider gives it.")
  return {
    issuer,
    clientId,
    clientSecret: environment.oidcClientSecret,
    name: environment.oidcName,
    allowedDomains: environment.oidcAllowedDomains,
    newUserRole: environment.oidcNewUserRole,
  }
}
