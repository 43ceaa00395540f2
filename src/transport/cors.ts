import type { IncomingHttpHeaders } from "node:http"

const ONE_DAY_SECONDS = "86400"

/**
 * Headers that let a page of any origin read the answer, whatever its status: without them an SDK sees status 0 and
 * sends its events again (`reference/sdk-wire.md` rule 6). No credentials: project keys travel in the body, and a
 * mirrored origin with credentials would open whatever cookies there are. `methods` is a list as headers write one.
 */
export function anyOriginHeaders(headers: IncomingHttpHeaders, methods: string): Record<string, string> {
  const origin = headers.origin
  const allowed: Record<string, string> = {
    "Access-Control-Allow-Origin": origin ?? "*",
    "Access-Control-Expose-Headers":
      "X-Dropped-Events, Retry-After, ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset",
  }
  if (origin !== undefined) allowed.Vary = "Origin"
  if (headers["access-control-request-method"] === undefined) return allowed
  allowed["Access-Control-Allow-Methods"] = methods
  allowed["Access-Control-Allow-Headers"] = headers["access-control-request-headers"] ?? "*"
  allowed["Access-Control-Max-Age"] = ONE_DAY_SECONDS
  return allowed
}
