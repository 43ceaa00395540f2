import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { createPrivateRedis, hasRedisServer } from "../platform/redis-server.js"
import { CaptureLoad, readStored } from "../support/capture-load.js"
import { EventLedger } from "../support/event-ledger.js"
import { findPreviousRelease, installRelease } from "../support/previous-release.js"
import { waitFor } from "../support/wait-for.js"
import { type Answer, WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"
import { fillServer, readAll } from "../support/whole-server.js"

const release = findPreviousRelease()
const WAITING = Array.from({ length: 200 }, (_, index) => ({ event: "waiting", distinct_id: `client-${index % 20}` }))
const FLAGS = "/api/projects/@current/feature_flags/"
const QUERY = "/api/projects/@current/query/"

;(release === null ? describe.skip : describe)(`data of ${release}`, () => {
  const data = temporaryDirectory()
  let previous: { readonly main: string; remove(): void }

  beforeAll(() => {
    previous = installRelease(release ?? "")
  }, 300_000)
  afterAll(() => {
    data.remove()
    previous.remove()
  })

  test("is read by this version as it was written, with the events that were still waiting when it was killed", async () => {
    const before = new WaymarkProcess(data.path, {}, previous.main)
    const ofBefore = new WaymarkApi(await before.ready())
    await fillServer(ofBefore)
    const expected = await readAll(ofBefore)
    expect(expected).toMatchObject({ secret: '"hush"', snapshots: expect.stringContaining("https://a.test/") })
    await Promise.all(WAITING.map((event) => ofBefore.capture(event)))
    await before.kill()

    const after = new WaymarkProcess(data.path)
    try {
      const api = new WaymarkApi(await after.ready())
      await api.drained()
      expect(await api.hogql("SELECT count(), uniq(uuid) FROM events WHERE event = 'waiting'")).toEqual([[200, 200]])
      const { events, persons, ...others } = await readAll(api)
      expect(events.filter(([, event]) => event !== "waiting")).toEqual(expected.events)
      expect(persons).toEqual(expect.arrayContaining(expected.persons))
      const { events: _events, persons: _persons, ...known } = expected
      // Answers may have got fields that they did not have.
      expect(others).toMatchObject(known)
    } finally {
      await after.stop()
    }
  }, 180_000)

  const testWithRedis = hasRedisServer() ? test : test.skip
  testWithRedis(
    "is served by two processes of each while one replaces the other, and nothing is lost",
    async () => {
      await using stores = await startStores()
      await using mixed = new MixedProcesses(stores.environment)
      await mixed.start(previous.main)
      await mixed.start(previous.main)
      const ledger = new EventLedger()
      await using asking = new Asking(mixed.nextUrl, ledger)

      await mixed.start()
      await asking.seesFlagsOfOthers(mixed.urls, "one-of-three")
      await mixed.stopFirst()
      await mixed.start()
      await asking.seesFlagsOfOthers(mixed.urls, "two-of-three")
      await mixed.stopFirst()

      expect(await asking.stop()).toEqual({ statuses: [200], decisions: ["true"], runs: ["complete"] })
      const api = new WaymarkApi(mixed.nextUrl)
      await api.drained()
      const { lost, duplicated, phantom, stable } = ledger.judge(await readStored(api))
      expect({ lost, duplicated, phantom }).toEqual({ lost: [], duplicated: [], phantom: [] })
      expect(stable).toBeGreaterThan(100)
    },
    400_000,
  )
})

/** Stores of a test's own, as empty as they are made. */
async function startStores() {
  const directory = temporaryDirectory()
  const options = { dataDirectory: directory.path, logger: silentLogger }
  const [postgres, engine, redis] = await Promise.all([
    startEmbeddedPostgres(options),
    startEmbeddedClickHouse(options),
    createPrivateRedis(),
  ])
  await redis.start()
  return {
    environment: { DATABASE_URL: postgres.url, CLICKHOUSE_URL: engine.url, REDIS_URL: redis.url },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([postgres.stop(), engine.stop(), redis.dispose()])
      directory.remove()
    },
  }
}

/** Processes of several releases over the same stores, asked in turn. */
class MixedProcesses {
  private readonly directory = temporaryDirectory()
  private readonly serving: { readonly server: WaymarkProcess; readonly url: string }[] = []
  private turn = 0

  constructor(private readonly environment: Record<string, string>) {}

  get urls(): string[] {
    return this.serving.map(({ url }) => url)
  }

  readonly nextUrl = (): string => this.serving[this.turn++ % this.serving.length]?.url ?? ""

  async start(main?: string): Promise<void> {
    const environment = { ...this.environment, KEYLESS_REQUESTS_PER_MINUTE: "0" }
    const server = new WaymarkProcess(this.directory.path, environment, main)
    this.serving.push({ server, url: await server.ready() })
  }

  /** As a balancer does: no more requests, then the signal. */
  async stopFirst(): Promise<void> {
    expect(await this.serving.shift()?.server.stop()).toMatchObject({ code: 0 })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.serving.map(({ server }) => server.stop()))
    this.directory.remove()
  }
}

/** Clients that capture, decide, manage and query without a pause, each request by the process whose turn it is. */
class Asking {
  private readonly statuses = new Set<number>()
  private readonly decisions = new Set<string>()
  private readonly runs = new Set<string>()
  private readonly load: CaptureLoad
  private readonly clients: Promise<void>[]
  private isAsking = true

  constructor(
    private readonly nextUrl: () => string,
    ledger: EventLedger,
  ) {
    this.load = new CaptureLoad({ ledger, url: nextUrl, clients: 4, batchSize: 10, requestsPerSecond: 30 })
    const clients = [() => this.decide(), () => this.manage(), () => this.query()]
    this.clients = clients.map(async (ask) => {
      while (this.isAsking) await ask()
    })
  }

  /** Makes a flag at each process and waits until all others decide it. */
  async seesFlagsOfOthers(urls: readonly string[], key: string): Promise<void> {
    for (const [at, maker] of urls.entries()) {
      const flag = { key: `${key}-${at}`, active: true, filters: { groups: [{ rollout_percentage: 100 }] } }
      expect((await new WaymarkApi(maker).post(FLAGS, flag)).status).toBe(201)
      for (const url of urls)
        await waitFor(`${flag.key} to be decided by ${url}`, async () => {
          const answer = await new WaymarkApi(url).post("/flags/?v=2", { api_key: PROJECT_KEY, distinct_id: "ada" })
          return JSON.stringify(answer.body).includes(flag.key)
        })
    }
  }

  /** What was answered, each once, in order. */
  async stop() {
    this.isAsking = false
    await Promise.all([...this.clients, this.load.stop()])
    const [statuses, decisions, runs] = [this.statuses, this.decisions, this.runs].map((seen) => [...seen].sort())
    return { statuses, decisions, runs }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  private async decide(): Promise<void> {
    const answer = await this.post<{ featureFlags: Record<string, unknown> }>("/decide?v=3", {
      api_key: PROJECT_KEY,
      distinct_id: "ada",
    })
    for (const value of Object.values(answer.body.featureFlags)) this.decisions.add(String(value))
  }

  private async manage(): Promise<void> {
    await this.post("/graphql", { query: "{ me { id } }" })
    await this.request((api) => api.get(FLAGS))
  }

  /** In the background: whoever takes it, any process tells how it ends. */
  private async query(): Promise<void> {
    const query = { kind: "HogQLQuery", query: "SELECT event, count() FROM events GROUP BY event" }
    const { body } = await this.request((api) =>
      api.post<{ query_status: { id: string } }>(QUERY, { query, refresh: "force_async" }),
    )
    const { id } = body.query_status
    const ended = await waitFor("a run to end", async () => {
      const { query_status: status } = (
        await this.request((api) => api.get<{ query_status: { complete: boolean; error: boolean } }>(`${QUERY}${id}/`))
      ).body
      return status.complete || status.error ? status : null
    })
    this.runs.add(ended.error ? "failed" : "complete")
  }

  private post = <T>(path: string, body: unknown) => this.request((api) => api.post<T>(path, body))

  /** A connection that a stopping process no longer takes is tried elsewhere, as proxies do; answers all count. */
  private async request<T>(ask: (api: WaymarkApi) => Promise<Answer<T>>): Promise<Answer<T>> {
    for (;;) {
      const answer = await ask(new WaymarkApi(this.nextUrl())).catch(() => null)
      if (answer === null) continue
      this.statuses.add(answer.status)
      return answer
    }
  }
}
