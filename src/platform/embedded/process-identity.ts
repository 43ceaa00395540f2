import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

/**
 * A process beyond the reuse of its number: `startedAt` differs for every process that ever had the same pid on this
 * machine, over reboots too. Its text is compared, never interpreted.
 */
export interface ProcessIdentity {
  readonly pid: number
  readonly startedAt: string
}

/** Identity of the process that runs under a pid now; null when none does. A zombie counts as none. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  const startedAt = process.platform === "linux" ? linuxStart(pid) : posixStart(pid)
  return startedAt === null ? null : { pid, startedAt }
}

/** Whether exactly this process still runs, not another one under its number. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt
}

/** proc(5): the state is the first field after the command's closing bracket, the start in clock ticks the twentieth. */
function linuxStart(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  if (fields[0] === "Z" || fields[0] === "X") return null
  const bootId = readOrNull("/proc/sys/kernel/random/boot_id")?.trim() ?? ""
  return `${bootId}:${fields[19]}`
}

function posixStart(pid: number): string | null {
  const answer = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8", env: { LC_ALL: "C" } })
  const line = answer.stdout?.trim() ?? ""
  if (answer.status !== 0 || line === "" || line.startsWith("Z")) return null
  return line.slice(line.indexOf(" ")).trim()
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}
