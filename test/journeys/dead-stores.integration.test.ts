import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { createPrivateRedis, hasRedisServer, type PrivateRedis } from "../platform/redis-server.js"
import { makeKey } from "../support/make-key.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const FLAGS = "/api/projects/@current/feature_flags/"
const DECISIONS = 150
/** Commands to Redis give up after 200 ms; a decision that waited for several, or for ever, would be cut off here. */
const CALL_DEADLINE_MS = 1_000

interface Decided {
  readonly featureFlags: Record<string, unknown>
  readonly errorsWhileComputingFlags: boolean
}

const teamOnly = {
  groups: [{ properties: [{ key: "plan", type: "person", operator: "exact", value: "team" }] }],
}

const describeTwoProcesses = (): void => {
  const databases = temporaryDirectory()
  const directories = [temporaryDirectory(), temporaryDirectory()]
  const servers: WaymarkProcess[] = []
  let postgres: EmbeddedPostgres
  let clickHouse: EmbeddedClickHouse
  let redis: PrivateRedis
  /** Answers requests only. */
  let front: WaymarkApi
  /** Answers requests as well, stores events and calculates queries. */
  let back: WaymarkApi

  const startPostgres = () => startEmbeddedPostgres({ dataDirectory: databases.path, logger: silentLogger })

  beforeAll(async () => {
    redis = await createPrivateRedis()
    const started = await Promise.all([
      startPostgres(),
      startEmbeddedClickHouse({ dataDirectory: databases.path, logger: silentLogger }),
      redis.start(),
    ])
    postgres = started[0]
    clickHouse = started[1]
    const shared = { DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickHouse.url, REDIS_URL: redis.url }
    const rolesOf = ["web", "web,ingest,query"]
    servers.push(
      ...directories.map(
        ({ path }, at) => new WaymarkProcess(path, { ...shared, ROLES: rolesOf[at] ?? "", LOG_LEVEL: "silent" }),
      ),
    )
    const [frontUrl, backUrl] = await Promise.all(servers.map((server) => server.ready()))
    front = new WaymarkApi(frontUrl ?? "")
    back = new WaymarkApi(backUrl ?? "")
  }, 120_000)

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await Promise.all([postgres.stop(), clickHouse.stop(), redis.dispose()])
    for (const directory of [databases, ...directories]) directory.remove()
  })

  const decide = async (api: WaymarkApi, plan = "team"): Promise<Decided> => {
    const { status, body } = await api.post<Decided>("/decide/?v=3", {
      token: PROJECT_KEY,
      distinct_id: "somebody",
      person_properties: { plan },
      geoip_disable: true,
    })
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body
  }
  const decidedOn = (api: WaymarkApi, key: string, value: unknown) =>
    waitFor(`${key} to be ${value}`, async () => (await decide(api)).featureFlags[key] === value)
  const create = async (api: WaymarkApi, key: string, filters: object): Promise<number> => {
    const { status, body } = await api.post<{ id: number }>(FLAGS, { key, active: true, filters })
    expect(status).toBe(201)
    return body.id
  }

  /** Asks both processes in turn; every answer is whole, and none comes later than the deadline. */
  const expectDecisions = async (expected: Record<string, unknown>): Promise<void> => {
    for (let round = 0; round < DECISIONS; round++) {
      for (const api of [front, back]) {
        const response = await fetch(`${api.url}/decide/?v=3`, {
          method: "POST",
          body: JSON.stringify({
            token: PROJECT_KEY,
            distinct_id: `user-${round}`,
            person_properties: { plan: "team" },
          }),
          headers: { "content-type": "application/json" },
          signal: AbortSignal.timeout(CALL_DEADLINE_MS),
        })
        const { featureFlags, errorsWhileComputingFlags } = (await response.json()) as Decided
        expect({ status: response.status, errorsWhileComputingFlags, featureFlags }).toEqual({
          status: 200,
          errorsWhileComputingFlags: false,
          featureFlags: expect.objectContaining(expected),
        })
      }
    }
  }

  test("what the web process captures, the other one stores, and both answer questions about it", async () => {
    const uuids = Array.from({ length: 30 }, () => crypto.randomUUID())
    for (const uuid of uuids)
      expect((await front.capture({ uuid, event: "seen", distinct_id: "ada" })).status).toBe(200)
    await back.drained()
    for (const api of [front, back])
      expect(await api.hogql("SELECT count(), count(DISTINCT uuid) FROM events WHERE event = 'seen'")).toEqual([
        [30, 30],
      ])
  })

  test("a background query asked for at the web process is calculated by the other one", async () => {
    const path = "/api/environments/@current/query/"
    const asked = await front.post<{ query_status: { id: string } }>(path, {
      query: { kind: "HogQLQuery", query: "SELECT count() FROM events WHERE event = 'seen'" },
      refresh: "force_async",
    })
    expect(asked.status).toBe(200)
    const answer = await waitFor("the query to complete", async () => {
      const { body } = await front.get<{ query_status: { complete: boolean; results: { results: unknown } } }>(
        `${path}${asked.body.query_status.id}/`,
      )
      return body.query_status.complete && body.query_status
    })
    expect(answer.results.results).toEqual([[30]])
  })

  test("a flag that is made, changed and deleted at one process is decided so at the other", async () => {
    await decide(back)
    const id = await create(front, "walking", { groups: [{}] })
    await decidedOn(back, "walking", true)
    await front.patch(`${FLAGS}${id}/`, { filters: { groups: [{ rollout_percentage: 0 }] } })
    await decidedOn(back, "walking", false)
    await back.patch(`${FLAGS}${id}/`, { deleted: true })
    await decidedOn(front, "walking", undefined)
  })

  test("what one process acknowledged of a person is decided so at the other, told by Redis or once it is stored", async () => {
    await create(front, "team-stored", teamOnly)
    const decidedFor = (distinctId: string) =>
      waitFor(`${distinctId} to be on the team plan`, async () => {
        const asked = { token: PROJECT_KEY, distinct_id: distinctId, flag_keys: ["team-stored"] }
        const { body } = await front.post<Decided>("/decide/?v=3", asked)
        return body.featureFlags["team-stored"] === true
      })
    const upgrade = { event: "upgraded", properties: { $set: { plan: "team" } } }
    expect((await back.capture({ ...upgrade, distinct_id: "told" })).status).toBe(200)
    await decidedFor("told")
    redis.freeze()
    try {
      expect((await back.capture({ ...upgrade, distinct_id: "stored" })).status).toBe(200)
      await decidedFor("stored")
    } finally {
      redis.thaw()
    }
  })

  test("a personal key that is revoked at one process is refused at the other, which had used it", async () => {
    const key = await makeKey(front, ["*"])
    const guest = new WaymarkApi(back.url, key.value)
    expect((await guest.get("/api/users/@me/")).status).toBe(200)
    await front.changed(
      `mutation ($id: ID!) {
        revokePersonalApiKey(input: { id: $id }) { personalApiKey { id: uuid } userErrors { message } } }`,
      { id: key.id },
    )
    await waitFor("the key to be refused", async () => (await guest.get("/api/users/@me/")).status === 401)
    expect((await new WaymarkApi(back.url, PERSONAL_KEY).get("/api/users/@me/")).status).toBe(200)
  })

  test("with Redis hung, decisions and changes of flags go on, and nobody waits for it", async () => {
    await create(front, "steady", { groups: [{}] })
    const id = await create(front, "teams", teamOnly)
    await decidedOn(back, "teams", true)
    redis.freeze()
    try {
      await expectDecisions({ steady: true, teams: true })
      const changed = await front.patch(`${FLAGS}${id}/`, { name: "changed meanwhile" })
      expect(changed.status).toBe(200)
      await front.patch(`${FLAGS}${id}/`, { filters: { groups: [] } })
      await decidedOn(back, "teams", false)
    } finally {
      redis.thaw()
    }
    await front.patch(`${FLAGS}${id}/`, { filters: teamOnly })
    await decidedOn(back, "teams", true)
  })

  test("with PostgreSQL and Redis killed, every decision is answered, nothing can be managed, and a change made after their return arrives everywhere", async () => {
    const ending = [redis.kill()]
    process.kill(postgres.pid() ?? 0, "SIGKILL")
    ending.push(postgres.stop())
    await Promise.all([...ending, expectDecisions({ steady: true, teams: true })])
    await expectDecisions({ steady: true, teams: true })

    for (const api of [front, back]) {
      expect((await api.get(FLAGS)).status).toBe(503)
      expect((await api.post(FLAGS, { key: "impossible", filters: { groups: [{}] } })).status).toBe(503)
      expect((await api.capture({ event: "lost?", distinct_id: "ada" })).status).toBe(503)
      const { flag_rules: rules } = (await api.get<{ flag_rules: { age_seconds: number } }>("/_readyz")).body
      expect(rules.age_seconds).toEqual(expect.any(Number))
    }

    postgres = await startPostgres()
    await redis.start()
    await waitFor("a change to be accepted", async () => {
      const { status } = await front.post(FLAGS, { key: "after", active: true, filters: { groups: [{}] } })
      return status === 201
    })
    for (const api of [front, back]) await decidedOn(api, "after", true)
    await waitFor("events to be accepted", async () => {
      const { status } = await front.capture({ event: "back again", distinct_id: "ada" })
      return status === 200
    })
    await back.drained()
    expect(await back.hogql("SELECT count() FROM events WHERE event IN ('back again', 'lost?')")).toEqual([[1]])
  })
}

if (hasRedisServer()) describe("two processes on stores that they share", describeTwoProcesses)
else test.todo("two processes on stores that they share, where redis-server is installed")
