import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto"
import { Semaphore } from "../../../kernel/semaphore.js"
import type { Ids } from "../../../platform/ids/ids.js"

/** 32 MB and about 0.2 s of a core: one of the choices that OWASP's "Password Storage" names as equally strong. */
const PARAMETERS = { N: 2 ** 15, r: 8, p: 3 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Of the four threads that Node has for such work, two stay free for files. */
const AT_ONCE = 2

/** Hashes passwords for keeping, and checks them. */
export interface PasswordHasher {
  /** `scrypt$N$r$p$salt$hash`: the parameters stand beside the hash, so that they can be raised later. */
  hash(password: string): Promise<string>
  /** Takes the same time for a user without a password (`null`), who has none that matches. */
  matches(password: string, stored: string | null): Promise<boolean>
}

/** Makes the hasher; its memory is that of two hashes, however many ask. */
export function createPasswordHasher(ids: Pick<Ids, "bytes">): PasswordHasher {
  const turns = new Semaphore(AT_ONCE)
  const derive = async (password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> => {
    const release = await turns.acquire()
    return deriveKey(password, salt, parameters).finally(release)
  }
  return {
    hash: async (password) => {
      const salt = ids.bytes(SALT_BYTES)
      const { N, r, p } = PARAMETERS
      const hash = await derive(password, salt, PARAMETERS)
      return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$")
    },
    matches: async (password, stored) => {
      if (stored === null) {
        await derive(password, ids.bytes(SALT_BYTES), PARAMETERS)
        return false
      }
      const [, N, r, p, salt = "", hash = ""] = stored.split("$")
      const parameters = { N: Number(N), r: Number(r), p: Number(p) }
      const derived = await derive(password, Buffer.from(salt, "base64url"), parameters)
      return timingSafeEqual(derived, Buffer.from(hash, "base64url"))
    },
  }
}

type Parameters = Required<Pick<ScryptOptions, "N" | "r" | "p">>

/** The same password can be typed as different code points on different keyboards. */
const deriveKey = (password: string, salt: Buffer, { N, r, p }: Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const done = (fault: Error | null, key: Buffer): void => (fault === null ? resolve(key) : reject(fault))
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }, done)
  })
