import { hash } from "node:crypto"
import { asPersonId, type PersonId, type ProjectId } from "../../kernel/ids.js"

/**
 * Namespace of person ids, fixed for ever: the same project and distinct id give the same person everywhere
 * (`docs/contract/capture.md#person-profiles`).
 */
const NAMESPACE = Buffer.from("932979b465c3442484670b66ec27bc22", "hex")
/** The variant of RFC 9562 is in the upper two bits of this digit. */
const VARIANT_DIGITS = "89ab"
/** UTF-8 has no more for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3

/** The id of the person that a distinct id creates, and of its events without a profile: UUIDv5 of `<project>:<distinct id>`. */
export const derivePersonId = (projectId: ProjectId, distinctId: string): PersonId =>
  uuidV5(`${projectId}:${distinctId}`)

/**
 * The id to use when `derivePersonId` already belongs to a living person that was split from this distinct id. It is
 * unique: versions of a distinct id never repeat, and no distinct id contains the character between the two.
 */
export const deriveNextPersonId = (projectId: ProjectId, distinctId: string, version: number): PersonId =>
  uuidV5(`${projectId}:${distinctId}\u0000${version}`)

/** In one call: a person is named for nearly every event, and a hash object takes two and a half times as long. */
function uuidV5(name: string): PersonId {
  const named = Buffer.allocUnsafe(NAMESPACE.length + name.length * MAX_BYTES_PER_UNIT)
  NAMESPACE.copy(named)
  const length = NAMESPACE.length + named.write(name, NAMESPACE.length)
  const hex = hash("sha1", named.subarray(0, length), "hex")
  const variant = VARIANT_DIGITS[Number.parseInt(hex.charAt(16), 16) & 0x3]
  return asPersonId(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  )
}
