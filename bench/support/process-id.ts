import { readFileSync } from "node:fs"

/** A process that is not taken for a later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it was started, in clock ticks since the machine was. */
  readonly startedAt: string
}

/** Place of the start time in /proc/pid/stat, counted behind the name. */
const STARTED_AT = 19

/** Null when there is no such process. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[STARTED_AT]
    return startedAt === undefined ? null : { pid, startedAt }
  } catch {
    return null
  }
}

/** kill -9 of those that are still there; answers how many were. */
export function killAll(processes: readonly ProcessIdentity[]): number {
  const left = processes.filter(({ pid, startedAt }) => identifyProcess(pid)?.startedAt === startedAt)
  for (const { pid } of left) process.kill(pid, "SIGKILL")
  return left.length
}
