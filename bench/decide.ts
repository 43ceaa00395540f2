import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cpuBetween, cpuSecondsOf } from "./support/cpu.js"
import { microsecondsByKind, millisecondsToLoad } from "./support/evaluation.js"
import { createFlags } from "./support/flags.js"
import { type LoadResult, measure } from "./support/load.js"
import { decideBody } from "./support/payloads.js"
import { startBareServer, startWaymark } from "./support/server.js"
import { printTable } from "./support/table.js"

/** One run, one machine: the bare server and Waymark get the same bodies, so that ratios mean something. */
const FLAG_COUNTS = [50, 1_000]

interface Measured extends LoadResult {
  /** Processor time of the server for one request, in microseconds. */
  readonly cpuMicroseconds: number
}

const measureServer = async (pid: number, url: string): Promise<Measured> => {
  let before = cpuSecondsOf(pid)
  const load = await measure({ url, body: decideBody, onWarm: () => (before = cpuSecondsOf(pid)) })
  return { ...load, cpuMicroseconds: (cpuBetween(before, cpuSecondsOf(pid)).own * 1_000_000) / load.requests }
}

const measureBare = async (): Promise<Measured> => {
  const bare = await startBareServer()
  const result = await measureServer(bare.pid, bare.url)
  await bare.stop()
  return result
}

/** Milliseconds of the first decision of a process. */
const firstDecision = async (url: string): Promise<number> => {
  const startedAt = performance.now()
  const response = await fetch(`${url}/decide?v=3`, { method: "POST", body: decideBody() })
  await response.text()
  if (!response.ok) throw new Error(`the first decision was refused: ${response.status}`)
  return performance.now() - startedAt
}

interface Comparison {
  readonly flags: number
  readonly bare: Measured
  readonly decide: Measured
  readonly coldMs: number
}

/** Load on `/decide`, and, after a restart on the same data, the decision that has to load the rules. */
const measureFlags = async (flags: number): Promise<Comparison> => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "waymark-bench-"))
  try {
    const warm = await startWaymark({ dataDirectory })
    await createFlags(warm.url, flags)
    const decide = await measureServer(warm.pid, `${warm.url}/decide?v=3`)
    await warm.stop()
    const bare = await measureBare()
    const restarted = await startWaymark({ dataDirectory })
    const coldMs = await firstDecision(restarted.url)
    await restarted.stop()
    return { flags, bare, decide, coldMs }
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

const row = (what: string, result: Measured, bare: Measured): string[] => [
  what,
  Math.round(result.requestsPerSecond).toLocaleString("en"),
  (result.requestsPerSecond / bare.requestsPerSecond).toFixed(2),
  result.cpuMicroseconds.toFixed(0),
  result.p50Ms.toFixed(1),
  result.p99Ms.toFixed(1),
  String(result.failures),
]

const rows: string[][] = []
const lines: string[] = []
for (const flags of FLAG_COUNTS) {
  const { bare, decide, coldMs } = await measureFlags(flags)
  rows.push(row(`bare node:http beside ${flags} flags`, bare, bare), row(`/decide?v=3, ${flags} flags`, decide, bare))
  lines.push(`The first decision of a process over ${flags} flags took ${coldMs.toFixed(1)} ms.`)
  lines.push(`Rules of ${flags} flags are parsed and compiled in ${millisecondsToLoad(flags).toFixed(1)} ms.`)
}
printTable(["", "requests/s", "ratio to bare", "CPU µs/request", "p50 ms", "p99 ms", "failures"], rows)
process.stdout.write(`\n${lines.join("\n")}\n\n`)
printTable(
  ["one decision by kind", "µs"],
  microsecondsByKind().map(([kind, microseconds]) => [kind, microseconds.toFixed(2)]),
)
