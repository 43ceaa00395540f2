import { Secret, TOTP } from "otpauth"
import type { Ids } from "../../../platform/ids/ids.js"

const ISSUER = "Waymark"
const PERIOD_MS = 30_000
/** As RFC 4226 section 4 asks for. */
const SECRET_BYTES = 20
/** Clocks may be apart by one stretch (RFC 6238 section 5.2). */
const WINDOW = 1
const SHAPE = /^\d{6}$/

/** Makes a secret for an authenticator, in base32. */
export const makeTotpSecret = (ids: Pick<Ids, "bytes">): string => toSecret(ids.bytes(SECRET_BYTES)).base32

/** The address by which authenticators take a secret, which pages show as a picture. */
export const toTotpUri = (secret: string, email: string): string => toTotp(secret, email).toString()

/** The stretch of 30 seconds since the epoch whose code this is, of those that count then; null for a wrong code. */
export function findStep(secret: string, code: string, nowMs: number): number | null {
  if (!SHAPE.test(code)) return null
  const distance = toTotp(secret).validate({ token: code, timestamp: nowMs, window: WINDOW })
  return distance === null ? null : Math.floor(nowMs / PERIOD_MS) + distance
}

const toTotp = (secret: string, label?: string): TOTP =>
  new TOTP({ issuer: ISSUER, secret: Secret.fromBase32(secret), ...(label !== undefined && { label }) })

/** A copy: buffers of Node share their memory. */
const toSecret = (bytes: Buffer): Secret => new Secret({ buffer: new Uint8Array(bytes).buffer })
