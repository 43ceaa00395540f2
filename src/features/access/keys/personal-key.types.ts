import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"

/** What a key may do and where. */
export interface KeyBounds {
  readonly scopes: readonly string[]
  /** Null means every project of the user. */
  readonly projectIds: readonly ProjectId[] | null
  /** Null means every organization of the user. */
  readonly organizationIds: readonly OrganizationId[] | null
}

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

/** Personal keys at rest. Every change writes the audit log in the same transaction. */
export interface PersonalKeyRepository {
  /** Live keys of a user, oldest first. */
  list(userId: UserId, now: Date): Promise<PersonalKey[]>
  /** Stores a key; null when the user already has `maxLive` live keys. Safe against concurrent creation. */
  insert(key: NewPersonalKey, now: Date, maxLive: number): Promise<PersonalKey | null>
  /**
   * Makes `secret` the newest value of a live key and lets the value before it live until `previousExpiresAt`; all older
   * values end now. Null when the user has no such live key.
   */
  replaceSecret(change: SecretChange, now: Date): Promise<PersonalKey | null>
  /** Ends a key with all its values; null when the user has no such live key. */
  revoke(userId: UserId, id: string, now: Date): Promise<PersonalKey | null>
}

/** A new value for a key. */
export interface SecretChange {
  readonly userId: UserId
  readonly keyId: string
  readonly secret: StoredSecret
  readonly previousExpiresAt: Date
}
