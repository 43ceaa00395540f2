import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Migration } from "./migration.types.js"

const FILE_PATTERN = /^(\d{4})_[a-z0-9_]+\.sql$/

/** Where the package keeps a store's migrations; the same from `src` and from `dist`. */
export function migrationsDirectory(store: "postgres" | "clickhouse"): string {
  return fileURLToPath(new URL(`../../../migrations/${store}`, import.meta.url))
}

/**
 * Reads the migrations of a directory in the order of their numbers.
 * @throws Error when a `.sql` file is not named `NNNN_name.sql` or two have the same number.
 */
export async function loadMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith(".sql")).sort()
  const taken = new Map<string, string>()
  for (const file of files) {
    const number = FILE_PATTERN.exec(file)?.[1]
    if (number === undefined) throw new Error(`migration ${file} is not named NNNN_name.sql`)
    const other = taken.get(number)
    if (other !== undefined) throw new Error(`migrations ${other} and ${file} have the same number`)
    taken.set(number, file)
  }
  return Promise.all(files.map((file) => loadMigration(directory, file)))
}

async function loadMigration(directory: string, file: string): Promise<Migration> {
  const sql = (await readFile(join(directory, file), "utf8")).replaceAll("\r\n", "\n")
  return { name: file.slice(0, -".sql".length), sql, checksum: createHash("sha256").update(sql).digest("hex") }
}
