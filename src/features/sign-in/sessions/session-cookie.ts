import type { BrowserRequest } from "../../../kernel/browser-route.types.js"
import { SESSION_COOKIE } from "../../../kernel/browser-session.js"
import { SESSION_LIVES_MS } from "./session-authenticator.js"

/**
 * The cookie with which a browser keeps a session for as long as an unused one lives; with an empty token it forgets it. No
 * script reads it; no request of another site has it, but for links that are followed.
 */
export function toSessionCookie({ siteUrl }: Pick<BrowserRequest, "siteUrl">, token: string): string {
  const maxAgeSeconds = token === "" ? 0 : SESSION_LIVES_MS / 1000
  const secure = siteUrl.startsWith("https:") ? "; Secure" : ""
  return `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`
}
