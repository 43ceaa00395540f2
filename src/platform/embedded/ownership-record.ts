import { readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { ProcessIdentity } from "./process-identity.js"

/**
 * A directory beyond its name: what it is copied to has another identity, what it is moved to on the same file system has
 * the same.
 */
export function identifyDirectory(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}

/** Writes down which process owns the directory that the file is in. */
export function writeOwner(file: string, { pid, startedAt }: ProcessIdentity): void {
  const record = { pid, startedAt, directory: identifyDirectory(dirname(file)) }
  writeFileSync(file, JSON.stringify(record), { mode: 0o600, flush: true })
}

/**
 * The process that owns the directory of the file; null when the file says none, or was copied with another directory,
 * whose owner is nobody here. A record without a directory is one of a Waymark that wrote none.
 */
export function readOwner(file: string): ProcessIdentity | null {
  try {
    const { pid, startedAt, directory }: Record<string, unknown> = JSON.parse(readFileSync(file, "utf8"))
    if (directory !== undefined && directory !== identifyDirectory(dirname(file))) return null
    return typeof pid === "number" && typeof startedAt === "string" ? { pid, startedAt } : null
  } catch {
    return null
  }
}
