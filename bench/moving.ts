import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Client } from "pg"
import { createClickHouse } from "../src/platform/clickhouse/click-house-client.js"
import { startEmbeddedClickHouse } from "../src/platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../src/platform/logger/logger.js"
import { startAdminCommand } from "../test/support/admin-command.js"
import { memoryByProgram, memoryOfTree } from "./support/memory.js"
import { PERSONAL_KEY, startWaymark } from "./support/server.js"
import { printTable } from "./support/table.js"
import { giveSpares, storeWideEvents } from "./support/wide-data.js"

/**
 * What a backup, the next one, its check, a restore and an export take for events of 1.7 KB, beside a running server.
 * `bench/moving.ts [--events 1000000]`
 */
const { values: options } = parseArgs({ options: { events: { type: "string", default: "1000000" } } })
const events = Number(options.events)
const LOOK_EVERY_MS = 500

const say = (text: string): void => void process.stderr.write(`${text}\n`)
const directories: string[] = []
const makeDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "waymark-bench-"))
  directories.push(directory)
  return directory
}
const [data, backup, restored, exported] = [makeDirectory(), makeDirectory(), makeDirectory(), makeDirectory()]

try {
  // A first start lays out the stores.
  await (await startWaymark({ dataDirectory: data })).stop()
  await fill(data)
  const server = await startWaymark({ dataDirectory: data })
  const rows: string[][] = []
  try {
    const beside = async (title: string, arguments_: readonly string[], made: string): Promise<void> => {
      say(title)
      const figures = await run(arguments_, { DATA_DIR: data }, server.pid)
      rows.push([title, ...figures, made === "" ? "" : `${megabytesOf(made)} MB`])
    }
    await beside("backup", ["backup", "--to", backup], backup)
    await beside("the next backup", ["backup", "--to", backup], backup)
    await beside("check of the backup", ["verify-backup", "--from", backup], "")
    await beside("export as Parquet", ["export", "--to", exported], exported)
  } finally {
    await server.stop()
  }
  say("restore")
  const figures = await run(["restore", "--from", backup], { DATA_DIR: restored }, null)
  rows.push(["restore", ...figures, `${megabytesOf(restored)} MB`])
  await requireAll(restored)
  const title = `${events.toLocaleString("en")} events, ${megabytesOf(data)} MB`
  printTable([title, "seconds", "command MB", "ClickHouse MB", "made"], rows)
  process.stdout.write(`\nThe load was ${loadavg()[0]?.toFixed(1)} at the end.\n`)
} finally {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
}

function megabytesOf(folder: string): number {
  return Number.parseInt(spawnSync("du", ["-sm", folder], { encoding: "utf8" }).stdout, 10)
}

/** Puts events, persons and the uuids that ingestion would have noted into the stores of a server that is not running. */
async function fill(dataDirectory: string): Promise<void> {
  const engine = await startEmbeddedClickHouse({ dataDirectory, logger: silentLogger })
  const records = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger })
  const clickHouse = createClickHouse({ url: () => engine.url, logger: silentLogger })
  await storeWideEvents(clickHouse, events, (stored) => say(`  ${stored.toLocaleString("en")} stored`))
  await clickHouse.close()
  await giveSpares(records.url)
  const client = new Client({ connectionString: records.url })
  await client.connect()
  await client.query(
    "INSERT INTO event_uuid (project_id, uuid, seen_on) SELECT 1, gen_random_uuid(), now() FROM generate_series(1, $1)",
    [events],
  )
  await client.end()
  await Promise.all([engine.stop(), records.stop()])
}

/** Seconds and peak megabytes of a command with its children, and of the server's ClickHouse meanwhile. */
async function run(
  arguments_: readonly string[],
  environment: Record<string, string>,
  serverPid: number | null,
): Promise<string[]> {
  const startedAtMs = performance.now()
  const command = startAdminCommand(arguments_, environment)
  let hasEnded = false
  const ended = command.ended.finally(() => {
    hasEnded = true
  })
  let [own, engine] = [0, 0]
  while (!hasEnded) {
    own = Math.max(own, memoryOfTree(command.pid).proportionalMegabytes)
    engine = Math.max(engine, memoryByProgram(serverPid ?? command.pid).get("clickhouse") ?? 0)
    await Promise.race([ended, pause(LOOK_EVERY_MS)])
  }
  const seconds = (performance.now() - startedAtMs) / 1000
  const { code, stdout, stderr } = await ended
  if (code !== 0) throw new Error(stderr)
  say(stdout.trim())
  return [seconds.toFixed(1), own.toFixed(0), engine.toFixed(0)]
}

/** @throws Error where a restored server does not have as many events. */
async function requireAll(dataDirectory: string): Promise<void> {
  const server = await startWaymark({ dataDirectory })
  try {
    const response = await fetch(`${server.url}/api/projects/@current/query/`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${PERSONAL_KEY}` },
      body: JSON.stringify({ query: { kind: "HogQLQuery", query: "SELECT count(DISTINCT uuid) FROM events" } }),
    })
    const text = await response.text()
    if (!text.includes(`[[${events}]]`)) throw new Error(`restored otherwise: ${response.status} ${text}`)
  } finally {
    await server.stop()
  }
}
