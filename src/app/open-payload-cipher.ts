import { join } from "node:path"
import { StartupError } from "../platform/embedded/startup-error.js"
import { readOrMakeKeyFile } from "../platform/encryption/key-file.js"
import { createTextCipher, type TextCipher } from "../platform/encryption/text-cipher.js"
import type { Environment } from "./environment.js"

/**
 * What payloads of flags are encrypted with. The embedded PostgreSQL serves one process, whose data directory can keep keys
 * beside it. Processes that share a database have to be told the same keys; null where they are told none, and payloads
 * cannot be encrypted then.
 * @throws StartupError when the keys of the data directory cannot be used.
 */
export function openPayloadCipher(
  { flagPayloadKeys, databaseUrl }: Environment,
  dataDirectory: string,
): TextCipher | null {
  if (flagPayloadKeys !== null) return createTextCipher(flagPayloadKeys)
  if (databaseUrl !== null) return null
  const path = join(dataDirectory, "flag-payload-key")
  try {
    return createTextCipher(readOrMakeKeyFile(path))
  } catch (cause) {
    throw new StartupError(`The key of encrypted payloads in ${path} cannot be used.`, { cause })
  }
}
