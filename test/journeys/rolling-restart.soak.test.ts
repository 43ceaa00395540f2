import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { CaptureLoad, readStored } from "../support/capture-load.js"
import { type EmbeddedStores, startEmbeddedStores } from "../support/embedded-stores.js"
import { EventLedger } from "../support/event-ledger.js"
import { findFreePort } from "../support/find-free-port.js"
import { hasNginx, type PrivateNginx, startPrivateNginx } from "../support/private-nginx.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

/** Longer than nginx leaves a server alone that refused a connection. */
const SHUTDOWN_DELAY_SECONDS = 12

const describeRollingRestart = (): void => {
  const directory = temporaryDirectory()
  const servers: WaymarkProcess[] = []
  const ports: number[] = []
  let stores: EmbeddedStores
  let nginx: PrivateNginx

  const start = (at: number): WaymarkProcess =>
    new WaymarkProcess(directory.path, {
      DATABASE_URL: stores.postgresUrl,
      CLICKHOUSE_URL: stores.clickHouseUrl,
      PORT: String(ports[at]),
      PUBLIC_URL: `http://127.0.0.1:${ports[2]}`,
      TRUST_PROXY: "1",
      SHUTDOWN_DELAY: String(SHUTDOWN_DELAY_SECONDS),
      KEYLESS_REQUESTS_PER_MINUTE: "0",
    })
  const addressOf = (at: number): string => `http://127.0.0.1:${ports[at]}`

  beforeAll(async () => {
    const [first, second, front] = [await findFreePort(), await findFreePort(), await findFreePort()]
    ports.push(first, second, front)
    stores = await startEmbeddedStores()
    servers.push(start(0), start(1))
    await Promise.all(servers.map((server) => server.ready()))
    // Not before them: it would leave both alone for its ten seconds.
    nginx = await startPrivateNginx(front, [first, second])
  }, 120_000)
  afterAll(async () => {
    for (const { child } of servers) child.kill("SIGTERM")
    await Promise.all(servers.map((server) => server.stop()))
    await nginx.stop()
    await stores.stop()
    directory.remove()
  })

  test("two servers are restarted one after the other and every request through nginx is answered 200", async () => {
    const api = new WaymarkApi(nginx.url)
    const ledger = new EventLedger()
    const load = new CaptureLoad({ ledger, url: () => nginx.url, clients: 6, batchSize: 20, requestsPerSecond: 60 })
    const statuses = new Map<number | string, number>()
    let isAsking = true
    const ask = async (request: () => Promise<{ readonly status: number }>): Promise<void> => {
      while (isAsking) {
        const outcome = await request().then(({ status }) => status, String)
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
      }
    }
    const asking = [
      () => api.post("/flags/?v=2", { api_key: PROJECT_KEY, distinct_id: "ada" }),
      () => api.post("/graphql", { query: "{ me { id } }" }),
      () => api.get("/api/projects/@current/feature_flags/"),
    ].map(ask)

    for (const at of [0, 1]) {
      const stopping = servers[at]
      const stopped = stopping?.stop()
      const leaving = await waitFor("the server to say that it leaves", async () => {
        const { status } = await fetch(`${addressOf(at)}/_readyz`)
        return status === 503 ? status : null
      })
      expect(leaving).toBe(503)
      const decided = await fetch(`${addressOf(at)}/flags/?v=2`, {
        method: "POST",
        body: JSON.stringify({ api_key: PROJECT_KEY, distinct_id: "ada" }),
      })
      expect([decided.status, decided.headers.get("connection")]).toEqual([200, "close"])
      expect(await stopped).toMatchObject({ code: 0 })
      servers[at] = start(at)
      await servers[at]?.ready()
    }

    isAsking = false
    await Promise.all([load.stop(), ...asking])
    expect([...statuses.keys()]).toEqual([200])
    expect(ledger.failedRequests).toBe(0)
    await api.drained()
    const { lost, duplicated } = ledger.judge(await readStored(api))
    expect({ lost, duplicated }).toEqual({ lost: [], duplicated: [] })
  })
}

describe("a rolling restart behind nginx", () => {
  if (hasNginx()) describeRollingRestart()
  else test.skip("needs nginx", () => undefined)
})
