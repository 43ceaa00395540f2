import { randomBytes, randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import pg from "pg"
import { createClickHouse } from "../src/platform/clickhouse/click-house-client.js"
import { silentLogger } from "../src/platform/logger/logger.js"
import { memoryOfTree } from "./support/memory.js"
import { storePersons, storeRecordings } from "./support/recordings-data.js"
import { PERSONAL_KEY, PROJECT_KEY, startWaymark } from "./support/server.js"
import { startSharedStores } from "./support/shared-stores.js"
import { StatementCounter } from "./support/statements.js"
import { printTable } from "./support/table.js"
import { waitUntilDrained } from "./support/wait.js"

const SESSIONS = 100_000
const TIMES = 20
const RECORDERS = 100
const RECORDED_SECONDS = 20
/** The recorder of browsers sends what it has this often. */
const FLUSH_EVERY_MS = 2_000
const FLUSH_BYTES = 40_000

/** Lists of recordings, each as a released client would ask for it. */
const LISTS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["last three days, newest first", {}],
  ["all kept", { date_from: "-30d" }],
  ["all kept, page at offset 5,000", { date_from: "-30d", offset: 5000 }],
  ["all kept, by clicks", { date_from: "-30d", order: "click_count" }],
  [
    "longer than 170 s and an error",
    {
      date_from: "-30d",
      having_predicates: [
        { key: "duration", operator: "gte", value: 170 },
        { key: "console_error_count", operator: "gte", value: 1 },
      ],
    },
  ],
  ["with an order", { date_from: "-30d", events: [{ id: "order placed" }] }],
  ["on Firefox", { date_from: "-30d", properties: [{ type: "event", key: "$browser", value: "Firefox" }] }],
  ["of people on the team plan", { date_from: "-30d", properties: [{ type: "person", key: "plan", value: "team" }] }],
  [
    "team plan or an order",
    {
      date_from: "-30d",
      operand: "OR",
      events: [{ id: "order placed" }],
      properties: [{ type: "person", key: "plan", value: "team" }],
    },
  ],
]

async function measureLists(): Promise<void> {
  const stores = await startSharedStores()
  const { DATABASE_URL = "", CLICKHOUSE_URL = "" } = stores.environment
  const server = await startWaymark({ environment: stores.environment })
  const clickHouse = createClickHouse({ url: () => CLICKHOUSE_URL, logger: silentLogger })
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 1 })
  const counter = new StatementCounter(DATABASE_URL, clickHouse)
  try {
    await storeRecordings(clickHouse, SESSIONS)
    await storePersons(pool)
    await counter.settle()
    const list = async (query: Record<string, unknown>): Promise<number> => {
      const written = Object.entries(query).map(([name, value]) => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ])
      const path = `/api/environments/@current/session_recordings/?${new URLSearchParams(Object.fromEntries(written))}`
      const answer = await fetch(server.url + path, { headers: { Authorization: `Bearer ${PERSONAL_KEY}` } })
      const body = (await answer.json()) as { count: number }
      if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(body)}`)
      return body.count
    }
    const rows: string[][] = []
    for (const [name, query] of LISTS) {
      const count = await list(query)
      const cost = await counter.measure(TIMES, async () => void (await list({ ...query, limit: 50 })))
      rows.push([
        name,
        count.toLocaleString("en"),
        cost.medianMs.toFixed(0),
        cost.postgres.toFixed(1),
        cost.clickHouse.toFixed(1),
      ])
    }
    const one = await counter.measure(TIMES, async () => void (await list({ date_from: "-30d", limit: 1 })))
    rows.push([
      "all kept, one of them",
      "",
      one.medianMs.toFixed(0),
      one.postgres.toFixed(1),
      one.clickHouse.toFixed(1),
    ])
    process.stdout.write(
      `Pages of 50 out of ${SESSIONS.toLocaleString("en")} sessions, with person and viewers, ${TIMES} times each\n\n`,
    )
    printTable(["", "found", "median ms", "PostgreSQL", "ClickHouse"], rows)
  } finally {
    await Promise.all([counter.close(), pool.end(), clickHouse.close()])
    await server.stop()
    await stores.stop()
  }
}

/** One flush of a recorder: mutations whose text does not compress away. */
function flushBody(sessionId: string): Buffer {
  const now = Date.now()
  const adds = Array.from({ length: 40 }, (_, index) => ({
    parentId: 1,
    nextId: null,
    node: {
      id: index,
      type: 3,
      textContent: randomBytes(FLUSH_BYTES / 120).toString("hex"),
    },
  }))
  const items = [
    { type: 3, timestamp: now - 1500, data: { source: 1, positions: [{ x: 1, y: 1, id: 1, timeOffset: 0 }] } },
    { type: 3, timestamp: now - 1000, data: { source: 2, type: 2, id: 1, x: 1, y: 1 } },
    { type: 3, timestamp: now - 500, data: { source: 0, texts: [], attributes: [], removes: [], adds } },
  ]
  const properties = {
    token: PROJECT_KEY,
    distinct_id: sessionId,
    $session_id: sessionId,
    $window_id: sessionId,
    $lib: "web",
    $snapshot_data: items,
    $snapshot_bytes: FLUSH_BYTES,
  }
  return gzipSync(JSON.stringify([{ event: "$snapshot", uuid: randomUUID(), properties }]))
}

async function measureRecorders(): Promise<void> {
  const server = await startWaymark()
  try {
    const idle = memoryOfTree(server.pid)
    let peak = idle
    let [sent, bytes, failures] = [0, 0, 0]
    const until = performance.now() + RECORDED_SECONDS * 1000
    const watch = async (): Promise<void> => {
      while (performance.now() < until) {
        const now = memoryOfTree(server.pid)
        if (now.proportionalMegabytes > peak.proportionalMegabytes) peak = now
        await pause(500)
      }
    }
    const record = async (_: unknown, index: number): Promise<void> => {
      const sessionId = randomUUID()
      await pause((index * FLUSH_EVERY_MS) / RECORDERS)
      while (performance.now() < until) {
        const body = flushBody(sessionId)
        const answer = await fetch(`${server.url}/s/?compression=gzip-js`, {
          method: "POST",
          body,
          headers: { "Content-Type": "text/plain" },
        })
        await answer.text()
        if (answer.status === 200) sent++
        else failures++
        bytes += body.length
        await pause(FLUSH_EVERY_MS)
      }
    }
    await Promise.all([watch(), ...Array.from({ length: RECORDERS }, record)])
    const drainSeconds = await waitUntilDrained(server.url)
    const after = memoryOfTree(server.pid)
    const megabytes = ({ proportionalMegabytes }: typeof idle): string => `${Math.round(proportionalMegabytes)} MB`
    process.stdout.write(
      `\n${RECORDERS} recorders for ${RECORDED_SECONDS} s: ${sent} flushes, ${Math.round(bytes / 1e6)} MB compressed, ${failures} failures; `,
    )
    process.stdout.write(`stored ${drainSeconds.toFixed(1)} s after the last.\n`)
    process.stdout.write(
      `Memory of the whole tree: idle ${megabytes(idle)}, at most ${megabytes(peak)}, afterwards ${megabytes(after)}.\n`,
    )
  } finally {
    await server.stop()
  }
}

await measureLists()
await measureRecorders()
