import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readSystemCode } from "../../kernel/system-error.js"
import { asAccount, type ServerAccount } from "./embedded-postgres-account.js"
import { identifyDirectory } from "./ownership-record.js"
import { StartupError } from "./startup-error.js"

/** PostgreSQL names its socket after the port, also when it listens on none. */
export const SOCKET_NAME = ".s.PGSQL.5432"
/** Shortest limit of the platforms: 104 bytes with the closing zero on macOS (Linux: 108). */
const MAX_SOCKET_PATH_BYTES = 103

/**
 * Opens the directory of the server's unix socket: always the same one for a data directory, so that pools find the
 * server again after a restart, and closed to every other user, which is what replaces a password.
 * @throws StartupError when no temporary directory will do.
 */
export function openSocketDirectory(dataDirectory: string, account: ServerAccount | null): string {
  for (const directory of listCandidates(dataDirectory)) {
    if (Buffer.byteLength(join(directory, SOCKET_NAME)) > MAX_SOCKET_PATH_BYTES) continue
    if (isPrivateTo(directory, account) && isWritableBy(account, directory)) return directory
  }
  throw new StartupError(
    "No temporary directory can hold PostgreSQL's socket. Set TMPDIR to a short path or set DATABASE_URL.",
  )
}

/** The socket directory of a server that runs on a data directory; null when there is none. */
export const findSocketDirectory = (dataDirectory: string): string | null =>
  listCandidates(dataDirectory).find((directory) => existsSync(join(directory, SOCKET_NAME))) ?? null

function listCandidates(dataDirectory: string): string[] {
  // Not by the name of the directory: a copy put in the place of one that was moved must not take the socket of its server.
  const name = `waymark-${createHash("sha256").update(identifyDirectory(dataDirectory)).digest("hex").slice(0, 12)}`
  return [...new Set([tmpdir(), "/tmp", "/var/tmp"])].map((parent) => join(parent, name))
}

/** Makes the directory when it is absent. An answer of false means that somebody else has it, or that it cannot be made. */
function isPrivateTo(directory: string, account: ServerAccount | null): boolean {
  const self = process.getuid?.()
  const server = account?.uid ?? self
  try {
    mkdirSync(directory, { mode: 0o700, recursive: false })
  } catch (error) {
    if (readSystemCode(error) !== "EEXIST") return false
  }
  const stat = lstatSync(directory)
  if (!stat.isDirectory() || (stat.uid !== server && stat.uid !== self)) return false
  if (account !== null) chownSync(directory, account.uid, account.gid)
  chmodSync(directory, 0o700)
  return true
}

function isWritableBy(account: ServerAccount | null, directory: string): boolean {
  return spawnSync("test", ["-w", directory], asAccount(account)).status === 0
}
