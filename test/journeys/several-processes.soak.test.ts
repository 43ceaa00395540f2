import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Pool } from "pg"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { openPool } from "../../src/platform/postgres/open-pool.js"
import { type EmbeddedStores, startEmbeddedStores } from "../support/embedded-stores.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const PROCESSES = 5
const SHARDS = 8
const SHARED_WITHIN_MS = 30_000
/** What PostgreSQL leaves of 100 connections to others than its superuser. */
const CONNECTIONS = 97
const ROUNDS = 12
const AT_ONCE = 16

const directory = temporaryDirectory()
const servers: WaymarkProcess[] = []
let stores: EmbeddedStores
let pool: Pool

const start = (): WaymarkProcess => {
  const { postgresUrl, clickHouseUrl } = stores
  const environment = { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickHouseUrl, INGEST_SHARDS: String(SHARDS) }
  const server = new WaymarkProcess(directory.path, environment)
  servers.push(server)
  return server
}
const running = () => servers.filter(({ child }) => child.exitCode === null && child.signalCode === null)
const apis = () => Promise.all(running().map(async (server) => new WaymarkApi(await server.ready())))

beforeAll(async () => {
  stores = await startEmbeddedStores()
  pool = openPool(stores.postgresUrl, 1, silentLogger)
  // The first alone: which number of shards there is, is settled by whoever comes first.
  await start().ready()
  for (let others = 1; others < PROCESSES; others++) start()
  await apis()
}, 300_000)
afterAll(async () => {
  await Promise.all(running().map((server) => server.stop()))
  await pool.end()
  await stores.stop()
  directory.remove()
})

const ownedShards = async (api: WaymarkApi): Promise<number> =>
  Number(/^waymark_ingestion_owned_shards (\d+)$/m.exec(String((await api.get("/metrics")).body))?.[1])
const sharedAs = (parts: readonly number[]) =>
  waitFor(
    `shards in parts of ${parts}`,
    async () => String((await Promise.all((await apis()).map(ownedShards))).sort()) === String(parts),
    SHARED_WITHIN_MS,
  )

describe("five processes over one PostgreSQL", () => {
  test("share the shards evenly, and again after a kill, a stop and a start", async () => {
    await sharedAs([1, 1, 2, 2, 2])
    await running()[0]?.kill()
    await sharedAs([2, 2, 2, 2])
    await running()[0]?.stop()
    await sharedAs([2, 3, 3])
    await Promise.all([start().ready(), start().ready()])
    await sharedAs([1, 1, 2, 2, 2])
  })

  test("answer every request under load within 100 connections", async () => {
    const statuses = new Map<number, number>()
    let connections = 0
    const count = async (): Promise<void> => {
      const { rows } = await pool.query<{ count: number }>(
        "SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend'",
      )
      connections = Math.max(connections, rows[0]?.count ?? 0)
    }
    const requestsOf = (api: WaymarkApi, round: number) => [
      api.post("/graphql", { query: "{ featureFlags(first: 5) { nodes { key } } me { id } }" }),
      api.get("/api/projects/@current/feature_flags/"),
      api.get("/api/projects/@current/"),
      api.post("/flags/?v=2", { api_key: PROJECT_KEY, distinct_id: `ada-${round}` }),
      api.capture({ event: "under load", distinct_id: `ada-${round}` }),
    ]
    const clientsOf = (api: WaymarkApi) => Array.from({ length: AT_ONCE }, () => api)
    const clients = (await apis()).flatMap(clientsOf).map(async (api) => {
      for (let round = 0; round < ROUNDS; round++)
        for (const { status } of await Promise.all(requestsOf(api, round)))
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
    const isDone = Promise.all(clients).then(() => true)
    await waitFor(
      "all answers",
      async () => {
        await count()
        return Promise.race([isDone, false])
      },
      240_000,
    )
    expect([...statuses.keys()]).toEqual([200])
    expect(connections).toBeLessThanOrEqual(CONNECTIONS)
  })
})
