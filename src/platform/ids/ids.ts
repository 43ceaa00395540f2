import { randomBytes, randomUUID } from "node:crypto"
import { v7 } from "uuid"
import { toBase62 } from "./base62.js"

/** Where random values come from. Passed in, so that tests decide what is random. */
export interface Ids {
  /** A random UUID, lower case. */
  uuidV4(): string
  /** A UUID that sorts by the time it was made, lower case. */
  uuidV7(): string
  /** `prefix` followed by 43 letters and digits that hold 256 random bits; for keys (`phc_`, `phx_`). */
  secret(prefix: string): string
  /** `length` random letters and digits; for short ids in addresses, not for secrets. */
  shortId(length: number): string
}

const SECRET_BYTES = 32
const SECRET_LENGTH = 43

/** Ids from the operating system's random source. */
export function createIds(): Ids {
  return {
    uuidV4: () => randomUUID(),
    uuidV7: () => v7(),
    secret: (prefix) => prefix + toBase62(randomBytes(SECRET_BYTES), SECRET_LENGTH),
    shortId: (length) => toBase62(randomBytes(length), length).slice(-length),
  }
}
