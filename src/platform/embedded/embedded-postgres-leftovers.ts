import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import type { Logger } from "../logger/logger.js"
import { SOCKET_NAME } from "./embedded-postgres-socket.js"
import { type StopStep, stopProcess } from "./owned-process.js"
import { identifyDirectory } from "./ownership-record.js"
import { identifyProcess, type ProcessIdentity } from "./process-identity.js"

const FAST_SHUTDOWN: StopStep = { signal: "SIGINT", waitMs: 10_000 }
const IMMEDIATE_SHUTDOWN: StopStep = { signal: "SIGQUIT", waitMs: 3_000 }

/**
 * Ends every PostgreSQL process that still works on the data directory and takes away lock files that would keep the
 * next one from starting: an orphaned server, or the sessions of a killed one, which hold its shared memory.
 */
export async function stopLeftovers(dataDirectory: string, socketDirectory: string, logger: Logger): Promise<void> {
  const lockFile = join(dataDirectory, "postmaster.pid")
  const postmasterPid = readPostmasterPid(lockFile)
  const leftovers = findServerProcesses(dataDirectory)
  const postmaster = leftovers.find(({ pid }) => pid === postmasterPid)
  if (postmaster !== undefined) {
    logger.warn("stopping a PostgreSQL left by an earlier run", { pid: postmaster.pid })
    await stopProcess(postmaster, [FAST_SHUTDOWN, IMMEDIATE_SHUTDOWN])
  }
  await Promise.all(
    leftovers.filter((each) => each !== postmaster).map((each) => stopProcess(each, [IMMEDIATE_SHUTDOWN])),
  )
  removeMisleadingLocks(lockFile, socketDirectory)
}

/**
 * PostgreSQL takes a lock file as valid when any process of its user has the pid. By now none of ours has, so such a
 * process is a stranger. Otherwise the file stays: PostgreSQL finds the old shared memory through it.
 */
function removeMisleadingLocks(lockFile: string, socketDirectory: string): void {
  const pid = readPostmasterPid(lockFile)
  if (pid !== null && identifyProcess(pid) !== null) rmSync(lockFile, { force: true })
  rmSync(join(socketDirectory, SOCKET_NAME), { force: true })
  rmSync(join(socketDirectory, `${SOCKET_NAME}.lock`), { force: true })
}

function readPostmasterPid(lockFile: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(lockFile, "utf8"), 10)
    return Number.isNaN(pid) ? null : pid
  } catch {
    return null
  }
}

/**
 * Server processes whose working directory is the data directory, which PostgreSQL enters first of all. Elsewhere than on
 * Linux that cannot be asked; there the ownership record covers the server, and its sessions end by themselves.
 */
function findServerProcesses(dataDirectory: string): ProcessIdentity[] {
  if (process.platform !== "linux") return []
  const directory = identifyDirectory(dataDirectory)
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && isServerIn(entry, directory))
    .map((entry) => identifyProcess(Number(entry)))
    .filter((identity) => identity !== null)
}

function isServerIn(pid: string, directory: string): boolean {
  try {
    const program = basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, "")
    return program === "postgres" && identifyDirectory(`/proc/${pid}/cwd`) === directory
  } catch {
    return false
  }
}
