import { COOKIELESS_DISTINCT_ID } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import type { CookielessDropReason, CookielessVisit } from "../cookieless.types.js"
import { canonicalAddress } from "./canonical-address.js"
import { toRootDomain } from "./root-domain.js"
import { dayIn, isDayInRange } from "./visit-day.js"

/** As capture logs `$cookieless_mode` where the project keeps nothing of visitors; clients can only send a boolean. */
export const STATELESS_MARK = "stateless"

const MAX_EXTRA_LENGTH = 100
/** No browser and no host has more to say; what is longer is made up, and would be hashed for milliseconds. */
const MAX_TEXT_LENGTH = 1_000
/** They would join ids for good that stand for somebody else tomorrow. */
const UNSUPPORTED_EVENTS: ReadonlySet<string> = new Set(["$create_alias", "$merge_dangerously"])

interface VisitEvent {
  readonly event: string
  readonly distinctId: string
  readonly properties: JsonObject
  /** ISO 8601. */
  readonly timestamp: string
}

/** Whether an event is one of a visitor without cookies, whoever it is about. */
export const isCookieless = ({ $cookieless_mode: mode }: JsonObject): boolean =>
  mode === true || mode === STATELESS_MARK

/**
 * What a cookieless event says of its visitor, or why it cannot be used
 * (`docs/contract/capture.md#visitors-without-cookies`). Depends on nothing but the logged request, so that ingestion
 * comes to what capture came to. What the client wrote as `$ip` goes before the address it came from.
 */
export function readVisit(
  { event, distinctId, properties, timestamp }: VisitEvent,
  { clientIp, receivedAtMs }: { readonly clientIp: string; readonly receivedAtMs: number },
): CookielessVisit | CookielessDropReason {
  if (UNSUPPORTED_EVENTS.has(event)) return "cookieless_unsupported_event"
  const isStateless = properties.$cookieless_mode === STATELESS_MARK
  if (isStateless && event === "$identify") return "cookieless_stateless_identify"
  const userAgent = toText(properties.$raw_user_agent)
  if (userAgent === "") return "cookieless_missing_user_agent"
  const address = toText(properties.$ip === undefined ? clientIp : properties.$ip)
  if (address === "") return "cookieless_missing_ip"
  const host = toText(properties.$host)
  if (host === "") return "cookieless_missing_host"
  const timestampMs = Date.parse(timestamp)
  const day = dayIn(properties.$timezone, timestampMs)
  if (!isDayInRange(day, receivedAtMs)) return "cookieless_timestamp_out_of_range"
  return {
    ipAddress: canonicalAddress(address),
    rootDomain: toRootDomain(host),
    userAgent,
    extra: toText(properties.$cookieless_extra).slice(0, MAX_EXTRA_LENGTH),
    day,
    timestampMs,
    isStateless,
    isLogin: event === "$identify" && isLogin(distinctId, properties),
  }
}

const isLogin = (distinctId: string, { $anon_distinct_id: anonymousId }: JsonObject): boolean =>
  anonymousId === COOKIELESS_DISTINCT_ID && distinctId !== COOKIELESS_DISTINCT_ID

const toText = (value: Json | undefined): string =>
  typeof value === "string" ? value.trim().slice(0, MAX_TEXT_LENGTH) : ""
