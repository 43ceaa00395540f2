import { readdirSync, readFileSync } from "node:fs"

/** Clock ticks of /proc in a second; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/**
 * Processor time of a process and of its children so far. On a machine that others use too it says more than requests a
 * second.
 */
export interface CpuSeconds {
  readonly own: number
  /** PostgreSQL's backends and the ClickHouse child included; children that have ended count as well. */
  readonly children: number
}

/** From /proc: all threads, user and system time. */
export function cpuSecondsOf(rootPid: number): CpuSeconds {
  const processes = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), readStat(name)] as const),
  )
  const descends = (pid: number): boolean => {
    for (let at = processes.get(pid)?.parent ?? 0; at > 1; at = processes.get(at)?.parent ?? 0)
      if (at === rootPid) return true
    return false
  }
  const root = processes.get(rootPid)
  if (root === undefined) throw new Error(`no process ${rootPid}`)
  let children = root.endedChildren
  for (const [pid, { own, endedChildren }] of processes) if (descends(pid)) children += own + endedChildren
  return { own: root.own, children }
}

/** Processor time between two readings. */
export const cpuBetween = (before: CpuSeconds, after: CpuSeconds): CpuSeconds => ({
  own: after.own - before.own,
  children: after.children - before.children,
})

function readStat(pid: string): { parent: number; own: number; endedChildren: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name before the closing parenthesis may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const seconds = (...places: number[]): number =>
      places.reduce((sum, place) => sum + Number(fields[place]), 0) / TICKS_PER_SECOND
    return { parent: Number(fields[1]), own: seconds(11, 12), endedChildren: seconds(13, 14) }
  } catch {
    return { parent: 0, own: 0, endedChildren: 0 }
  }
}
