import type { IncomingHttpHeaders } from "node:http"
import type { RequestContext } from "../kernel/request-context.js"

/** Where a personal API key was found, worded as the answer to a wrong key words it. */
export type CredentialPlace = "Authorization header" | "body" | "query string"

export interface Credential {
  /** The key as sent, not checked in any way. */
  readonly key: string
  readonly place: CredentialPlace
}

/** What the wire knows of who calls; `createContext` turns it into a `RequestContext`. */
export interface Caller {
  readonly credential: Credential | null
  readonly headers: IncomingHttpHeaders
  /** Address of the peer socket; the client's own is behind it when proxies are trusted. */
  readonly remoteAddress: string
}

/** Passed in by the app: authenticates the caller and makes what one request carries. */
export type CreateContext = (caller: Caller) => Promise<RequestContext>

const BEARER = /^bearer +(\S+) *$/i

/**
 * Finds the personal API key of a request: header first, then `personal_api_key` in a JSON body, then in the query
 * string (`reference/management.md` section 2). Null when there is none.
 */
export function findCredential(
  authorization: unknown,
  body: unknown,
  query: URLSearchParams | null,
): Credential | null {
  const bearer = typeof authorization === "string" ? BEARER.exec(authorization)?.[1] : undefined
  if (bearer !== undefined) return { key: bearer, place: "Authorization header" }
  const inBody = typeof body === "object" && body !== null ? Reflect.get(body, "personal_api_key") : undefined
  if (typeof inBody === "string" && inBody !== "") return { key: inBody, place: "body" }
  const inQuery = query?.get("personal_api_key")
  return inQuery ? { key: inQuery, place: "query string" } : null
}
