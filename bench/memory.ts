import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { memoryByProgram, memoryOfTree } from "./support/memory.js"
import { batchBody } from "./support/payloads.js"
import { PERSONAL_KEY, startWaymark } from "./support/server.js"
import { readStoredBytes } from "./support/stored-bytes.js"
import { printTable } from "./support/table.js"
import { waitUntilDrained } from "./support/wait.js"

/**
 * Memory of a server that is started as README says, with its stores and on an empty directory: idle, while events come
 * and a dashboard asks its queries, and afterwards; and what an event takes on disk. Pages that processes share are
 * divided among them (`Pss`), so the sum is what the machine has less.
 * `bench/memory.ts [--events-per-second 2000] [--seconds 60] [--afterwards 20]`
 */
const { values: options } = parseArgs({
  options: {
    "events-per-second": { type: "string", default: "2000" },
    seconds: { type: "string", default: "60" },
    afterwards: { type: "string", default: "20" },
  },
})
const EVENTS_PER_SECOND = Number(options["events-per-second"])
const SECONDS = Number(options.seconds)
const SECONDS_AFTERWARDS = Number(options.afterwards)
const EVENTS_PER_REQUEST = 100
const IDLE_SECONDS = 20
const DASHBOARD_EVERY_MS = 10_000
const PROGRAMS = ["server", "postgres", "clickhouse"] as const

const of = (event: string, more: object = {}): object => ({ kind: "EventsNode", event, ...more })
const DASHBOARD: readonly object[] = [
  { kind: "TrendsQuery", series: [of("$pageview")], dateRange: { date_from: "-1d" }, interval: "hour" },
  { kind: "TrendsQuery", series: [of("$pageview", { math: "dau" })], dateRange: { date_from: "-7d" } },
  {
    kind: "TrendsQuery",
    series: [of("$pageview")],
    breakdownFilter: { breakdown: "$browser", breakdown_type: "event" },
  },
  { kind: "FunnelsQuery", series: [of("$pageview"), of("$pageview")], dateRange: { date_from: "-7d" } },
  { kind: "HogQLQuery", query: "SELECT properties.plan, count() FROM events GROUP BY 1 ORDER BY 2 DESC" },
  { kind: "HogQLQuery", query: "SELECT person_id, max(timestamp) FROM events GROUP BY 1 ORDER BY 2 DESC LIMIT 50" },
]

type Sample = ReadonlyMap<string, number>

/** Samples memory once a second for so long. */
async function sampleFor(pid: number, seconds: number): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let second = 0; second < seconds; second++) {
    samples.push(memoryByProgram(pid))
    await pause(1_000)
  }
  return samples
}

const sum = (sample: Sample): number => [...sample.values()].reduce((total, megabytes) => total + megabytes, 0)
const toMegabytes = (value: number | undefined): string => Math.round(value ?? 0).toLocaleString("en")

function showRow(what: string, samples: readonly Sample[]): string[] {
  const sorted = samples.toSorted((left, right) => sum(left) - sum(right))
  const [middle, largest] = [sorted[sorted.length >> 1], sorted.at(-1)]
  if (middle === undefined || largest === undefined) throw new Error("nothing was measured")
  return [
    what,
    ...PROGRAMS.map((name) => toMegabytes(middle.get(name))),
    toMegabytes(sum(middle)),
    toMegabytes(sum(largest)),
  ]
}

async function post(url: string, body: string, key = ""): Promise<void> {
  const headers = { "content-type": "application/json", ...(key !== "" && { authorization: `Bearer ${key}` }) }
  const response = await fetch(url, { method: "POST", headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`)
}

/** Sends events at the rate that is asked for; resolves with how many once all are accepted. */
async function sendEvents(url: string): Promise<number> {
  const startedAt = performance.now()
  const requests = Math.round((EVENTS_PER_SECOND * SECONDS) / EVENTS_PER_REQUEST)
  const sent: Promise<void>[] = []
  for (let request = 0; request < requests; request++) {
    const dueMs = (request * EVENTS_PER_REQUEST * 1_000) / EVENTS_PER_SECOND - (performance.now() - startedAt)
    if (dueMs > 0) await pause(dueMs)
    sent.push(post(`${url}/batch/`, batchBody(EVENTS_PER_REQUEST)))
  }
  await Promise.all(sent)
  return requests * EVENTS_PER_REQUEST
}

/** Asks the queries of a dashboard, all at once, again and again until the signal aborts. */
async function askDashboard(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const bodies = DASHBOARD.map((query) => JSON.stringify({ query, refresh: "force_blocking" }))
    await Promise.all(bodies.map((body) => post(`${url}/api/environments/@current/query/`, body, PERSONAL_KEY)))
    await pause(DASHBOARD_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

const bytesOf = (path: string): number =>
  Number(/^\d+/.exec(spawnSync("du", ["-s", "--block-size=1", path], { encoding: "utf8" }).stdout)?.[0] ?? 0)

const server = await startWaymark()
try {
  const store = (name: string): number => bytesOf(join(server.dataDirectory, name))
  await pause(IDLE_SECONDS * 1_000)
  const idle = await sampleFor(server.pid, 5)
  const { processes } = memoryOfTree(server.pid)
  const before = store("postgres")

  const leaving = new AbortController()
  const dashboard = askDashboard(server.url, leaving.signal)
  const sending = sendEvents(server.url)
  const loaded = await sampleFor(server.pid, SECONDS)
  const events = await sending
  leaving.abort()
  await dashboard
  await waitUntilDrained(server.url)
  await pause(SECONDS_AFTERWARDS * 1_000)
  const afterwards = await sampleFor(server.pid, 5)

  printTable(
    [`MB of ${processes} processes`, ...PROGRAMS, "together", "at most"],
    [
      showRow("idle, empty", idle),
      showRow(`${EVENTS_PER_SECOND.toLocaleString("en")} events/s and a dashboard`, loaded),
      showRow(`${SECONDS_AFTERWARDS} s afterwards`, afterwards),
    ],
  )
  const perEvent = (bytes: number): string => Math.round(bytes / events).toLocaleString("en")
  const tables = readStoredBytes(server.dataDirectory)
  const [ofEvents, ofSessions] = [tables.get("events") ?? 0, tables.get("session_rollup") ?? 0]
  process.stdout.write(
    `\n${events.toLocaleString("en")} events took ${perEvent(ofEvents)} bytes each in ClickHouse, their sessions ` +
      `${perEvent(ofSessions)}, and ${perEvent(store("postgres") - before)} in PostgreSQL, its own log included.\n`,
  )
} finally {
  await server.stop()
}
