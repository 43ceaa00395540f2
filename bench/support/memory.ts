import { readdirSync, readFileSync } from "node:fs"

/** Memory of a tree of processes, in megabytes. */
export interface TreeMemory {
  readonly processes: number
  /** Each shared page counted once, divided among those who share it: the honest sum. */
  readonly proportionalMegabytes: number
  readonly residentMegabytes: number
}

/** Memory of a process and all its descendants, from /proc. */
export function memoryOfTree(rootPid: number): TreeMemory {
  const tree = treeOf(rootPid)
  return {
    processes: tree.length,
    proportionalMegabytes: tree.reduce((sum, pid) => sum + kilobytes(pid, "smaps_rollup", "Pss"), 0) / 1024,
    residentMegabytes: tree.reduce((sum, pid) => sum + kilobytes(pid, "status", "VmRSS"), 0) / 1024,
  }
}

/** Megabytes of each program of the tree, shared pages divided among those who share them: `server`, `clickhouse`, `postgres`. */
export function memoryByProgram(rootPid: number): ReadonlyMap<string, number> {
  const megabytes = new Map<string, number>()
  for (const pid of treeOf(rootPid)) {
    const program = pid === rootPid ? "server" : commandOf(pid).includes("clickhouse-child") ? "clickhouse" : "postgres"
    megabytes.set(program, (megabytes.get(program) ?? 0) + kilobytes(pid, "smaps_rollup", "Pss") / 1024)
  }
  return megabytes
}

/** Ids of a process and all its descendants. */
export function treeOf(rootPid: number): number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), parentOf(pid)]),
  )
  return [...parents.keys()].filter((pid) => descendsFrom(pid, rootPid, parents))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
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
