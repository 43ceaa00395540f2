import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client"
import type { OidcSettings } from "./oidc.types.js"

const SCOPE = "openid email profile"
const TIMEOUT_SECONDS = 10

/** What a browser has to bring back from the provider, or what only this server and the browser know. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Who somebody is, in the words of the provider. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Null unless the provider has verified it. */
  readonly email: string | null
  readonly name: string
}

/** The provider of OpenID Connect that the operator has chosen. */
export interface OidcProvider {
  /** Where a browser is sent, and the attempt that it has to keep. Rejects when the provider does not answer. */
  begin(redirectUrl: string): Promise<{ readonly url: string; readonly attempt: Attempt }>
  /** Who came back to `callbackUrl`. Rejects when anything about it is not as it should be. */
  finish(callbackUrl: URL, attempt: Attempt): Promise<Identity>
}

/** Makes the client of a provider; its metadata is read when somebody signs in, again after that failed. */
export function createOidcProvider({ issuer, clientId, clientSecret }: OidcSettings): OidcProvider {
  let discovered: Promise<Configuration> | null = null
  const discover = (): Promise<Configuration> => {
    discovered ??= discovery(issuer, clientId, clientSecret ?? undefined, undefined, {
      timeout: TIMEOUT_SECONDS,
      // The environment lets only a provider on this very machine do without TLS.
      execute: issuer.protocol === "http:" ? [allowInsecureRequests] : [],
    })
    return discovered.catch((failure: unknown) => {
      discovered = null
      throw failure
    })
  }
  return {
    begin: async (redirectUrl) => {
      const configuration = await discover()
      const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUrl,
        scope: SCOPE,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: "S256",
      })
      return { url: url.href, attempt }
    },
    finish: async (callbackUrl, { state, nonce, verifier }) => {
      const configuration = await discover()
      const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error("the provider sent no id token")
      const profile = { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
      const isVerified = profile.email_verified === true && typeof profile.email === "string"
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: isVerified ? String(profile.email).toLowerCase() : null,
        name: typeof profile.name === "string" ? profile.name : "",
      }
    },
  }
}
