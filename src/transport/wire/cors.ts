import type { IncomingHttpHeaders } from "node:http"

const ONE_DAY_SECONDS = "86400"

/** In the query of all releases of posthog-js that send with credentials: the time by the clock of the page. */
const SENT_WITH_CREDENTIALS = "_"

/**
 * Headers that let a page of any origin read the answer, whatever its status: without them an SDK sees status 0 and
 * sends its events again (`docs/contract/sdk-wire.md#cors`). `methods` is a list as headers write one.
 *
 * No credentials, as project keys travel in the body and a mirrored origin with credentials would open whatever cookies
 * there are. The exception is posthog-js where it uses XMLHttpRequest, always up to 1.8x and on request up to 1.39x: it
 * sends `withCredentials`, and a browser hides from it any answer that does not allow them. It says its time in the
 * query, of preflights too, and no path that is open to other origins reads a cookie.
 */
export function anyOriginHeaders(
  headers: IncomingHttpHeaders,
  methods: string,
  query?: URLSearchParams,
): Record<string, string> {
  const origin = headers.origin
  const allowed: Record<string, string> = {
    "Access-Control-Allow-Origin": origin ?? "*",
    "Access-Control-Expose-Headers":
      "X-Dropped-Events, Retry-After, ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset",
  }
  if (origin !== undefined) allowed.Vary = "Origin"
  if (origin !== undefined && query?.has(SENT_WITH_CREDENTIALS)) allowed["Access-Control-Allow-Credentials"] = "true"
  if (headers["access-control-request-method"] === undefined) return allowed
  allowed["Access-Control-Allow-Methods"] = methods
  allowed["Access-Control-Allow-Headers"] = headers["access-control-request-headers"] ?? "*"
  allowed["Access-Control-Max-Age"] = ONE_DAY_SECONDS
  return allowed
}
