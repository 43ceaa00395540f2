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

/** The events in a PostgreSQL of their own. */
export interface PostgresCopy {
  rows(sql: string): Promise<readonly (readonly Json[])[]>
  stop(): Promise<void>
}

/** Each event with the person it belongs to now, which saves PostgreSQL the join. */
const EVENTS = `SELECT e.event, toString(if(o.distinct_id = '', e.person_id, o.person_id)), toString(e.timestamp), e.properties
  FROM events AS e LEFT JOIN person_distinct_id_overrides AS o ON e.distinct_id = o.distinct_id ORDER BY e.timestamp`

/** Copies every event into a PostgreSQL of its own, with an index that serves these queries; calls `onProgress` with how many. */
export async function copyToPostgres(
  clickHouse: ClickHouse,
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
    const file = join(directory, "events.tsv")
    await writeFile(file, clickHouse, onProgress)
    await client.query(
      "CREATE UNLOGGED TABLE events (event text, person_id uuid, timestamp timestamptz, properties jsonb)",
    )
    await client.query(`COPY events FROM '${file}'`)
    rmSync(file)
    await client.query("SET maintenance_work_mem = '512MB'")
    await client.query("CREATE INDEX ON events (event, timestamp) INCLUDE (person_id)")
    await client.query("VACUUM ANALYZE events")
    await client.query("SET work_mem = '256MB'")
  } catch (error) {
    await stop()
    throw error
  }
  return { rows: async (sql) => (await client.query({ text: sql, rowMode: "array" })).rows as Json[][], stop }
}

async function writeFile(file: string, clickHouse: ClickHouse, onProgress: (copied: number) => void): Promise<void> {
  const lines = createInterface({ input: await clickHouse.stream({ sql: EVENTS }, "JSONCompactEachRow") })
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
