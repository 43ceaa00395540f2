import "reflect-metadata"
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { createClickHouse } from "../src/platform/clickhouse/click-house-client.js"
import { startEmbeddedClickHouse } from "../src/platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../src/platform/logger/logger.js"
import { copyToPostgres, type PostgresCopy } from "./support/postgres-copy.js"
import { PERSONAL_KEY, startWaymark } from "./support/server.js"
import { printTable } from "./support/table.js"
import { COPIED_TABLES, giveSpares, storeBestLayout, storeWideEvents } from "./support/wide-data.js"
import { QUESTIONS, type WideQuestion } from "./support/wide-questions.js"

/**
 * Sixteen questions over events of 1.7 KB with 50 properties through the API, each against SQL by hand over the layout
 * that would be best for it, in turn, so that a busy machine slows both. The SQL answers the like of the question, not
 * its last detail. With `--postgres` also PostgreSQL with the properties as JSONB and indexes, asked once.
 * `bench/wide.ts [--events 300000] [--rounds 3] [--postgres]`, with 3000000 or 30000000 events for a large project.
 */
const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "300000" },
    rounds: { type: "string", default: "3" },
    postgres: { type: "boolean", default: false },
  },
})
const POSTGRES_LIMIT_MS = 40_000
const [eventCount, rounds] = [Number(options.events), Number(options.rounds)]

const say = (text: string): void => void process.stderr.write(`${text}\n`)
const dataDirectory = mkdtempSync(join(tmpdir(), "waymark-bench-"))
const engine = await startEmbeddedClickHouse({ dataDirectory, logger: silentLogger })
const clickHouse = createClickHouse({ url: () => engine.url, logger: silentLogger })
const records = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger })
const server = await startWaymark({ environment: { CLICKHOUSE_URL: engine.url, DATABASE_URL: records.url } })
let postgres: PostgresCopy | null = null

try {
  say(`Storing ${eventCount.toLocaleString("en")} events`)
  await storeWideEvents(clickHouse, eventCount, (stored) => say(`  ${stored.toLocaleString("en")} stored`))
  await storeBestLayout(clickHouse)
  await giveSpares(records.url)
  if (options.postgres) {
    postgres = await copyToPostgres(clickHouse, COPIED_TABLES, (copied) => say(`  ${copied} copied`))
    await postgres.rows(`SET statement_timeout = ${POSTGRES_LIMIT_MS}`)
  }
  const rows: string[][] = []
  for (const question of QUESTIONS) {
    say(question.name)
    rows.push(await measure(question))
  }
  const title = `${eventCount.toLocaleString("en")} events, medians of ${rounds}`
  printTable([title, "API ms", "by hand ms", "ratio", ...(postgres ? ["PostgreSQL ms", "ratio"] : [])], rows)
  process.stdout.write(`\nThe load was ${loadavg()[0]?.toFixed(1)} at the end.\n`)
} finally {
  await postgres?.stop()
  await server.stop()
  await clickHouse.close()
  await Promise.all([engine.stop(), records.stop()])
  rmSync(dataDirectory, { recursive: true, force: true })
}

async function measure(question: WideQuestion): Promise<string[]> {
  const [ours, theirs]: number[][] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const api = await timed(() => askApi(question))
    const byHand = await timed(() => clickHouse.query({ sql: question.byHand, settings: { max_threads: 2 } }))
    // The first round reads everything from disk and plans anew.
    if (round === 0) continue
    ours?.push(api)
    theirs?.push(byHand)
  }
  const [a, b] = [median(ours ?? []), median(theirs ?? [])]
  const cells = [question.name, a.toFixed(0), b.toFixed(0), (a / b).toFixed(2)]
  if (!postgres) return cells
  const copy = postgres
  const jsonb = await timed(() => copy.rows(question.postgres)).catch(() => null)
  return [...cells, ...(jsonb === null ? [`> ${POSTGRES_LIMIT_MS}`, ""] : [jsonb.toFixed(0), (jsonb / a).toFixed(1)])]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return performance.now() - startedAtMs
}

async function askApi({ query, name }: WideQuestion): Promise<void> {
  const response = await fetch(`${server.url}/api/projects/@current/query/`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${PERSONAL_KEY}` },
    body: JSON.stringify({ query, refresh: "force_blocking" }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${name}: ${response.status} ${text}`)
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
