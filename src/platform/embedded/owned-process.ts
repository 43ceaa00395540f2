import { renameSync, rmSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { readSystemCode } from "../../kernel/system-error.js"
import { readOwner, writeOwner } from "./ownership-record.js"
import { identifyProcess, isRunning, type ProcessIdentity } from "./process-identity.js"

/** A signal to send and how long to wait for the process to end before the next, harsher one. */
export interface StopStep {
  readonly signal: NodeJS.Signals
  readonly waitMs: number
}

const POLL_INTERVAL_MS = 10
/** Even SIGKILL takes a moment to show when the process waits for its disk. */
const KILL_WAIT_MS = 5_000

/**
 * Writes down that a process belongs to Waymark, so that a later Waymark knows it again after a crash of this one.
 * Does nothing when the process has already ended.
 */
export function recordOwnership(ownershipFile: string, pid: number): void {
  const identity = identifyProcess(pid)
  if (identity === null) return
  const draft = `${ownershipFile}.new`
  writeOwner(draft, identity)
  renameSync(draft, ownershipFile)
}

/** Forgets the recorded process. */
export function forgetOwnership(ownershipFile: string): void {
  rmSync(ownershipFile, { force: true })
}

/**
 * The process that an earlier Waymark left running; null when there is none. A stranger that got the same pid later has
 * another start time and is never returned, nor is the process of a directory that this one was copied from.
 */
export function findOrphan(ownershipFile: string): ProcessIdentity | null {
  const recorded = readOwner(ownershipFile)
  return recorded !== null && isRunning(recorded) ? recorded : null
}

/** Stops the process that an earlier Waymark left running, if any. Returns its identity, or null when there was none. */
export async function stopOrphan(ownershipFile: string, steps: readonly StopStep[]): Promise<ProcessIdentity | null> {
  const orphan = findOrphan(ownershipFile)
  if (orphan !== null) await stopProcess(orphan, steps)
  forgetOwnership(ownershipFile)
  return orphan
}

/**
 * Sends each signal in turn until the process has ended, SIGKILL last. The identity is checked before every signal, so
 * a pid that passes to another process meanwhile is left alone.
 * @throws Error when the process outlives SIGKILL.
 */
export async function stopProcess(identity: ProcessIdentity, steps: readonly StopStep[]): Promise<void> {
  for (const step of [...steps, { signal: "SIGKILL", waitMs: KILL_WAIT_MS } as const]) {
    if (!isRunning(identity)) return
    sendSignal(identity.pid, step.signal)
    if (await endsWithin(identity, step.waitMs)) return
  }
  throw new Error(`process ${identity.pid} did not end on SIGKILL`)
}

/** Whether the process ends within the time. */
async function endsWithin(identity: ProcessIdentity, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs
  while (isRunning(identity)) {
    if (performance.now() >= deadline) return false
    await sleep(POLL_INTERVAL_MS)
  }
  return true
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (readSystemCode(error) !== "ESRCH") throw error
  }
}
