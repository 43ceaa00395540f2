import { readdirSync, readFileSync } from "node:fs"

export interface TreeMemory {
  readonly processes: number
  /** Each shared page counted once, divided among those who share it: the honest sum. */
  readonly proportionalMegabytes: number
  readonly residentMegabytes: number
}

/** Memory of a process and all its descendants, from /proc. */
export function memoryOfTree(rootPid: number): TreeMemory {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), parentOf(pid)]),
  )
  const tree = [...parents.keys()].filter((pid) => descendsFrom(pid, rootPid, parents))
  return {
    processes: tree.length,
    proportionalMegabytes: tree.reduce((sum, pid) => sum + kilobytes(pid, "smaps_rollup", "Pss"), 0) / 1024,
    residentMegabytes: tree.reduce((sum, pid) => sum + kilobytes(pid, "status", "VmRSS"), 0) / 1024,
  }
}

function parentOf(pid: string): number {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? 0)
  } catch {
    return 0
  }
}

function descendsFrom(pid: number, rootPid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let current = pid; current > 1; current = parents.get(current) ?? 0) if (current === rootPid) return true
  return false
}

function kilobytes(pid: number, file: string, field: string): number {
  try {
    return Number(
      new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/${file}`, "utf8"))?.[1] ?? 0,
    )
  } catch {
    return 0
  }
}
