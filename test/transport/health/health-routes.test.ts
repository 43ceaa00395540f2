import { afterEach, describe, expect, test } from "@jest/globals"
import { Gauge, Registry } from "prom-client"
import { createHealthRoutes, type HealthProbes } from "../../../src/transport/health/health-routes.js"
import { createMetricsServer } from "../../../src/transport/health/metrics-server.js"
import { createProbeApp } from "../../../src/transport/health/probe-app.js"
import { registerProbes } from "../../../src/transport/health/probe-metrics.js"
import { createRequestMetrics } from "../../../src/transport/health/request-metrics.js"
import { createHttpServer, type HttpServer } from "../../../src/transport/http-server.js"
import { createWebApp } from "../../../src/transport/web-app.js"

const PROGRESS = {
  accepted: 12,
  stored: 10,
  oldestUnstoredSeconds: 0.4,
  shardsWithoutOwner: 0,
  measuredAt: new Date(0),
}

let server: HttpServer | null = null
afterEach(() => server?.close(100))

async function start(probes: Partial<HealthProbes> = {}, roles = ["web"]): Promise<string> {
  const health = createHealthRoutes({
    stores: { postgres: async () => undefined },
    ingestion: async () => PROGRESS,
    maxUsualLagSeconds: 300,
    captureRefusal: () => null,
    isServing: () => true,
    metrics: new Registry(),
    ...probes,
  })
  const onDefect = () => "error-1"
  server = createHttpServer({
    hot: () => false,
    web: roles.includes("web")
      ? createWebApp({ graphql: (_q, _r, next) => next(), health, openApi: {}, onDefect })
      : createProbeApp({ health, roles, onDefect }),
    handleUpgrade: (_request, socket) => socket.destroy(),
    upgradePaths: [],
  })
  return `http://127.0.0.1:${await server.listen(0, "127.0.0.1")}`
}

const hangs = () => new Promise<void>(() => undefined)

describe("health", () => {
  test("is ready when every store answers, and shows how far ingestion is", async () => {
    const response = await fetch(`${await start()}/_readyz`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      status: "ready",
      stores: { postgres: "up" },
      ingestion: {
        accepted: 12,
        stored: 10,
        oldest_unstored_seconds: 0.4,
        shards_without_owner: 0,
        measured_at: "1970-01-01T00:00:00.000Z",
      },
      capture: { accepting: true, reason: null },
      warnings: [],
    })
  })

  test("is ready and warns when ingestion is far behind, nobody ingests, or events are refused", async () => {
    const url = await start({
      ingestion: async () => ({ ...PROGRESS, oldestUnstoredSeconds: 301, shardsWithoutOwner: 4 }),
      captureRefusal: () => "disk",
    })
    const response = await fetch(`${url}/_readyz`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      status: "ready",
      capture: { accepting: false, reason: "disk" },
      warnings: [
        "Ingestion is behind: an event has waited for 301 seconds.",
        "Nobody ingests 4 of the log's shards: a process with the role ingest is missing.",
        "Events are refused: the disk is nearly full.",
      ],
    })
  })

  test.each<[string, Partial<HealthProbes>, object]>([
    ["a store is down", { stores: { redis: () => Promise.reject(new Error("down")) } }, { stores: { redis: "down" } }],
    ["a store hangs", { stores: { clickhouse: hangs }, probeTimeoutMs: 20 }, { stores: { clickhouse: "down" } }],
    ["the process is going away", { isServing: () => false }, { stores: { postgres: "up" } }],
  ])("is not ready when %s", async (_title, probes, body) => {
    const response = await fetch(`${await start(probes)}/_readyz`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ status: "not ready", ...body })
  })

  test("is alive although a store hangs", async () => {
    const response = await fetch(`${await start({ stores: { postgres: hangs } })}/_livez`)
    expect(response.status).toBe(200)
  })

  test("shows metrics with labels from the route table only", async () => {
    const metrics = new Registry()
    createRequestMetrics(metrics)("query_create", 200, 12)
    const text = await (await fetch(`${await start({ metrics })}/metrics`)).text()
    expect(text).toContain('waymark_http_request_duration_seconds_count{route="query_create",status="200"} 1')
  })

  test("shows stores and ingestion as metrics, also while stores hang", async () => {
    const metrics = new Registry()
    registerProbes(metrics, {
      stores: { postgres: async () => undefined, redis: hangs },
      ingestion: async () => ({ ...PROGRESS, shardsWithoutOwner: 3 }),
      captureRefusal: () => "backlog",
      deadLetters: async () => new Map([["unprocessable", 2]]),
      failingExports: async () => 4,
      probeTimeoutMs: 20,
    })
    const text = await (await fetch(`${await start({ metrics })}/metrics`)).text()
    expect(text).toContain('waymark_store_up{store="postgres"} 1')
    expect(text).toContain('waymark_store_up{store="redis"} 0')
    expect(text).toContain("waymark_ingestion_accepted_events 12")
    expect(text).toContain("waymark_ingestion_stored_events 10")
    expect(text).toContain("waymark_ingestion_oldest_unstored_seconds 0.4")
    expect(text).toContain("waymark_ingestion_shards_without_owner 3")
    expect(text).toContain("waymark_capture_accepting 0")
    expect(text).toContain('waymark_dead_letters{reason="unprocessable"} 2')
    expect(text).toContain("waymark_scheduled_exports_failing 4")
  })

  test("collects figures once for all who read them at a time", async () => {
    const metrics = new Registry()
    let collections = 0
    new Gauge({ name: "sample", help: "A sample.", registers: [metrics], collect: () => void collections++ })
    const url = await start({ metrics })
    await Promise.all(Array.from({ length: 10 }, () => fetch(`${url}/metrics`)))
    expect(collections).toBeLessThan(10)
  })

  test("has metrics on a port of their own, and nothing else there", async () => {
    expect((await fetch(`${await start({ metrics: null })}/metrics`)).status).toBe(404)
    const ofMetrics = createMetricsServer(new Registry(), () => "error-1")
    const url = `http://127.0.0.1:${await ofMetrics.listen(0, "127.0.0.1")}`
    expect([(await fetch(`${url}/metrics`)).status, (await fetch(`${url}/_readyz`)).status]).toEqual([200, 404])
    await ofMetrics.close(100)
  })

  test("shows no number for ingestion while nobody knows one", async () => {
    const metrics = new Registry()
    registerProbes(metrics, {
      stores: {},
      ingestion: () => Promise.reject(new Error("down")),
      captureRefusal: () => null,
      deadLetters: () => Promise.reject(new Error("down")),
      failingExports: () => Promise.reject(new Error("down")),
    })
    const text = await (await fetch(`${await start({ metrics })}/metrics`)).text()
    expect(text).toContain("waymark_ingestion_oldest_unstored_seconds Nan")
  })

  test("tells programs at / where things are", async () => {
    expect(await (await fetch(await start())).json()).toMatchObject({ graphql: "/graphql" })
  })

  test("is all that a process without the role web answers; for the rest it says where to ask", async () => {
    const url = await start({}, ["ingest", "query"])
    const statusOf = async (path: string) => (await fetch(url + path)).status
    expect(await Promise.all(["/_livez", "/_readyz", "/metrics"].map(statusOf))).toEqual([200, 200, 200])
    for (const [path, method] of [
      ["/", "GET"],
      ["/i/v0/e/", "POST"],
      ["/graphql", "POST"],
      ["/broken%", "GET"],
    ] as const) {
      const refused = await fetch(url + path, { method, ...(method === "POST" && { body: "{}" }) })
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"])
      expect(await refused.json()).toMatchObject({
        detail: "This process answers no requests: its ROLES are ingest,query. Ask one that has the role web.",
      })
    }
  })
})
