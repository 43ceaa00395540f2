import type { UserId } from "../../../kernel/ids.js"
import type { Principal } from "../../../kernel/request-context.js"

/** What a key may do and where. */
export type KeyBounds = Pick<Principal, "scopes" | "projectIds" | "organizationIds">

/** A personal key as its owner sees it; its value is shown once, when it is made. */
export interface PersonalKey extends KeyBounds {
  readonly id: string
  readonly userId: UserId
  readonly label: string
  /** First and last four characters of the newest value. */
  readonly maskedValue: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** When its newest value was made; null while that is its first. */
  readonly lastRolledAt: Date | null
  /** Until when the value before the newest is still accepted; null when it is not. */
  readonly previousValueExpiresAt: Date | null
}

/** A key together with its value, which cannot be read again later. */
export interface IssuedKey extends PersonalKey {
  readonly value: string
}

/** One value of a key as it is stored. */
export interface StoredSecret {
  readonly id: string
  /** `sha256$…` */
  readonly hash: string
  /** First and last four characters. */
  readonly maskedValue: string
}

/** A key to be stored, with its first value. */
export interface NewPersonalKey extends KeyBounds {
  readonly id: string
  readonly userId: UserId
  readonly label: string
  readonly secret: StoredSecret
}

/** A new value for a key. */
export interface SecretChange {
  readonly userId: UserId
  readonly keyId: string
  readonly secret: StoredSecret
  readonly previousExpiresAt: Date
}
