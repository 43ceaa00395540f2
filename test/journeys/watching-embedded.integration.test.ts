import { randomBytes } from "node:crypto"
import { afterAll, describe, expect, test } from "@jest/globals"
import { ownServer } from "../support/own-server.js"
import { type CollectedSpan, startTraceCollector } from "../support/trace-collector.js"
import { waitFor } from "../support/wait-for.js"
import { PERSONAL_KEY, PROJECT_KEY } from "../support/waymark-process.js"

const collector = await startTraceCollector()
afterAll(() => collector.stop())
const { server, api } = ownServer({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_TRACES_SAMPLER: "parentbased_always_off",
})

/** Spans by name, each behind the names of those that it is within. */
function toPaths(spans: readonly CollectedSpan[], callerId: string): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const toPath = (span: CollectedSpan): string => {
    if (span.parentSpanId === callerId) return span.name
    const parent = byId.get(span.parentSpanId ?? "")
    return parent === undefined ? `nowhere / ${span.name}` : `${toPath(parent)} / ${span.name}`
  }
  return [...new Set(spans.map(toPath))].sort()
}

/** Sends a request as a part of a trace, and waits until a span of that name has come. */
async function trace(method: string, path: string, body: unknown, last: string, flags = "01") {
  const [traceId, callerId] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")]
  const answer = await api.request(method, path, body, { traceparent: `00-${traceId}-${callerId}-${flags}` })
  const paths = await waitFor(`the span ${last}`, () => {
    const found = toPaths(collector.spansOf(traceId), callerId)
    return found.some((one) => one.endsWith(last)) && found.some((one) => !one.includes("/")) && found
  })
  return { answer, paths, traceId }
}

const query = (text: string) => ({ query: { kind: "HogQLQuery", query: text }, refresh: "force_blocking" })
const QUERY_PATH = "/api/environments/@current/query/"

describe("the trace of a request", () => {
  test("is one tree from the caller's span through the operation to both stores, without values and keys", async () => {
    const { answer, paths, traceId } = await trace(
      "POST",
      QUERY_PATH,
      query("SELECT 'private words', count() FROM events"),
      "ClickHouse SELECT",
    )
    expect(answer.status).toBe(200)
    const operation = "POST query_create / GraphQL mutation runQuery"
    expect(paths).toEqual(expect.arrayContaining(["POST query_create", operation, `${operation} / ClickHouse SELECT`]))
    expect(paths.filter((path) => path.startsWith(`${operation} / PostgreSQL `))).not.toEqual([])
    expect(paths.filter((path) => path.startsWith("nowhere"))).toEqual([])
    const request = collector.spansOf(traceId).find(({ name }) => name === "POST query_create")
    expect(request?.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: 200 } })
    for (const secret of [PERSONAL_KEY, PROJECT_KEY, "private words"]) expect(collector.read()).not.toContain(secret)
  })

  test("that brings an event goes on with its commit, its processing and its insert", async () => {
    const event = { api_key: PROJECT_KEY, event: "traced", distinct_id: "ada", properties: { note: "private words" } }
    const { paths } = await trace("POST", "/i/v0/e/", event, "ClickHouse INSERT")
    const request = paths.find((path) => !path.includes("/"))
    expect(paths).toEqual(
      expect.arrayContaining([
        `${request} / commit events`,
        `${request} / commit events / PostgreSQL WITH`,
        `${request} / process events`,
        `${request} / store events / ClickHouse INSERT`,
      ]),
    )
    expect(collector.read()).not.toContain("private words")
  })

  test("has the decision about flags", async () => {
    const { paths } = await trace("POST", "/flags/?v=2", { api_key: PROJECT_KEY, distinct_id: "ada" }, "decide flags")
    expect(paths.filter((path) => path.endsWith(" / decide flags"))).toHaveLength(1)
  })

  test("is not recorded where the sampler says so, and probes have none", async () => {
    await api.graphql("{ me { id } }")
    await trace("POST", "/graphql", { query: "query WhoAmI { me { id } }" }, "GraphQL query WhoAmI")
    expect(collector.read()).not.toContain("query me")
    expect(collector.read()).not.toContain("health")
  })
})

test("the memory of the embedded servers is shown, each with all its processes, and what they may take", async () => {
  const shown = String((await api.get("/metrics")).body)
  const read = (series: string): number => Number(shown.split(`\n${series} `)[1]?.split("\n")[0])
  const clickhouse = read('waymark_server_memory_bytes{server="clickhouse"}')
  expect(clickhouse).toBeGreaterThan(50_000_000)
  expect(read('waymark_server_memory_bytes{server="postgres"}')).toBeGreaterThan(5_000_000)
  expect(read("waymark_memory_limit_bytes")).toBeGreaterThan(clickhouse)
  expect(read("waymark_cached_bytes")).toBeGreaterThan(0)
})

test("a collector that is gone disturbs no request, and is one line of the log", async () => {
  await collector.stop()
  const sampled = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` }
  const lines = () => server.stderr.split("traces cannot be exported").length - 1
  await waitFor("the line", async () => {
    const { status } = await api.request("POST", "/graphql", { query: "{ me { id } }" }, sampled)
    expect(status).toBe(200)
    return lines() > 0
  })
  expect(lines()).toBe(1)
  expect((await server.stop()).code).toBe(0)
})
