import { randomBytes } from "node:crypto"
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { readSystemCode } from "../../kernel/system-error.js"
import { readEncryptionKey } from "./text-cipher.js"

const KEY_BYTES = 32
const OWNER_ONLY = 0o600

/**
 * The key in a file that only the operator's own account reads; made, whole or not at all, when there is none.
 * @throws Error when the file holds no key or cannot be written.
 */
export function readOrMakeKeyFile(path: string): Buffer {
  try {
    return readKeyFile(path)
  } catch (error) {
    if (readSystemCode(error) !== "ENOENT") throw error
  }
  const draft = `${path}.new-${process.pid}`
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString("hex")}\n`, { mode: OWNER_ONLY, flush: true })
  try {
    // Fails when somebody made the file meanwhile: theirs is the key then.
    linkSync(draft, path)
  } catch (error) {
    if (readSystemCode(error) !== "EEXIST") throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readKeyFile(path)
}

function readKeyFile(path: string): Buffer {
  const key = readEncryptionKey(readFileSync(path, "utf8").trim())
  if (key === null) throw new Error(`${path} holds no key of 32 bytes`)
  return key
}
