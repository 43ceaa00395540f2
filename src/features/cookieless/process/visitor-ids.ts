import type { ProjectVisit } from "../cookieless.types.js"
import { sipHash } from "./sip-hash.js"

/** Sets such ids apart from what sites call their users. */
const PREFIX = "cookieless_"

const ENCODER = new TextEncoder()
const hash = (salt: Uint8Array, text: string): string => sipHash(salt, ENCODER.encode(text))

/**
 * The distinct id that a visitor without a name has on one day, after so many logins from the same browser
 * (`docs/contract/capture.md#visitors-without-cookies`). The same for whoever shares address, browser and site, and
 * another one the next day.
 *
 * @param salt of the day
 */
export function toVisitorId(
  salt: Uint8Array,
  { projectId, ipAddress, rootDomain, userAgent, extra }: ProjectVisit,
  logins: number,
): string {
  return PREFIX + hash(salt, `${projectId}-${ipAddress}-${rootDomain}-${userAgent}-${logins}-${extra}`)
}

/** Id of the session that a browser began at a time: a UUIDv7 of that time whose other bits are hashed, not random. */
export function toSessionId(salt: Uint8Array, deviceId: string, beganMs: number): string {
  const time = Math.max(0, beganMs).toString(16).padStart(12, "0")
  const digits = hash(salt, `session-${deviceId}-${beganMs}`) + hash(salt, `${beganMs}-${deviceId}-session`)
  const variant = ((Number.parseInt(digits.slice(3, 4), 16) & 3) | 8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits.slice(0, 3)}-${variant}${digits.slice(4, 7)}-${digits.slice(7, 19)}`
}
