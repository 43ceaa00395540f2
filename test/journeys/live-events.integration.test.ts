import { createHash, randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type Client, createClient } from "graphql-ws"
import WebSocket from "ws"
import { createClickHouse } from "../../src/platform/clickhouse/click-house-client.js"
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
  readonly cursor: string
  readonly missedBefore: number
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly personId: string
  readonly properties: Record<string, unknown> | null
}

/** Three stores and two servers start and stop in one test. */
const FIVE_PROCESSES_WITHIN_MS = 180_000

const ARGUMENTS = "projectId: 1, event: $event, distinctId: $distinctId, properties: $properties, since: $since"
const SUBSCRIPTION = `
  subscription ($event: String, $distinctId: String, $properties: [PropertyFilterInput!], $since: String) {
    liveEvents(${ARGUMENTS}) { cursor uuid event distinctId personId properties missedBefore } }`

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
  let hasEnded = false
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
      complete: () => {
        hasEnded = true
      },
    },
  )
  return { received, errors, ended: () => hasEnded, stop }
}

/** Follows a subscription by server-sent events. `read` gives what has come of one kind: each with its id and its data. */
async function readEvents(api: WaymarkApi, query: string, lastEventId?: string) {
  const leaving = new AbortController()
  const answer = await fetch(`${api.url}/graphql?${new URLSearchParams({ query })}`, {
    headers: {
      Accept: "text/event-stream",
      Authorization: `Bearer ${PERSONAL_KEY}`,
      ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
    },
    signal: leaving.signal,
  })
  let text = ""
  const reading = (async () => {
    for await (const piece of (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()))
      text += piece
  })().catch(() => undefined)
  const stop = async () => {
    leaving.abort()
    await reading
  }
  const read = (kind: "next" | "complete") => [
    ...text.matchAll(new RegExp(`^id: (.*)\nevent: ${kind}\ndata: (.*)$`, "gm")),
  ]
  return { read, stop }
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

/** What one process has given the cursor of is gone on with on another. */
async function goOnElsewhere(api: WaymarkApi, elsewhere: string, all: ReturnType<typeof watch>): Promise<void> {
  all.stop()
  const since = all.received.at(-1)?.cursor
  await api.capture({ event: "meanwhile", distinct_id: "x" })
  await api.drained()
  const client = connect(elsewhere)
  const later = watch(client, { since, event: "meanwhile" })
  await waitFor("what came meanwhile", () => later.received.length > 0)
  expect(later.received).toMatchObject([{ event: "meanwhile", missedBefore: 0 }])
  await client.dispose()
}

/** Times of stored events may be finer than milliseconds, which those of recordings cannot. */
async function whenTimesAreFiner(client: Client, engine: string, since: string | undefined): Promise<void> {
  const clickHouse = createClickHouse({ url: engine, logger: silentLogger })
  const sql = `INSERT INTO events SELECT * REPLACE (generateUUIDv4() AS uuid, batch_position + 1 AS batch_position,
    timestamp + toIntervalMicrosecond(999) AS timestamp) FROM events WHERE event = 'meanwhile'`
  await clickHouse.command({ sql })
  const both = watch(client, { since, event: "meanwhile", properties: [{ hogql: "1 = 1" }] })
  await waitFor("the event and its copy", () => both.received.length === 2)
  const type = "SELECT type FROM system.columns WHERE table = 'session_replay_events' AND name = 'inserted_at'"
  expect(await clickHouse.rows({ sql: type })).toEqual([{ type: "DateTime64(3, 'UTC')" }])
  await clickHouse.close()
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
        cursor: expect.any(String),
        missedBefore: 0,
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

  test("go on behind a cursor without a gap or a repetition, in the order of storing", async () => {
    const client = connect(api.url)
    const first = watch(client, { event: "step" })
    await waitFor("a step", async () => {
      if (first.received.length > 0) return true
      await api.capture({ event: "step", distinct_id: "walker", properties: { step: 0 } })
      return false
    })
    first.stop()
    const cursor = first.received.at(-1)?.cursor
    const steps = Array.from({ length: 40 }, (_, index) => index + 1)
    for (const step of steps.slice(0, 20))
      await api.capture({ event: "step", distinct_id: "walker", properties: { step } })
    await api.drained()
    const second = watch(client, { event: "step", since: cursor })
    for (const step of steps.slice(20))
      await api.capture({ event: "step", distinct_id: "walker", properties: { step } })
    const stepsOf = ({ received }: { received: LiveEvent[] }) =>
      received.map(({ properties }) => properties?.step).filter((step) => step !== 0)
    await waitFor("all steps", () => stepsOf(second).length >= steps.length)
    expect(stepsOf(second)).toEqual(steps)
    expect(second.received.every(({ missedBefore }) => missedBefore === 0)).toBe(true)
    const third = watch(client, { event: "step", since: second.received.at(-3)?.cursor })
    await waitFor("the last steps", () => third.received.length >= 2)
    expect(stepsOf(third)).toEqual([39, 40])
    await client.dispose()
  })

  test("go on behind the Last-Event-ID of a stream of server-sent events", async () => {
    const query = 'subscription { liveEvents(projectId: 1, event: "ride") { properties } }'
    const ask = (lastEventId?: string) => readEvents(api, query, lastEventId)
    const first = await ask()
    await waitFor("a ride", async () => {
      if (first.read("next").length > 0) return true
      await api.capture({ event: "ride", distinct_id: "x", properties: { number: 0 } })
      return false
    })
    await api.drained()
    await first.stop()
    const lastId = first.read("next").at(-1)?.[1]
    await api.capture({ event: "ride", distinct_id: "x", properties: { number: 1 } })
    await api.drained()
    const second = await ask(lastId)
    const numbers = () =>
      second.read("next").map(([, , data]) => JSON.parse(data ?? "").data.liveEvents.properties.number)
    await waitFor("the ride meanwhile", () => numbers().includes(1))
    expect(numbers().filter((number) => number !== 0)).toEqual([1])
    await second.stop()
  })

  test("are filtered by properties of the event and of its person, also behind a cursor", async () => {
    const client = connect(api.url)
    const all = watch(client)
    await whenWatching(api, all)
    const since = all.received.at(-1)?.cursor
    const $set = { plan: "team" }
    await api.capture({ event: "paid", distinct_id: "pia", properties: { amount: 5, $set } })
    await api.capture({ event: "paid", distinct_id: "pia", properties: { amount: 50 } })
    await api.capture({ event: "paid", distinct_id: "tom", properties: { amount: 60 } })
    await api.drained()
    const event = { event: { key: "amount", operator: "GT", value: 10 } }
    const person = { person: { key: "plan", value: "team" } }
    const large = watch(client, { since, properties: [event] })
    const ofTeam = watch(client, { since, properties: [event, person] })
    await waitFor("both", () => large.received.length >= 2 && ofTeam.received.length >= 1)
    expect(large.received.map(({ distinctId }) => distinctId)).toEqual(["pia", "tom"])
    expect(ofTeam.received.map(({ properties }) => properties?.amount)).toEqual([50])
    const wrong = watch(client, { properties: [{ hogql: "1 +" }] })
    await waitFor("the refusal", () => wrong.errors.length > 0)
    expect(wrong.errors[0]).toBe("BAD_USER_INPUT")
    await client.dispose()
  })

  test("end with the error of a condition that cannot be asked of what comes, over sockets and as events", async () => {
    const client = connect(api.url)
    const all = watch(client)
    await whenWatching(api, all)
    const since = all.received.at(-1)?.cursor
    const hogql = "intDiv(10, toInt(properties.people)) > 1"
    const shares = watch(client, { event: "shared", since, properties: [{ hogql }] })
    const condition = `properties: [{ hogql: "${hogql}" }], since: "${since}"`
    const query = `subscription { liveEvents(projectId: 1, event: "shared", ${condition}) { properties } }`
    const events = await readEvents(api, query)
    await api.capture({ event: "shared", distinct_id: "x", properties: { people: 2 } })
    await waitFor("the first", () => shares.received.length > 0 && events.read("next").length > 0)
    await api.capture({ event: "shared", distinct_id: "x", properties: { people: 0 } })
    await waitFor("the end", () => shares.ended() && events.read("complete").length > 0)
    expect(shares.errors).toEqual(["BAD_USER_INPUT"])
    const [, last] = events.read("next").map(([, , data]) => JSON.parse(data ?? ""))
    expect(last.errors).toMatchObject([
      { message: expect.stringContaining("ivision by zero"), extensions: { code: "BAD_USER_INPUT" } },
    ])
    await events.stop()
    await client.dispose()
  })

  test("refuse a cursor of another project, of something else, and of what is not stored yet", async () => {
    const client = connect(api.url)
    const mark = (identity: unknown[]) => createHash("sha256").update(JSON.stringify(identity)).digest("base64url")
    const write = (identity: unknown[], ...place: number[]) =>
      Buffer.from(JSON.stringify([mark(identity).slice(0, 8), ...place])).toString("base64url")
    const cursors = [
      "x",
      write(["live events", 2], 1, 0),
      write(["live events", 1], 1),
      write(["live events", 1], 9e9, 0),
    ]
    for (const since of cursors) {
      const refused = watch(client, { since })
      await waitFor("the refusal", () => refused.errors.length > 0)
      expect(refused.errors[0]).toBe("BAD_USER_INPUT")
    }
    const permitted = watch(client, { since: write(["live events", 1], 0, 0) })
    await waitFor("everything since the beginning", () => permitted.received.length > 0)
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
      const ingest = new WaymarkProcess(directory.path, { ...shared, ROLES: "web,ingest" })
      try {
        const api = new WaymarkApi(await web.ready())
        const client = connect(api.url)
        const all = watch(client)
        await whenWatching(api, all)
        expect(all.received[0]).toMatchObject({ event: "probe", distinctId: "probe" })
        await goOnElsewhere(api, await ingest.ready(), all)
        await whenTimesAreFiner(client, engine.url, all.received.at(-1)?.cursor)
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
