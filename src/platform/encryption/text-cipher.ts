import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"

/** Keeps texts secret where they are stored. */
export interface TextCipher {
  /** Encrypts a text; `purpose` has to be named again to read it, so that it is of no use anywhere else. */
  encrypt(text: string, purpose: string): string
  /** The text, or null when no key fits, the purpose is another one or a byte was changed. */
  decrypt(sealed: string, purpose: string): string | null
}

const ALGORITHM = "aes-256-gcm"
const PREFIX = "encrypted:1:"
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Whether a text is one that `encrypt` made. */
export const isEncrypted = (text: string): boolean => text.startsWith(PREFIX)

/** A key from 64 hexadecimal digits or the base64 of 32 bytes; null for any other text. */
export function readEncryptionKey(text: string): Buffer | null {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64")
  const isWhole = /^[0-9a-z+/_-]+={0,2}$/i.test(text) && key.length === KEY_BYTES
  return isWhole ? key : null
}

/** AES-256-GCM: the first key encrypts, every key decrypts, so that keys can be changed without a pause. */
export function createTextCipher(keys: readonly [Buffer, ...Buffer[]]): TextCipher {
  const named = keys.map((key) => ({ key, name: toKeyName(key) }))
  return {
    encrypt: (text, purpose) => {
      const [key] = keys
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose))
      const hidden = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
      return `${PREFIX}${toKeyName(key)}:${Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString("base64url")}`
    },
    decrypt: (sealed, purpose) => {
      if (!isEncrypted(sealed)) return null
      const [name = "", content = ""] = sealed.slice(PREFIX.length).split(":", 2)
      const key = named.find((one) => one.name === name)?.key
      return key === undefined ? null : open(key, Buffer.from(content, "base64url"), purpose)
    },
  }
}

function open(key: Buffer, bytes: Buffer, purpose: string): string | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8")
  } catch {
    return null
  }
}

/** Tells keys apart without giving them away. */
const toKeyName = (key: Buffer): string => createHash("sha256").update(key).digest("hex").slice(0, 8)
