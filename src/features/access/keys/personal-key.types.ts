import type { UserId } from "../../../kernel/ids.js"
import type { Principal } from "../../../kernel/request-context.js"
import type { IssuedPersonalApiKeyType, PersonalApiKeyType } from "./personal-key.graphql.js"

/** What a key may do and where. */
export type KeyBounds = Pick<Principal, "scopes" | "projectIds" | "organizationIds">

/** A personal key as its owner sees it; its value is shown once, when it is made. */
export type PersonalKey = Readonly<PersonalApiKeyType>

/** A key together with its value, which cannot be read again later. */
export type IssuedKey = Readonly<IssuedPersonalApiKeyType>

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
