import { createHash, timingSafeEqual } from "node:crypto"
import type { CredentialKind } from "../../../kernel/request-context.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { StoredSecret } from "./personal-key.types.js"

/** How every personal key begins. */
export const PERSONAL_KEY_PREFIX = "phx_"
/** How every secret key of a project begins. */
export const PROJECT_SECRET_PREFIX = "phs_"
/**
 * Checked before hashing, so that a huge header costs nothing (`docs/contract/faults.md#keys-of-unlikely-form`). Real
 * keys have 47 characters.
 */
const PERSONAL_KEY = /^phx_[\w-]{1,128}$/
const PROJECT_SECRET = /^phs_[\w-]{1,128}$/
/** A shorter value shows no ending: too little of it would stay secret. */
const SHORTEST_WITH_ENDING = 16

/** Whether a text has the shape of a personal key; anything else is refused unread. */
export const isPersonalKeyText = (text: string): boolean => PERSONAL_KEY.test(text)

/** The same for a secret key of a project. */
export const isProjectSecretText = (text: string): boolean => PROJECT_SECRET.test(text)

/** What a text claims to be, by how it begins. */
export function toCredentialKind(text: string): CredentialKind {
  if (text.startsWith(PROJECT_SECRET_PREFIX)) return "project secret key"
  return text.startsWith("phc_") ? "project key" : "personal key"
}

/**
 * How a key is kept at rest: `sha256$` and the hexadecimal SHA-256 of the whole text
 * (`docs/contract/management.md#keys`).
 */
export const hashSecret = (value: string): string => `sha256$${createHash("sha256").update(value).digest("hex")}`

/** Compares two stored hashes in constant time. */
export function isSameHash(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** What is stored of a value: its hash, and its first and last four characters to recognise it by. */
export function createSecret(ids: Pick<Ids, "uuidV7">, value: string): StoredSecret {
  const ending = value.length < SHORTEST_WITH_ENDING ? "" : value.slice(-4)
  return { id: ids.uuidV7(), hash: hashSecret(value), maskedValue: `${value.slice(0, 4)}...${ending}` }
}
