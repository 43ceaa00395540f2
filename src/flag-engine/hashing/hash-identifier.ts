import { hash } from "node:crypto"
import type { CreateHashBatch, HashInput } from "./hash-batch.types.js"

/** Binary64 nearest to the largest 60-bit number (`docs/contract/flags.md#hashing`). */
const SCALE = 2 ** 60

/** The first 60 bits of SHA-1 over UTF-8 `prefix + identifier + salt`, as a fraction from 0 to 1. */
export function hashIdentifier(input: HashInput | undefined, identifier: string): number {
  if (input === undefined) throw new RangeError("no such input of hashes")
  const digest = hash("sha1", input.prefix + identifier + input.salt, "hex")
  return Number.parseInt(digest.slice(0, 15), 16) / SCALE
}

/** A batch without any preparation: what other batches have to agree with. */
export const createPlainHashBatch: CreateHashBatch = (inputs) => ({
  hash: (index, identifier) => hashIdentifier(inputs[index], identifier),
})
