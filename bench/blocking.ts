import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { PERSONAL_KEY, PROJECT_KEY, startWaymark } from "./support/server.js"
import { printTable } from "./support/table.js"
import { waitUntilDrained } from "./support/wait.js"

/**
 * How long one request holds up the event loop at most: the largest bodies that are allowed, of every awkward form, and some
 * that are not. All roles in one process: the second column is what ingestion does with the events afterwards.
 */
const MIB = 1024 * 1024
const directory = mkdtempSync(join(tmpdir(), "waymark-blocking-"))
const file = join(directory, "delay")
const server = await startWaymark({
  environment: {
    NODE_OPTIONS: `--import ${new URL("support/event-loop-delay.mjs", import.meta.url)}`,
    EVENT_LOOP_DELAY_FILE: file,
  },
})

/** Milliseconds of processor time, and of the clock, since the last call. */
async function longestDelay(): Promise<string> {
  rmSync(file, { force: true })
  process.kill(server.pid, "SIGUSR2")
  for (;;) {
    await pause(20)
    try {
      const { cpu, clock } = JSON.parse(readFileSync(file, "utf8")) as { cpu: number; clock: number }
      return `${cpu.toFixed(0)} (${clock.toFixed(0)})`
    } catch {}
  }
}

/** A list of as many items as fit into a body of so many bytes and values. */
function fill(item: (index: number) => string, maxBytes: number, maxItems = 999_000): string {
  const items: string[] = []
  let length = 0
  for (let index = 0; index < maxItems; index++) {
    const text = item(index)
    length += text.length + 1
    if (length > maxBytes) break
    items.push(text)
  }
  return items.join(",")
}

const batchOf = (item: (index: number) => string, maxItems?: number): string =>
  `{"api_key":"${PROJECT_KEY}","batch":[${fill(item, 20 * MIB - 100, maxItems)}]}`
const eventOf = (properties: string): string =>
  `{"api_key":"${PROJECT_KEY}","event":"e","distinct_id":"u","properties":${properties}}`
const ordinary = (index: number): string =>
  JSON.stringify({
    event: "$pageview",
    distinct_id: `user-${index % 5_000}`,
    timestamp: new Date(Date.now() - index).toISOString(),
    properties: {
      $browser: "Chrome",
      $os: "Mac OS X",
      $lib: "web",
      $lib_version: "1.2.3",
      $screen_height: 1080,
      index,
      $current_url: `https://shop.example/item/${index}`,
    },
  })
const snapshots = (): string => {
  const node = (index: number) =>
    `{"type":2,"tagName":"div","attributes":{"class":"c${index}"},"childNodes":[],"id":${index}}`
  const data = `{"type":2,"timestamp":1,"data":{"node":{"childNodes":[${fill(node, 25 * MIB - 500, 140_000)}]}}}`
  const properties = `{"token":"${PROJECT_KEY}","distinct_id":"u","$session_id":"s-1","$snapshot_data":[${data}]}`
  return `{"event":"$snapshot","properties":${properties}}`
}

const V1_HEADERS = {
  authorization: `Bearer ${PROJECT_KEY}`,
  "user-agent": "bench/1",
  "posthog-sdk-info": "bench/1",
  "posthog-attempt": "1",
  "posthog-request-id": "01990000-0000-7000-8000-000000000001",
  "posthog-request-timestamp": new Date().toISOString(),
}
const v1 = (): string => {
  const event = (index: number) =>
    `{"uuid":"01990000-0000-7000-8000-${String(index).padStart(12, "0")}","event":"e","distinct_id":"u-${index}","timestamp":"2026-11-21T12:00:00.000Z"}`
  return `{"created_at":"2026-11-21T12:00:00.000Z","batch":[${fill(event, 20 * MIB - 100)}]}`
}

const JSON_BODY = { "content-type": "application/json" }
const CASES: readonly (readonly [what: string, path: string, body: () => string | Buffer, headers?: object])[] = [
  ["nothing", "/batch/", () => batchOf(ordinary, 1)],
  ["ordinary events, 20 MiB", "/batch/", () => batchOf(ordinary)],
  ["the same, gzip", "/batch/", () => gzipSync(batchOf(ordinary)), { "content-encoding": "gzip" }],
  ["20 events of 0.9 MB", "/batch/", () => batchOf((index) => eventOf(`{"text":"${String(index).repeat(450_000)}"}`))],
  ["events of two fields", "/batch/", () => batchOf((index) => `{"event":"e","distinct_id":"u-${index}"}`, 333_000)],
  [
    "events, each of a property of its own",
    "/batch/",
    () => batchOf((index) => `{"event":"e","distinct_id":"u","properties":{"key${index}":1}}`, 199_000),
  ],
  ["events without a name, all dropped", "/batch/", () => batchOf((index) => `{"a${index}":1}`, 499_000)],
  ["arrays, 1,000,000", "/e/", () => eventOf(`{"a":[${fill(() => "[]", 20 * MIB)}]}`)],
  ["zeros, 1,000,000", "/e/", () => eventOf(`{"a":[${fill(() => "0", 20 * MIB)}]}`)],
  ["one event of 1,000,000 names", "/e/", () => eventOf(`{${fill((index) => `"key${index}":1`, 19 * MIB)}}`)],
  [
    "objects of three names of their own",
    "/e/",
    () => eventOf(`{"a":[${fill((index) => `{"a${index}":1,"b${index}":2,"c${index}":3}`, 19 * MIB, 249_000)}]}`),
  ],
  ["texts of escapes", "/e/", () => eventOf(`{"a":"${"\\u0041".repeat(3 * MIB)}"}`)],
  ["one text", "/e/", () => eventOf(`{"a":"${"x".repeat(19 * MIB)}"}`)],
  ["white space", "/e/", () => `${" ".repeat(19 * MIB)}${eventOf("{}")}`],
  [
    "halves of surrogate pairs",
    "/e/",
    () =>
      Buffer.concat([
        Buffer.from(eventOf('{"a":"').slice(0, -1)),
        Buffer.alloc(18 * MIB, Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80])),
        Buffer.from('"}}'),
      ]),
  ],
  ["100,000 levels", "/e/", () => "[".repeat(100_000)],
  ["a batch cut off at its end", "/batch/", () => batchOf(ordinary).slice(0, -10)],
  ["a recording, 25 MiB", "/s/", snapshots],
  ["newer path, 20 MiB", "/i/v1/analytics/events", v1, { ...JSON_BODY, ...V1_HEADERS }],
  [
    "brotli bomb on flags",
    "/flags/?v=2",
    () => brotliCompressSync(Buffer.alloc(500 * MIB, " ")),
    { "content-encoding": "br" },
  ],
  [
    "decision, 1 MiB of names",
    "/flags/?v=2",
    () =>
      `{"api_key":"${PROJECT_KEY}","distinct_id":"u","person_properties":{${fill((index) => `"key${index}":1`, MIB - 200)}}}`,
  ],
  [
    "GraphQL, 1 MiB of variables",
    "/graphql",
    () => `{"query":"query ($a: JSON) { __typename }","variables":{"a":[${fill(() => "[]", MIB - 100)}]}}`,
    JSON_BODY,
  ],
  ["GraphQL, 2 MiB", "/graphql", () => " ".repeat(2 * MIB), JSON_BODY],
]

/** A CSV of a static cohort, 20 MiB. */
async function uploadCsv(): Promise<string> {
  const headers = { authorization: `Bearer ${PERSONAL_KEY}`, "content-type": "application/json" }
  const cohorts = `${server.url}/api/environments/@current/cohorts/`
  const made = await fetch(cohorts, { method: "POST", headers, body: JSON.stringify({ name: "c", is_static: true }) })
  const { id } = (await made.json()) as { id: number }
  const csv = `distinct_id\n${Array.from({ length: 500_000 }, (_, index) => `user-${index}-${"x".repeat(26)}`).join("\n")}`
  await longestDelay()
  const answer = await fetch(`${cohorts}${id}/members/`, {
    method: "POST",
    headers: { ...headers, "content-type": "text/csv" },
    body: csv,
  })
  return String(answer.status)
}

const rows: string[][] = []
try {
  // So that compiling is over.
  for (let round = 0; round < 20; round++)
    await fetch(`${server.url}/batch/`, { method: "POST", body: batchOf(ordinary, 500) })
  for (const [what, path, body, headers = {}] of CASES) {
    const sent = body()
    await waitUntilDrained(server.url)
    await longestDelay()
    const answer = await fetch(server.url + path, { method: "POST", body: sent, headers: { ...headers } })
    await answer.text()
    const answering = await longestDelay()
    const drained = await waitUntilDrained(server.url)
    rows.push([what, String(answer.status), answering, await longestDelay(), drained.toFixed(1)])
  }
  rows.push(["CSV of 500,000 ids", await uploadCsv(), await longestDelay(), "", ""])
  printTable(["milliseconds of CPU (and clock)", "status", "answering", "ingesting", "s until stored"], rows)
} finally {
  await server.stop()
  rmSync(directory, { recursive: true })
}
