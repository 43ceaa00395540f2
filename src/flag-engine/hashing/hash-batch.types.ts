/** What an identifier is hashed with: SHA-1 of `prefix + identifier + salt` (`docs/contract/flags.md#hashing`). */
export interface HashInput {
  readonly prefix: string
  /** `variant` where a flag's variant is drawn. */
  readonly salt: "" | "variant"
}

/** Hashes that the flags of a project need, which ask for most of them with the same identifier, one after the other. */
export interface HashBatch {
  /** Hash of an identifier with input number `index`, as a fraction from 0 to 1. */
  hash(index: number, identifier: string): number
}

/** Makes the batch of some inputs. */
export type CreateHashBatch = (inputs: readonly HashInput[]) => HashBatch
