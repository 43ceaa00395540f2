import { sha1Fraction } from "./sha1-fraction.js"
import { createSha1Lanes, HashBatch } from "./sha1-lanes.js"

/** Put behind the identifier where a flag's variants are drawn (`docs/contract/flags.md#hashing`). */
export type Salt = "" | "variant"

/** Null where there is no WebAssembly. */
const lanes = createSha1Lanes()

/**
 * Where identifiers fall for one prefix, 0 to 1. The flags of a request ask for the same identifier in turn, so that in a
 * batch (`batchHashes`) the next three are worked out along with the first.
 */
export class FlagHash {
  readonly prefix: string
  readonly salt: Salt
  /** Null while it is in none. */
  batch: HashBatch | null = null
  /** Its place in the batch. */
  member = 0
  #lastIdentifier = ""
  #lastFraction = 0

  constructor(prefix: string, salt: Salt) {
    this.prefix = prefix
    this.salt = salt
  }

  /** An empty identifier is always at 0 (`docs/contract/flags.md#hashing`). */
  of(identifier: string): number {
    if (identifier === "") return 0
    const fraction = this.batch === null ? -1 : this.batch.fractionOf(this.member, identifier)
    return fraction >= 0 ? fraction : this.#alone(identifier)
  }

  /** A flag's conditions ask for the same identifier in turn. */
  #alone(identifier: string): number {
    if (identifier !== this.#lastIdentifier) {
      this.#lastFraction = sha1Fraction(this.prefix, identifier, this.salt)
      this.#lastIdentifier = identifier
    }
    return this.#lastFraction
  }
}

/**
 * Puts hashes that are likely asked for together into one batch. May be called again: the last batch counts. Null where there
 * are no batches.
 */
export function batchHashes(hashes: readonly FlagHash[]): HashBatch | null {
  if (lanes === null) return null
  // Those of about the same length together: a group takes as many blocks as its longest message.
  const fitting = hashes.filter(HashBatch.fits).sort((left, right) => lengthOf(left) - lengthOf(right))
  const members = fitting.slice(0, HashBatch.MAX_MEMBERS)
  const batch = new HashBatch(lanes, members)
  for (const [member, hash] of members.entries()) {
    hash.batch = batch
    hash.member = member
  }
  return batch
}

const lengthOf = ({ prefix, salt }: FlagHash): number => prefix.length + salt.length
