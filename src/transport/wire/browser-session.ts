import type { IncomingMessage } from "node:http"
import { CONSOLE_HEADER, SESSION_COOKIE } from "../../kernel/browser-session.js"

type Head = Pick<IncomingMessage, "headers">

/** The value of a cookie; null when the request has none of this name, or an empty one. */
export function readCookie({ headers }: Head, name: string): string | null {
  const start = `${name}=`
  const pair = headers.cookie?.split(";").find((one) => one.trimStart().startsWith(start))
  return pair?.trim().slice(start.length) || null
}

/** Whether a page of this server says that it sent the request (`kernel/browser-session.ts`). */
export const isFromConsole = ({ headers }: Head): boolean => headers[CONSOLE_HEADER] === "1"

/**
 * The session of a request. A browser adds its cookie to requests of other sites' forms and links too, so it counts only
 * together with the header.
 */
export const readSession = (request: Head): string | undefined =>
  isFromConsole(request) ? (readCookie(request, SESSION_COOKIE) ?? undefined) : undefined

/**
 * The session of a socket, whose head no page can add to: it has to say in `connection_init` that it is of the console, and the
 * page that opened it has to be of this host, or of `siteUrl` where a proxy calls this server by another name.
 */
export function readSocketSession(
  request: Head,
  parameters: Readonly<Record<string, unknown>> | undefined,
  siteUrl: string | null,
): string | undefined {
  if (parameters?.console !== true || !isOwnOrigin(request, siteUrl)) return undefined
  return readCookie(request, SESSION_COOKIE) ?? undefined
}

function isOwnOrigin({ headers: { origin, host } }: Head, siteUrl: string | null): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  const page = new URL(origin)
  return page.host === host || (siteUrl !== null && page.origin === new URL(siteUrl).origin)
}
