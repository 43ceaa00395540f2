import { createHash } from "node:crypto"
import { asPersonId, type PersonId, type ProjectId } from "../../kernel/ids.js"

/**
 * Namespace of person ids, fixed for ever: the same project and distinct id give the same person everywhere
 * (`capture.md` 3.7).
 */
const NAMESPACE = Buffer.from("932979b465c3442484670b66ec27bc22", "hex")

/** The id of the person that a distinct id creates, and of its events without a profile: UUIDv5 of `<project>:<distinct id>`. */
export const personIdOf = (projectId: ProjectId, distinctId: string): PersonId => uuidV5(`${projectId}:${distinctId}`)

/**
 * The id to use when `personIdOf` already belongs to a living person that was split from this distinct id. It is
 * unique: versions of a distinct id never repeat, and no distinct id contains the character between the two.
 */
export const nextPersonIdOf = (projectId: ProjectId, distinctId: string, version: number): PersonId =>
  uuidV5(`${projectId}:${distinctId}\u0000${version}`)

function uuidV5(name: string): PersonId {
  const digest = createHash("sha1").update(NAMESPACE).update(name).digest()
  digest[6] = ((digest[6] as number) & 0x0f) | 0x50
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80
  const hex = digest.toString("hex", 0, 16)
  return asPersonId(`${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`)
}
