import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"

interface Part {
  readonly name: string
  readonly partition: string
  readonly first: number
  readonly last: number
  readonly level: number
}

const PART = /^(.+)_(\d+)_(\d+)_(\d+)(?:_\d+)?$/

/**
 * Bytes that each table of an embedded ClickHouse takes, by its name: of parts that count, not those that were merged
 * into another and wait to be removed.
 */
export function readStoredBytes(dataDirectory: string): ReadonlyMap<string, number> {
  const root = join(dataDirectory, "clickhouse", "engine", "data")
  const bytes = new Map<string, number>()
  for (const database of existsSync(root) ? readdirSync(root) : [])
    for (const table of readdirSync(join(root, database))) {
      const folder = join(root, database, table)
      const parts = readdirSync(folder).flatMap(readPart)
      const active = parts.filter((part) => !parts.some((other) => covers(other, part)))
      const total = active.reduce((sum, { name }) => sum + sizeOf(join(folder, name)), 0)
      bytes.set(table, (bytes.get(table) ?? 0) + total)
    }
  return bytes
}

function readPart(name: string): Part[] {
  const [, partition = "", first, last, level] = PART.exec(name) ?? []
  if (level === undefined) return []
  return [{ name, partition, first: Number(first), last: Number(last), level: Number(level) }]
}

const covers = (other: Part, part: Part): boolean =>
  other.partition === part.partition && other.level > part.level && other.first <= part.first && other.last >= part.last

/** Of all files in a folder; what is removed meanwhile counts for nothing. */
function sizeOf(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  } catch {
    return 0
  }
}
