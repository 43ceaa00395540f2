import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readSystemCode } from "../../../kernel/system-error.js"
import { identifyProcess } from "../process-identity.js"

const LOG_DIRECTORY = "deduplication_logs"
const LOG_FILE = /^deduplication_log_(\d+)\.txt$/
/** Partition ids have no underscore; the last number is there once a mutation has rewritten the part. */
const PART = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/
const ADDED = "1"
const DROPPED = "2"

interface LogEntry {
  readonly line: string
  readonly operation: string
  /** `<partition>_<first block>_<last block>_<level>` as it was when it was inserted. */
  readonly part: string
}

interface BlockRange {
  readonly partition: string
  readonly first: number
  readonly last: number
}

/**
 * Makes every deduplication log of a closed data directory agree with the parts that are on disk.
 *
 * ClickHouse notes an insert's token in the log before it renames the part into place. A crash between the two leaves a
 * token without its rows, and the repeated insert would be taken for a duplicate: acknowledged and lost. Such entries
 * are taken out before the engine opens the directory, so the repetition is stored. It must be done after every crash
 * and before anything else: later merges give their parts names that span the missing one.
 * Returns how many entries were taken out.
 */
export function repairDeduplicationLogs(dataDirectory: string): number {
  // The logs of an engine at work are its own; opening the directory will fail with a clear message.
  if (isEngineRunning(dataDirectory)) return 0
  return tableDirectories(join(dataDirectory, "store")).reduce((removed, table) => removed + repairTable(table), 0)
}

/** `store/<three letters of the uuid>/<uuid>` */
function tableDirectories(store: string): string[] {
  return list(store).flatMap((group) => list(join(store, group)).map((table) => join(store, group, table)))
}

function repairTable(table: string): number {
  const logs = list(join(table, LOG_DIRECTORY)).filter((name) => LOG_FILE.test(name))
  const entries = logs.map((log) => readEntries(join(table, LOG_DIRECTORY, log)))
  if (entries.flat().length === 0) return 0
  const isOnDisk = partIndex(list(table))
  // Dropped parts (TRUNCATE, DROP PARTITION) are noted as such and rightly have no rows.
  const dropped = new Set(
    entries
      .flat()
      .filter((entry) => entry.operation === DROPPED)
      .map((entry) => entry.part),
  )
  let removed = 0
  for (const [index, log] of logs.entries()) {
    const all = entries[index] ?? []
    const kept = all.filter(({ operation, part }) => operation !== ADDED || dropped.has(part) || isOnDisk(part))
    if (kept.length === all.length) continue
    removed += all.length - kept.length
    replaceFile(join(table, LOG_DIRECTORY, log), kept.map((entry) => `${entry.line}\n`).join(""))
  }
  return removed
}

function readEntries(file: string): LogEntry[] {
  // A line without its end was being written when the process died; the engine never acted on it.
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1)
  return lines.map((line) => {
    const [operation = "", part = ""] = line.split("\t")
    return { line, operation, part }
  })
}

/** Tells whether a part, or one that it has been merged into, is among the names. */
function partIndex(names: readonly string[]): (part: string) => boolean {
  const byPartition = Map.groupBy(
    names.map(toBlockRange).filter((range) => range !== null),
    ({ partition }) => partition,
  )
  return (part) => {
    const block = toBlockRange(part)
    if (block === null) return true
    const ranges = byPartition.get(block.partition) ?? []
    return ranges.some(({ first, last }) => first <= block.first && last >= block.last)
  }
}

function toBlockRange(name: string): BlockRange | null {
  const match = PART.exec(name)
  if (match === null) return null
  const [, partition = "", first, last] = match
  return { partition, first: Number(first), last: Number(last) }
}

function replaceFile(file: string, text: string): void {
  const draft = `${file}.repaired`
  writeFileSync(draft, text, { flush: true })
  renameSync(draft, file)
}

/** The engine writes its pid into the file that it locks. A pid that another program has by now does not count. */
function isEngineRunning(dataDirectory: string): boolean {
  const pid = /^PID: (\d+)$/m.exec(readIfPresent(join(dataDirectory, "status")))?.[1]
  if (pid === undefined || Number(pid) === process.pid || identifyProcess(Number(pid)) === null) return false
  return process.platform !== "linux" || readIfPresent(`/proc/${pid}/cmdline`).includes("clickhouse-child")
}

function readIfPresent(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    const code = readSystemCode(error)
    if (code === "ENOENT" || code === "ENOTDIR") return []
    throw error
  }
}
