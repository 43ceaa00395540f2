import { once } from "node:events"
import { chmodSync, createWriteStream, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Client } from "pg"
import type { Json } from "../../src/kernel/json.js"
import type { ClickHouse } from "../../src/platform/clickhouse/click-house.js"
import { startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"

/** The rows in a PostgreSQL of their own. */
export interface PostgresCopy {
  rows(sql: string): Promise<readonly (readonly Json[])[]>
  stop(): Promise<void>
}

/** A table of PostgreSQL: its columns, the ClickHouse SQL of its rows (all cells text) and what its indexes cover. */
export interface CopiedTable {
  readonly name: string
  readonly columns: string
  readonly rows: string
  readonly indexes: readonly string[]
}

/** Copies tables into a PostgreSQL of their own, then makes the indexes; calls `onProgress` with how many rows. */
export async function copyToPostgres(
  clickHouse: ClickHouse,
  tables: readonly CopiedTable[],
  onProgress: (copied: number) => void,
): Promise<PostgresCopy> {
  const directory = mkdtempSync(join(tmpdir(), "waymark-bench-postgres-"))
  const postgres = await startEmbeddedPostgres({ dataDirectory: directory, logger: silentLogger })
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  const stop = async () => {
    await client.end()
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    // The server may run under another account than this program.
    chmodSync(directory, 0o755)
    await client.query("SET maintenance_work_mem = '512MB'")
    for (const { name, columns, rows, indexes } of tables) {
      const file = join(directory, `${name}.tsv`)
      await writeFile(file, clickHouse, rows, onProgress)
      await client.query(`CREATE UNLOGGED TABLE ${name} (${columns})`)
      await client.query(`COPY ${name} FROM '${file}'`)
      rmSync(file)
      for (const index of indexes) await client.query(`CREATE INDEX ON ${name} ${index}`)
      await client.query(`VACUUM ANALYZE ${name}`)
    }
    await client.query("SET work_mem = '256MB'")
  } catch (error) {
    await stop()
    throw error
  }
  return { rows: async (sql) => (await client.query({ text: sql, rowMode: "array" })).rows as Json[][], stop }
}

async function writeFile(
  file: string,
  clickHouse: ClickHouse,
  sql: string,
  onProgress: (copied: number) => void,
): Promise<void> {
  const lines = createInterface({ input: await clickHouse.stream({ sql }, "JSONCompactEachRow") })
  const output = createWriteStream(file, { mode: 0o644 })
  let copied = 0
  for await (const line of lines) {
    const cells = (JSON.parse(line) as string[]).map((cell) => cell.replaceAll("\\", "\\\\"))
    if (!output.write(`${cells.join("\t")}\n`)) await once(output, "drain")
    if (++copied % 1_000_000 === 0) onProgress(copied)
  }
  output.end()
  await once(output, "finish")
}
