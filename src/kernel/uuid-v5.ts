import { hash } from "node:crypto"

/** The variant of RFC 9562 is in the upper two bits of this digit. */
const VARIANT_DIGITS = "89ab"
/** UTF-8 has no more for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3

/**
 * The UUIDv5 of a name within a namespace: the same name gives the same one everywhere. In one call: ingestion derives one
 * for nearly every event, and a hash object takes two and a half times as long.
 */
export function deriveUuid(namespace: Buffer, name: string): string {
  const named = Buffer.allocUnsafe(namespace.length + name.length * MAX_BYTES_PER_UNIT)
  namespace.copy(named)
  const length = namespace.length + named.write(name, namespace.length)
  const hex = hash("sha1", named.subarray(0, length), "hex")
  const variant = VARIANT_DIGITS[Number.parseInt(hex.charAt(16), 16) & 0x3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
