import type { BrowserRequest, BrowserRoute } from "../../../kernel/browser-route.types.js"
import type { Reply } from "../../../kernel/reply.js"
import type { Logger } from "../../../platform/logger/logger.js"
import { toSessionCookie } from "../sessions/session-cookie.js"
import type { Visitor } from "../sign-in.types.js"
import type { Attempt, Identity, OidcProvider } from "./oidc-provider.js"

const ATTEMPT_COOKIE = "waymark_oidc"
const ATTEMPT_LIVES_SECONDS = 600

/** Why somebody who was at the provider is not let in; the page at `/sign-in?problem=…` says it in words. */
export type Refusal = "oidc-failed" | "oidc-address" | "oidc-unknown"

export interface OidcRoutesDependencies {
  readonly provider: OidcProvider
  /** Token of the session that begins, or why none does. */
  readonly arrive: (identity: Identity, visitor: Visitor) => Promise<{ readonly token: string } | Refusal>
  readonly announceEnded: () => Promise<void>
  readonly logger: Logger
}

/** The two addresses that a browser visits on its way to the provider and back. */
export function createOidcRoutes({
  provider,
  arrive,
  announceEnded,
  logger,
}: OidcRoutesDependencies): readonly BrowserRoute[] {
  const failed = (failure: unknown): Reply => {
    logger.warn("signing in by OpenID Connect failed", { err: failure })
    return redirect("/sign-in?problem=oidc-failed")
  }
  return [
    {
      method: "GET",
      path: "/auth/oidc/start",
      answer: async (request) => {
        try {
          const { url, attempt } = await provider.begin(toCallback(request).href)
          return redirect(url, toAttemptCookie(request, attempt))
        } catch (failure) {
          return failed(failure)
        }
      },
    },
    {
      method: "GET",
      path: "/auth/oidc/callback",
      answer: async (request) => {
        const callback = toCallback(request)
        callback.search = request.query.toString()
        let outcome: { readonly token: string } | Refusal
        try {
          outcome = await arrive(await provider.finish(callback, readAttempt(request)), request)
        } catch (failure) {
          return failed(failure)
        }
        if (typeof outcome === "string") return redirect(`/sign-in?problem=${outcome}`)
        await announceEnded()
        return redirect("/", toSessionCookie(request, outcome.token))
      },
    },
  ]
}

const toCallback = ({ siteUrl }: BrowserRequest): URL => new URL(`${siteUrl}/auth/oidc/callback`)

const redirect = (location: string, cookie?: string): Reply => ({
  status: 302,
  headers: { Location: location, ...(cookie !== undefined && { "Set-Cookie": cookie }) },
})

/** Lax, because the provider's page leads back here. The values are no secrets of anybody but this browser. */
function toAttemptCookie({ siteUrl }: BrowserRequest, { state, nonce, verifier }: Attempt): string {
  const secure = siteUrl.startsWith("https:") ? "; Secure" : ""
  const value = [state, nonce, verifier].join(".")
  return `${ATTEMPT_COOKIE}=${value}; Path=/auth/oidc; HttpOnly; SameSite=Lax; Max-Age=${ATTEMPT_LIVES_SECONDS}${secure}`
}

/** Empty values, which nothing equals, for a browser that began nothing here. */
function readAttempt(request: BrowserRequest): Attempt {
  const [state = "", nonce = "", verifier = ""] = (request.cookie(ATTEMPT_COOKIE) ?? "").split(".")
  if (state === "" || verifier === "") throw new Error("the browser brought no attempt back")
  return { state, nonce, verifier }
}
