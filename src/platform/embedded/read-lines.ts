import { createInterface } from "node:readline"
import type { Readable } from "node:stream"

/** Calls `onLine` for every line that a child writes to one of its piped outputs; null is an output that is not piped. */
export function readLines(output: Readable | null, onLine: (line: string) => void): void {
  if (output === null) return
  createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY }).on("line", onLine)
}
