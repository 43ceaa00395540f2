import { readFile } from "node:fs/promises"

const BYTES_PER_KIBIBYTE = 1_024

/**
 * Memory of a process and of those that it has started, in bytes. What they share, such as PostgreSQL's buffers, counts once.
 * Null where that cannot be told: there is no such process any more, or the system is not Linux.
 */
export async function readMemory(pid: number): Promise<number | null> {
  const own = await readText(`/proc/${pid}/smaps_rollup`)
  if (own === null) return null
  const children = (await readText(`/proc/${pid}/task/${pid}/children`)) ?? ""
  const parts = await Promise.all(
    children.split(" ").flatMap((child) => (child === "" ? [] : readMemory(Number(child)))),
  )
  // A child may have ended meanwhile.
  return parts.reduce<number>((sum, part) => sum + (part ?? 0), readProportionalSize(own))
}

/** proc_pid_smaps(5): `Pss` divides every page by how many processes have it. */
const readProportionalSize = (rollup: string): number =>
  Number(/^Pss: +(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * BYTES_PER_KIBIBYTE

const readText = (path: string): Promise<string | null> => readFile(path, "utf8").catch(() => null)
