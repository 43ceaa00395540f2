import { COOKIELESS_DISTINCT_ID } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { RequestHeaders } from "../../../kernel/request-headers.js"
import { type ProjectVisit, readCookielessMode, readVisit, STATELESS_MARK } from "../../cookieless/index.js"
import type { DecideProject } from "../flags.types.js"

interface VisitorCall {
  readonly body: Json | undefined
  readonly headers: RequestHeaders
  readonly clientIp: string
}

/**
 * What a decision request of a browser without cookies tells of its visitor: the address, the page's origin and the
 * user agent, which its events name as well, and `timezone`, `ip_address` and `cookieless_hash_extra`
 * (`docs/contract/flags.md#decision-fields`).
 * @returns null for every other caller, for one that tells too little, and where the project wants no such visitors.
 */
export function readCallerVisit(
  { projectId, settings }: DecideProject,
  distinctId: string,
  { body, headers, clientIp }: VisitorCall,
  nowMs: number,
): ProjectVisit | null {
  if (distinctId !== COOKIELESS_DISTINCT_ID || !isJsonObject(body)) return null
  const mode = readCookielessMode(settings)
  if (mode === "off") return null
  const { timezone = null, ip_address: ipAddress, cookieless_hash_extra: extra = null } = body
  const properties = {
    $cookieless_mode: mode === "stateless" ? STATELESS_MARK : true,
    $raw_user_agent: headers["user-agent"] ?? null,
    $host: hostOf(headers.origin) ?? hostOf(headers.referer) ?? null,
    $timezone: timezone,
    $cookieless_extra: extra,
    ...(typeof ipAddress === "string" && { $ip: ipAddress }),
  }
  const timestamp = new Date(nowMs).toISOString()
  const visit = readVisit({ event: "", distinctId, properties, timestamp }, { clientIp, receivedAtMs: nowMs })
  return typeof visit === "string" ? null : { projectId, ...visit }
}

const hostOf = (address: string | string[] | undefined): string | null =>
  typeof address === "string" && URL.canParse(address) ? new URL(address).host : null
