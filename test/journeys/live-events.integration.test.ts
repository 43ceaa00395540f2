import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type Client, createClient } from "graphql-ws"
import WebSocket from "ws"
import { startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { createPrivateRedis, hasRedisServer } from "../platform/redis-server.js"
import { createCallers } from "../support/access-matrix.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

interface LiveEvent {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly personId: string
  readonly properties: Record<string, unknown> | null
}

/** Three stores and two servers start and stop in one test. */
const FIVE_PROCESSES_WITHIN_MS = 180_000

const SUBSCRIPTION = `subscription ($event: String, $distinctId: String) {
  liveEvents(projectId: 1, event: $event, distinctId: $distinctId) { uuid event distinctId personId properties } }`

function connect(url: string, key: string | null = PERSONAL_KEY): Client {
  return createClient({
    url: `${url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    ...(key !== null && { connectionParams: { Authorization: `Bearer ${key}` } }),
  })
}

/** What one subscriber has got so far. */
function watch(client: Client, variables: Record<string, unknown> = {}) {
  const received: LiveEvent[] = []
  const errors: string[] = []
  const stop = client.subscribe<{ liveEvents: LiveEvent }>(
    { query: SUBSCRIPTION, variables },
    {
      next: ({ data, errors: faults }) => {
        if (data) received.push(data.liveEvents)
        for (const fault of faults ?? []) errors.push(String(fault.extensions?.code))
      },
      error: (fault) => {
        errors.push(JSON.stringify(fault))
      },
      complete: () => undefined,
    },
  )
  return { received, errors, stop }
}

/** Sends probes until a subscriber gets one: from then on it misses nothing. */
async function whenWatching(api: WaymarkApi, ...watched: { received: LiveEvent[] }[]): Promise<void> {
  await waitFor("the subscription to be live", async () => {
    if (watched.every(({ received }) => received.length > 0)) return true
    await api.capture({ event: "probe", distinct_id: "probe" })
    return false
  })
}

/** Records new sessions until the other process has told that one starts. */
async function whenRecordingStarts(api: WaymarkApi, client: Client): Promise<void> {
  const started: string[] = []
  const sent: string[] = []
  client.subscribe<{ change: { sessionId: string } }>(
    { query: "subscription { change: sessionRecordingChanges(projectId: 1) { sessionId kind } }" },
    {
      next: ({ data }) => void started.push(data?.change.sessionId ?? "a fault"),
      error: (fault) => void started.push(JSON.stringify(fault)),
      complete: () => undefined,
    },
  )
  await waitFor("a recording to start", async () => {
    const $session_id = randomUUID()
    const items = [{ type: 4, timestamp: Date.now(), data: { href: "https://a.test/", width: 1, height: 1 } }]
    const properties = { token: PROJECT_KEY, distinct_id: "x", $session_id, $window_id: "w", $snapshot_data: items }
    if (started.length === 0 && (await api.post("/s/", [{ event: "$snapshot", properties }])).status === 200)
      sent.push($session_id)
    return started.length > 0
  })
  expect(sent).toContain(started[0])
}

describe("live events of one process", () => {
  const directory = copyOfTemplate("server")
  const server = new WaymarkProcess(directory.path)
  let api: WaymarkApi

  beforeAll(async () => {
    api = new WaymarkApi(await server.ready())
  })
  afterAll(async () => {
    await server.stop()
    directory.remove()
  })

  test("come as they are stored, filtered by event and by distinct id", async () => {
    const client = connect(api.url)
    const all = watch(client)
    const probes = watch(client, { event: "probe", distinctId: "probe" })
    const bought = watch(client, { event: "bought", distinctId: "åsa" })
    await whenWatching(api, all, probes)
    await api.capture({ event: "bought", distinct_id: "bo" })
    await api.capture({ event: "seen", distinct_id: "åsa" })
    await api.capture({ event: "bought", distinct_id: "åsa", properties: { amount: 12 } })
    await waitFor("the event", () => bought.received.length > 0)
    expect(bought.received).toEqual([
      {
        uuid: expect.any(String),
        event: "bought",
        distinctId: "åsa",
        personId: expect.any(String),
        properties: expect.objectContaining({ amount: 12 }),
      },
    ])
    await waitFor("all events", () => all.received.some(({ event }) => event === "seen"))
    expect(probes.received.every(({ event }) => event === "probe")).toBe(true)
    const [stored] = await api.hogql(`SELECT count() FROM events WHERE uuid = '${bought.received[0]?.uuid}'`)
    expect(stored).toEqual([1])
    await client.dispose()
  })

  test("are refused without a key, with an unknown one, without the scope and to another project's key", async () => {
    const { createProject } = await api.changed<{ createProject: { id: number } }>(
      'mutation { createProject(input: { name: "Nebenan" }) { project { id: number } userErrors { message } } }',
    )
    const callers = await createCallers(api, ["query:read"], createProject.id)
    for (const caller of [callers.nobody, callers.withUnknownKey, callers.withoutScope, callers.ofAnotherProject]) {
      const client = connect(api.url, caller.personalKey)
      const refused = watch(client)
      await waitFor("the refusal", () => refused.errors.length > 0)
      expect(refused.received).toEqual([])
      await client.dispose()
    }
    const client = connect(api.url, callers.permitted.personalKey)
    const permitted = watch(client)
    await whenWatching(api, permitted)
    expect(permitted.errors).toEqual([])
    await client.dispose()
  })

  test("never show events of another project", async () => {
    const { createProject } = await api.changed<{ createProject: { apiToken: string } }>(
      'mutation { createProject(input: { name: "Drüben" }) { project { apiToken } userErrors { message } } }',
    )
    const client = connect(api.url)
    const all = watch(client)
    await whenWatching(api, all)
    await api.capture({ event: "foreign", distinct_id: "x" }, createProject.apiToken)
    await api.drained()
    await api.capture({ event: "own", distinct_id: "x" })
    await waitFor("the own event", () => all.received.some(({ event }) => event === "own"))
    expect(all.received.map(({ event }) => event)).not.toContain("foreign")
    await client.dispose()
  })
})

function describeSeveralProcesses(): void {
  test(
    "cross from the one that ingests to the one that is asked",
    async () => {
      const directory = temporaryDirectory()
      const options = { dataDirectory: directory.path, logger: silentLogger }
      const [postgres, engine, redis] = await Promise.all([
        startEmbeddedPostgres(options),
        startEmbeddedClickHouse(options),
        createPrivateRedis(),
      ])
      await redis.start()
      const shared = { DATABASE_URL: postgres.url, CLICKHOUSE_URL: engine.url, REDIS_URL: redis.url }
      const web = new WaymarkProcess(directory.path, { ...shared, ROLES: "web" })
      const ingest = new WaymarkProcess(directory.path, { ...shared, ROLES: "ingest" })
      try {
        const api = new WaymarkApi(await web.ready())
        const client = connect(api.url)
        const all = watch(client)
        await whenWatching(api, all)
        expect(all.received[0]).toMatchObject({ event: "probe", distinctId: "probe" })
        await whenRecordingStarts(api, client)
        await client.dispose()
      } finally {
        await Promise.all([web.stop(), ingest.stop()])
        await Promise.all([postgres.stop(), engine.stop(), redis.dispose()])
        directory.remove()
      }
    },
    FIVE_PROCESSES_WITHIN_MS,
  )
}

if (hasRedisServer()) describe("live events of several processes", describeSeveralProcesses)
