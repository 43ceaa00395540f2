import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { createClient } from "graphql-ws"
import WebSocket from "ws"
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { createPrivateRedis, hasRedisServer, type PrivateRedis } from "../platform/redis-server.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"
import { wholeDecision } from "../support/whole-decision.js"

const FLAGS = "/api/projects/@current/feature_flags/"
const directories = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()]
const pathOf = (index: number): string => (directories[index] as { path: string }).path
const servers: WaymarkProcess[] = []
let postgres: EmbeddedPostgres
let engine: EmbeddedClickHouse
let redis: PrivateRedis | null = null
/** Two processes over the same PostgreSQL and ClickHouse and, where there is one, the same Redis. */
let here: WaymarkApi
let there: WaymarkApi

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDirectory: pathOf(2), logger: silentLogger })
  if (hasRedisServer()) redis = await createPrivateRedis()
  await redis?.start()
  engine = await startEmbeddedClickHouse({ dataDirectory: pathOf(2), logger: silentLogger })
  const stores = { DATABASE_URL: postgres.url, CLICKHOUSE_URL: engine.url }
  const environment = { ...stores, ...(redis && { REDIS_URL: redis.url }) }
  for (const index of [0, 1]) servers.push(new WaymarkProcess(pathOf(index), environment))
  const [first = "", second = ""] = await Promise.all(servers.map((server) => server.ready()))
  here = new WaymarkApi(first)
  there = new WaymarkApi(second)
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await Promise.all([postgres.stop(), engine.stop()])
  await redis?.dispose()
  for (const directory of directories) directory.remove()
})

const create = async (key: string): Promise<void> => {
  expect((await here.post(FLAGS, { key, filters: { groups: [{ properties: [] }] } })).status).toBe(201)
}
const revisionNow = async (): Promise<string | undefined> =>
  (await there.get(`/flags/definitions?token=${PROJECT_KEY}`)).headers.get("etag")?.slice(3, -1)

/** Everything that a stream has sent so far, and its end. */
async function listen(url: string) {
  const response = await fetch(`${url}/flags/stream?token=${PROJECT_KEY}`, {
    headers: { origin: "https://shop.example" },
  })
  const heard = { response, text: "", hasEnded: false }
  const revisions = (): string[] =>
    [...heard.text.matchAll(/^id: (.*)\nevent: flags\ndata: \{.*\}\n$/gm)].map(([, id]) => id ?? "")
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk as Uint8Array)
    heard.hasEnded = true
  })()
  return { heard, revisions }
}

describe("a change of flags is pushed", () => {
  test("to listeners of server-sent events in every process: the present revision first, then each later one", async () => {
    const { heard, revisions } = await listen(there.url)
    expect([heard.response.status, heard.response.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ])
    expect(heard.response.headers.get("access-control-allow-origin")).toBe("https://shop.example")
    await waitFor("the present revision", () => revisions().length === 1)
    await create("pushed")
    await waitFor("the change", () => revisions().length === 2)
    expect(revisions().at(-1)).toBe(await revisionNow())
    expect(JSON.parse(/^data: (.*)$/m.exec(heard.text)?.[1] ?? "")).toEqual({
      revision: revisions()[0],
      version: expect.any(Number),
    })
  })

  test("to subscribers of GraphQL in every process, and what is decided then is new", async () => {
    const client = createClient({
      url: `${there.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${PERSONAL_KEY}` },
    })
    const query = "subscription ($token: ID!) { flagsChanged(projectId: $token) { revision version } }"
    const seen: string[] = []
    for await (const { data, errors } of client.iterate<{ flagsChanged: { revision: string } }>({
      query,
      variables: { token: PROJECT_KEY },
    })) {
      expect(errors).toBeUndefined()
      seen.push(data?.flagsChanged.revision ?? "")
      if (seen.length === 2) break
      await create("subscribed")
    }
    await client.dispose()
    expect(seen[1]).toBe(await revisionNow())
    const asked = { api_key: PROJECT_KEY, distinct_id: "u" }
    const { body } = await there.post<{ featureFlags: object }>("/decide?v=3", asked)
    expect(body.featureFlags).toMatchObject({ subscribed: true })
  })

  test("only to who names a project key, and a subscription only to who may read flags", async () => {
    const nobody = new WaymarkApi(there.url, null)
    expect((await nobody.get("/flags/stream")).status).toBe(401)
    expect((await nobody.get("/flags/stream/?token=phc_nobody")).status).toBe(401)
    expect((await nobody.request("POST", "/flags/stream")).status).toBe(405)
    expect((await nobody.request("OPTIONS", "/flags/stream")).status).toBe(204)
    expect((await nobody.request("HEAD", `/flags/stream?token=${PROJECT_KEY}`)).status).toBe(200)
    const client = createClient({ url: `${there.url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket })
    const first = await client.iterate({ query: "subscription { flagsChanged { revision } }" }).next()
    await client.dispose()
    expect(JSON.stringify(first.value)).toContain("UNAUTHENTICATED")
  })

  test("of a person by one process is seen by decisions of the other as soon as ingestion has stored it", async () => {
    const properties = [{ key: "plan", type: "person", operator: "exact", value: "team" }]
    await here.post(FLAGS, { key: "for-teams", filters: { groups: [{ properties }] } })
    const decide = async (api: WaymarkApi, distinctId: string) =>
      (await wholeDecision(api, { api_key: PROJECT_KEY, distinct_id: distinctId })).featureFlags
    for (let round = 0; round < 5; round++) {
      const distinctId = `moving-${round}`
      await here.capture({ event: "$set", distinct_id: distinctId, properties: { $set: { plan: "team" } } })
      expect((await decide(here, distinctId))["for-teams"]).toBe(true)
      await here.drained()
      expect((await decide(there, distinctId))["for-teams"]).toBe(true)
    }
  })

  test("until the process stops: streams end at once, and the process too", async () => {
    const { heard } = await listen(there.url)
    const { code } = await (servers[1] as WaymarkProcess).stop()
    await waitFor("the stream to end", () => heard.hasEnded)
    expect(code).toBe(0)
  })
})
