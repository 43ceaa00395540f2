import { asPersonId, type PersonId, type ProjectId } from "../../kernel/ids.js"
import { deriveUuid } from "../../kernel/uuid-v5.js"

/**
 * Namespace of person ids, fixed for ever: the same project and distinct id give the same person everywhere
 * (`docs/contract/capture.md#person-profiles`).
 */
const NAMESPACE = Buffer.from("932979b465c3442484670b66ec27bc22", "hex")

/** The id of the person that a distinct id creates, and of its events without a profile: UUIDv5 of `<project>:<distinct id>`. */
export const derivePersonId = (projectId: ProjectId, distinctId: string): PersonId =>
  asPersonId(deriveUuid(NAMESPACE, `${projectId}:${distinctId}`))

/**
 * The id to use when `derivePersonId` already belongs to a living person that was split from this distinct id. It is
 * unique: versions of a distinct id never repeat, and no distinct id contains the character between the two.
 */
export const deriveNextPersonId = (projectId: ProjectId, distinctId: string, version: number): PersonId =>
  asPersonId(deriveUuid(NAMESPACE, `${projectId}:${distinctId}\u0000${version}`))
