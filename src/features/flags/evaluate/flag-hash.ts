import { createSha1Lanes, type LaneGroup } from "./lanes/sha1-lanes.js"
import { sha1Fraction } from "./sha1-fraction.js"

/** Put behind the identifier where a flag's variants are drawn (`reference/flags.md` 4.2). */
export type Salt = "" | "variant"

/** Groups hash four prefixes at once; null where there is no WebAssembly. */
const lanes = createSha1Lanes()

/**
 * Where identifiers fall for one prefix, 0 to 1. A flag's conditions ask for the same identifier in turn, and the flags of a
 * request too: what was worked out last is remembered, here or in the group that four of these share (`groupHashes`).
 */
export class FlagHash {
  readonly prefix: string
  readonly salt: Salt
  #group: LaneGroup | null = null
  #lane = 0
  #lastIdentifier = ""
  #lastFraction = 0

  constructor(prefix: string, salt: Salt) {
    this.prefix = prefix
    this.salt = salt
  }

  /** An empty identifier is always at 0 (`reference/flags.md` 4.4). */
  of(identifier: string): number {
    if (identifier === "") return 0
    const fraction = this.#group === null ? -1 : this.#group.fractionOf(this.#lane, identifier)
    return fraction >= 0 ? fraction : this.#alone(identifier)
  }

  join(group: LaneGroup | null, lane: number): void {
    this.#group = group
    this.#lane = lane
  }

  #alone(identifier: string): number {
    if (identifier !== this.#lastIdentifier) {
      this.#lastFraction = sha1Fraction(this.prefix, identifier, this.salt)
      this.#lastIdentifier = identifier
    }
    return this.#lastFraction
  }
}

/** Puts hashes that are likely asked for together into groups of four. May be called again: the last grouping counts. */
export function groupHashes(hashes: readonly FlagHash[]): void {
  if (lanes === null) return
  // Those of about the same length together: a group takes as many blocks as its longest message.
  const groupable = hashes.filter(({ prefix, salt }) => lanes.fits(prefix, salt))
  groupable.sort((left, right) => lengthOf(left) - lengthOf(right))
  for (let from = 0; from < groupable.length; from += lanes.width) {
    const members = groupable.slice(from, from + lanes.width)
    const group = members.length === 1 ? null : lanes.createGroup(members)
    for (const [lane, hash] of members.entries()) hash.join(group, lane)
  }
}

const lengthOf = ({ prefix, salt }: FlagHash): number => prefix.length + salt.length
