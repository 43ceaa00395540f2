import "reflect-metadata"
import { deepStrictEqual } from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text as readText } from "node:stream/consumers"
import { parseArgs } from "node:util"
import { QUERY_SETTINGS } from "../src/hogql/index.js"
import type { Json } from "../src/kernel/json.js"
import { createClickHouse } from "../src/platform/clickhouse/click-house-client.js"
import { startEmbeddedClickHouse } from "../src/platform/embedded/embedded-clickhouse.js"
import { silentLogger } from "../src/platform/logger/logger.js"
import { cpuSecondsOf } from "./support/cpu.js"
import { INSIGHTS, type InsightCase, type Numbers } from "./support/insight-cases.js"
import { compileTimeMs } from "./support/insight-compile.js"
import { COPIED_EVENTS, storeEvents } from "./support/insight-data.js"
import { copyToPostgres, type PostgresCopy } from "./support/postgres-copy.js"
import { PERSONAL_KEY, startWaymark } from "./support/server.js"
import { printTable } from "./support/table.js"

/**
 * Insights through the API against SQL written by hand for the same numbers on the same ClickHouse, in turn, so that a busy
 * machine slows both; with `--postgres` also against PostgreSQL with the same events. Processor time says more than time where
 * others work too. `bench/insights.ts [--events 1000000] [--rounds 41] [--postgres]`
 */
const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "41" },
    postgres: { type: "boolean", default: false },
  },
})
const eventCount = Number(options.events)
const rounds = Number(options.rounds)

const keptConnections = new Agent({ keepAlive: true })
const say = (text: string): void => void process.stderr.write(`${text}\n`)
const dataDirectory = mkdtempSync(join(tmpdir(), "waymark-bench-"))
const engine = await startEmbeddedClickHouse({ dataDirectory, logger: silentLogger })
const clickHouse = createClickHouse({ url: () => engine.url, logger: silentLogger })
const server = await startWaymark({ environment: { CLICKHOUSE_URL: engine.url } })
let postgres: PostgresCopy | null = null

interface Way {
  readonly ask: () => Promise<Numbers>
  readonly cpuSeconds: () => number
}
interface Taken {
  readonly ms: number[]
  cpuMs: number
}

try {
  say(`Storing ${eventCount.toLocaleString("en")} events`)
  await storeEvents(clickHouse, eventCount, (stored) => say(`  ${stored.toLocaleString("en")} stored`))
  if (options.postgres) {
    say("Copying them to PostgreSQL")
    postgres = await copyToPostgres(clickHouse, [COPIED_EVENTS], (copied) =>
      say(`  ${copied.toLocaleString("en")} copied`),
    )
  }
  const enginePid = engine.pid() ?? 0
  // From here on the peak is that of the queries.
  writeFileSync(`/proc/${enginePid}/clear_refs`, "5")
  const rows: string[][] = []
  for (const insight of INSIGHTS) {
    say(insight.name)
    rows.push(await measured(insight, enginePid))
  }
  const noted = options.postgres ? ["PostgreSQL ms", "ratio"] : []
  const columns = ["API ms", "by hand ms", "ratio", "ratio of CPU", "compiled ms", ...noted]
  printTable([`${eventCount.toLocaleString("en")} events, medians of ${rounds}`, ...columns], rows)
  process.stdout.write(`\nThe ClickHouse child used ${peakMegabytes(enginePid)} MB at most while it answered.\n`)
} finally {
  keptConnections.destroy()
  await postgres?.stop()
  await server.stop()
  await clickHouse.close()
  await engine.stop()
  rmSync(dataDirectory, { recursive: true, force: true })
}

async function measured(insight: InsightCase, enginePid: number): Promise<string[]> {
  const engineSeconds = () => cpuSecondsOf(enginePid).own
  const api: Way = {
    ask: async () => insight.ofAnswer(await askApi(insight)),
    cpuSeconds: () => engineSeconds() + cpuSecondsOf(server.pid).own,
  }
  const byHand: Way = {
    ask: async () =>
      insight.ofRows((await clickHouse.query({ sql: insight.clickHouse, settings: QUERY_SETTINGS })).rows),
    cpuSeconds: engineSeconds,
  }
  const copy = postgres
  const ways = [api, byHand]
  if (copy !== null)
    ways.push({ ask: async () => insight.ofRows(await copy.rows(insight.postgres)), cpuSeconds: () => 0 })
  const answers = await inTurn(ways, (way) => way.ask())
  for (const answer of answers.slice(1)) deepStrictEqual(nonZero(answers[0] ?? {}), nonZero(answer), insight.name)
  const taken: Taken[] = ways.map(() => ({ ms: [], cpuMs: 0 }))
  for (let round = 0; round < rounds; round++) await inTurn(ways, (way, at) => take(way, taken[at] as Taken))
  const [ours, hand, theirs] = taken.map(({ ms }) => median(ms)) as [number, number, number?]
  const cpuRatio = (taken[0]?.cpuMs ?? 0) / (taken[1]?.cpuMs ?? 1)
  const compiled = (await compileTimeMs(insight)).toFixed(1)
  const beside = theirs === undefined ? [] : [theirs.toFixed(0), (theirs / ours).toFixed(1)]
  return [
    insight.name,
    ours.toFixed(0),
    hand.toFixed(0),
    (ours / hand).toFixed(2),
    cpuRatio.toFixed(2),
    compiled,
    ...beside,
  ]
}

async function inTurn<T>(ways: readonly Way[], use: (way: Way, at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (const [at, way] of ways.entries()) results.push(await use(way, at))
  return results
}

async function take({ ask, cpuSeconds }: Way, taken: Taken): Promise<void> {
  const [startedAt, before] = [performance.now(), cpuSeconds()]
  await ask()
  taken.ms.push(performance.now() - startedAt)
  taken.cpuMs += (cpuSeconds() - before) * 1000
}

async function askApi({ query }: InsightCase): Promise<Json> {
  const body = JSON.stringify({ query, refresh: "force_blocking" })
  const { status, text } = await post(`${server.url}/api/projects/@current/query/`, body)
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return (JSON.parse(text) as { results: Json }).results
}

/** Node's own client over a kept connection, as SQL by hand goes to ClickHouse over one. */
function post(url: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    authorization: `Bearer ${PERSONAL_KEY}`,
  }
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", agent: keptConnections, headers }, (response) => {
      readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    })
    asked.on("error", reject).end(body)
  })
}

/** Hand-written SQL gives no rows where there is nothing; our answers say 0. */
function nonZero(numbers: Numbers): Numbers {
  const there = Object.entries(numbers).filter(([, value]) => value !== 0)
  return Object.fromEntries(there.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function peakMegabytes(pid: number): string {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0
  return Math.round(Number(kilobytes) / 1024).toLocaleString("en")
}
