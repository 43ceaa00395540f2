import { randomBytes } from "node:crypto"
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { readSystemCode } from "../../kernel/system-error.js"
import { readEncryptionKey } from "./text-cipher.js"

const KEY_BYTES = 32
const OWNER_ONLY = 0o600

/**
 * The keys in a file that only the operator's own account reads, one a line; a file with one is made, whole or not at all,
 * when there is none.
 * @throws Error when a line holds no key, or the file cannot be written.
 */
export function readOrMakeKeyFile(path: string): readonly [Buffer, ...Buffer[]] {
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

function readKeyFile(path: string): readonly [Buffer, ...Buffer[]] {
  const lines = readFileSync(path, "utf8").trim().split("\n")
  const [first = null, ...others] = lines.map((line) => readEncryptionKey(line.trim()))
  if (first !== null && others.every((key) => key !== null)) return [first, ...others]
  throw new Error(`${path} holds something else than keys of 32 bytes, one a line`)
}
