import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { JsonObject } from "../../src/kernel/json.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { createPrivateRedis, hasRedisServer, type PrivateRedis } from "../platform/redis-server.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const FLAGS = "/api/projects/@current/feature_flags/"
const databaseDirectory = temporaryDirectory()
const directory = temporaryDirectory()
const elsewhere = temporaryDirectory()
const servers: WaymarkProcess[] = []
let postgres: EmbeddedPostgres | null = null
let redis: PrivateRedis | null = null
let environment: Record<string, string>

const startPostgres = async (): Promise<EmbeddedPostgres> => {
  postgres = await startEmbeddedPostgres({ dataDirectory: databaseDirectory.path, logger: silentLogger })
  return postgres
}
const stopPostgres = async (): Promise<void> => {
  await postgres?.stop()
  postgres = null
}
const start = async (dataDirectory = directory.path): Promise<WaymarkApi> => {
  const server = new WaymarkProcess(dataDirectory, environment)
  servers.push(server)
  return new WaymarkApi(await server.ready())
}
const stopAll = async (): Promise<void> => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
}

beforeAll(async () => {
  const { url } = await startPostgres()
  if (hasRedisServer()) redis = await createPrivateRedis()
  await redis?.start()
  environment = { DATABASE_URL: url, LOG_LEVEL: "silent", ...(redis && { REDIS_URL: redis.url }) }
})
afterAll(async () => {
  await stopAll()
  await stopPostgres()
  await redis?.dispose()
  for (const one of [databaseDirectory, directory, elsewhere]) one.remove()
})

interface Readiness {
  readonly status: string
  readonly stores: Record<string, string>
  readonly flag_rules: { readonly projects: number; readonly age_seconds: number | null }
}

const decide = async (api: WaymarkApi, properties: JsonObject = {}): Promise<JsonObject> => {
  const asked = { api_key: PROJECT_KEY, distinct_id: "u", person_properties: properties, geoip_disable: true }
  const { status, body } = await api.post<JsonObject>("/decide?v=3", asked)
  expect([status, body.errorsWhileComputingFlags]).toEqual([200, false])
  return body.featureFlags as JsonObject
}

describe("with PostgreSQL and Redis dead", () => {
  test("a server goes on deciding, starts again from its snapshot, and takes up the rest when they are back", async () => {
    const first = await start()
    const groups = [{ properties: [{ key: "plan", type: "person", operator: "exact", value: "team" }] }]
    expect((await first.post(FLAGS, { key: "everybody", filters: { groups: [{ properties: [] }] } })).status).toBe(201)
    // Asked for by no decision here, because enrolment is a fact that is stored.
    const chosen = {
      key: "chosen",
      name: "Try it",
      evaluation_runtime: "server",
      filters: { feature_enrollment: true },
    }
    expect((await first.post(FLAGS, chosen)).status).toBe(201)
    const teams = await first.post<{ id: number }>(FLAGS, { key: "teams", filters: { groups } })
    const wanted = { everybody: true, teams: true }
    expect(await decide(first, { plan: "team" })).toEqual(wanted)

    await stopPostgres()
    await redis?.kill()
    for (let round = 0; round < 100; round++) expect(await decide(first, { plan: "team" })).toEqual(wanted)
    await stopAll()

    const second = await start()
    for (let round = 0; round < 100; round++) expect(await decide(second, { plan: "team" })).toEqual(wanted)
    expect((await second.post("/flags?v=2", { token: PROJECT_KEY, distinct_id: "u" })).status).toBe(200)
    const features = await second.get(`/api/early_access_features/?token=${PROJECT_KEY}`)
    expect(features.body).toMatchObject({ earlyAccessFeatures: [{ flagKey: "chosen", name: "Try it" }] })
    const refused = await second.get(FLAGS)
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"])
    expect((await second.capture({ event: "e", distinct_id: "u" })).status).toBe(503)
    const { status, body } = await second.get<Readiness>("/_readyz")
    expect([status, body.status, body.stores.postgres]).toEqual([503, "not ready", "down"])
    expect(body.flag_rules).toEqual({ projects: 1, age_seconds: expect.any(Number) })
    const metrics = (await second.get<string>("/metrics")).body
    expect(metrics).toMatch(/^waymark_flag_rules_age_seconds \d/m)

    await startPostgres()
    await redis?.start()
    const ready = () => second.get<Readiness>("/_readyz")
    await waitFor("the server to be ready again", async () => (await ready()).status === 200)
    await waitFor("a change to be accepted", async () => {
      const changed = await second.patch(`${FLAGS}${teams.body.id}/`, { active: false })
      return changed.status === 200
    })
    expect(await decide(second, { plan: "team" })).toEqual({ everybody: true })
    await waitFor("the rules to be known as current", async () => {
      const { flag_rules } = (await ready()).body
      return flag_rules.age_seconds !== null && flag_rules.age_seconds < 5
    })
    await waitFor("background work to run", async () => {
      const answer = await second.capture({ event: "back", distinct_id: "u" })
      return answer.status === 200
    })
    await second.drained()
    expect(await second.hogql("SELECT count() FROM events WHERE event = 'back'")).toEqual([[1]])
  })

  test("a server without a snapshot says in one line that PostgreSQL is away, and exits with code 1", async () => {
    await stopAll()
    await stopPostgres()
    const { code, stderr } = await new WaymarkProcess(elsewhere.path, environment).ended
    expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 1, lines: 1 })
    expect(stderr).toContain("PostgreSQL cannot be reached")
  })
})
