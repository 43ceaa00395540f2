import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import { readSystemCode } from "../../kernel/system-error.js"
import { readOwner, writeOwner } from "./ownership-record.js"
import { identifyProcess, isRunning, type ProcessIdentity } from "./process-identity.js"
import { StartupError } from "./startup-error.js"

/** The directory that holds everything Waymark keeps on this machine, locked for this process. */
export interface DataDirectory {
  /** Absolute, without symbolic links. */
  readonly path: string
  /**
   * Gives the lock up. A process that dies without it leaves a stale lock, which the next one takes over; so is one that
   * came with a copy of the directory.
   */
  release(): void
}

const LOCK_NAME = "waymark.lock"
/** Two starting processes may both try to replace a stale lock; after a few attempts one of them has it. */
const LOCK_ATTEMPTS = 5

/**
 * Opens the data directory: makes it when absent, checks that it can be written and locks it for this process.
 * @throws StartupError when it cannot be made or written, or when another process has it.
 */
export function openDataDirectory(configuredPath: string): DataDirectory {
  const path = makeWritable(resolve(configuredPath))
  const lockFile = join(path, LOCK_NAME)
  const self = identifyProcess(process.pid)
  if (self === null) throw new Error("this process cannot be identified")
  takeLock(path, lockFile, self)
  return {
    path,
    release: () => {
      if (readOwner(lockFile)?.startedAt === self.startedAt) rmSync(lockFile, { force: true })
    },
  }
}

function makeWritable(path: string): string {
  try {
    // Root's children run as another user, who has to pass through.
    makeDirectory(path, process.getuid?.() === 0 ? 0o711 : 0o700)
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = join(path, `.write-probe-${process.pid}`)
    writeFileSync(probe, "")
    rmSync(probe)
    return realpathSync(path)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new StartupError(`Data directory ${path} cannot be written: ${reason}. Set DATA_DIR to another directory.`, {
      cause,
    })
  }
}

/**
 * Makes a directory and its parents; the mode is for the last one alone. The recursive form of `mkdir` would give it to
 * all of them, and never returns below a directory such as /proc, where making one fails with "not found".
 */
function makeDirectory(path: string, mode?: number): void {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (readSystemCode(error) !== "EEXIST") throw error
  }
}

function takeLock(path: string, lockFile: string, self: ProcessIdentity): void {
  const draft = `${lockFile}.${self.pid}`
  writeOwner(draft, self)
  try {
    for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
      if (linkExclusively(draft, lockFile)) return
      const owner = readOwner(lockFile)
      if (owner !== null && isRunning(owner)) throw inUse(path, owner.pid)
      setAside(lockFile, `${draft}.stale`)
    }
    throw inUse(path, readOwner(lockFile)?.pid ?? null)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A link appears whole or not at all, so nobody ever reads half a lock. */
function linkExclusively(draft: string, lockFile: string): boolean {
  try {
    linkSync(draft, lockFile)
    return true
  } catch (error) {
    if (readSystemCode(error) === "EEXIST") return false
    throw error
  }
}

/** Removes a stale lock. If another starter has replaced it since it was read, that one is put back. */
function setAside(lockFile: string, aside: string): void {
  try {
    renameSync(lockFile, aside)
  } catch (error) {
    if (readSystemCode(error) === "ENOENT") return
    throw error
  }
  const owner = readOwner(aside)
  if (owner !== null && isRunning(owner)) linkExclusively(aside, lockFile)
  rmSync(aside, { force: true })
}

const inUse = (path: string, pid: number | null): StartupError =>
  new StartupError(
    `Data directory ${path} is in use by ${pid === null ? "another process" : `process ${pid}`}. Stop it or set DATA_DIR to another directory.`,
  )
