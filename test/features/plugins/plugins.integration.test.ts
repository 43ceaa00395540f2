import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { accessEntities } from "../../../src/features/access/index.js"
import { createPluginsFeature, pluginEntities } from "../../../src/features/plugins/index.js"
import { createPluginLogOrder } from "../../../src/features/plugins/plugin-log-order.store.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { createIds } from "../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createInProcessPubSub } from "../../../src/platform/pubsub/in-process-pub-sub.js"
import { createGraphqlAsker, type GraphqlAsker } from "../../support/graphql-asker.js"
import { createManualClock } from "../../support/manual-clock.js"
import { startTestStores, type TestStores } from "../../support/test-stores.js"

/** Ahead of the engine's own clock, by which it forgets. */
const NOW_MS = Date.UTC(2085, 5, 1, 12)

const CONFIGS =
  "query ($p: ID!) { page: pluginConfigs(projectId: $p) { totalCount nodes { id name builtIn enabled config } } }"
const CREATE =
  "mutation ($p: ID!, $input: PluginConfigInput!) { one: createPluginConfig(projectId: $p, input: $input) { id pluginId enabled config } }"
const UPDATE =
  "mutation ($p: ID!, $id: ID!, $input: PluginConfigChanges!) { one: updatePluginConfig(projectId: $p, id: $id, input: $input) { name enabled config } }"
const APPEND =
  "mutation ($p: ID!, $id: ID!, $entries: [PluginLogInput!]!) { count: appendPluginLogs(projectId: $p, pluginConfigId: $id, entries: $entries) }"
const LOGS = `query ($p: ID!, $id: ID!, $filter: PluginLogFilter, $first: Int, $offset: Int) {
  page: pluginLogs(projectId: $p, pluginConfigId: $id, filter: $filter, first: $first, offset: $offset) {
    totalCount pageInfo { hasNextPage } nodes { id projectId pluginId pluginConfigId timestamp source type message instanceId } } }`

interface Answer {
  readonly one: { readonly id: number; readonly pluginId: number }
  readonly page: { readonly totalCount: number; readonly nodes: readonly [Listed, ...Listed[]] }
}
/** A configuration or an entry of a log. */
interface Listed {
  readonly id: string
  readonly instanceId: string
  readonly type: string
  readonly message: string
}

let stores: TestStores
let feature: ReturnType<typeof createPluginsFeature>
let ask: GraphqlAsker<Answer>
beforeAll(async () => {
  stores = await startTestStores([...accessEntities, ...pluginEntities])
  await stores.database.pool.query(
    "INSERT INTO app_user (id, uuid, distinct_id, email, created_at) VALUES (1, gen_random_uuid(), 'a', 'a', now())",
  )
  feature = createPluginsFeature({
    ...stores,
    clock: createManualClock(NOW_MS),
    ids: createIds(),
    logger: silentLogger,
    pubSub: createInProcessPubSub(silentLogger),
    hasGeoIpDatabase: true,
  })
  await feature.start()
  ask = await createGraphqlAsker([feature.resolver])
})
afterAll(async () => {
  await feature.stop()
  await stores.stop()
})

const switchedOff = async () => [...(await feature.geoIp.findSwitchedOff([1, 2, 3].map(asProjectId)))]

const create = async (project = 1): Promise<{ id: number; pluginId: number }> =>
  (await ask.data(CREATE, { input: { name: "größe" } }, { project })).one

describe("plugins", () => {
  test("of Waymark are in every project, each on until the project switches it off", async () => {
    const { page } = await ask.data(CONFIGS, {}, { project: 2 })
    expect(page).toMatchObject({
      totalCount: 1,
      nodes: [{ name: "GeoIP", builtIn: "geoip", enabled: true, config: {} }],
    })
    expect(await ask.data(CONFIGS, {}, { project: 2 })).toEqual({ page })
    const { id } = page.nodes[0]
    expect(await switchedOff()).toEqual([])
    expect(await ask.data(UPDATE, { id, input: { enabled: false } }, { project: 2 })).toMatchObject({
      one: { enabled: false },
    })
    expect(await switchedOff()).toEqual([2])
  })

  test("of a project's own are added and changed by their project only", async () => {
    const { id } = (
      await ask.data(CREATE, { input: { name: " ☀ ", enabled: false, config: { "\u0000": "a" } } }, { project: 4 })
    ).one
    expect(await ask.data(UPDATE, { id, input: { config: { b: 1 } } }, { project: 4 })).toEqual({
      one: { name: "☀", enabled: false, config: { b: 1 } },
    })
    expect(await ask.data(UPDATE, { id, input: { enabled: true, config: null } }, { project: 4 })).toEqual({
      one: { name: "☀", enabled: true, config: { b: 1 } },
    })
    for (const [wanted, project] of [
      [id, 5],
      [999_999, 4],
      ["x", 4],
      ["99999999999", 4],
    ])
      expect(await ask.fault(UPDATE, { id: wanted, input: {} }, { project: Number(project) })).toBe("not_found")
    expect((await ask.data(CONFIGS, {}, { project: 5 })).page.totalCount).toBe(1)
  })

  test("leave their changes in the audit log, with the names of options and never their values", async () => {
    const input = { name: "geheim", config: { token: "s3cret", region: "eu" } }
    const { id } = (await ask.data(CREATE, { input }, { project: 6 })).one
    const changes = [
      { enabled: false },
      { enabled: false, config: { token: "s3cret", region: "eu" } },
      { enabled: true, config: { token: "n3w", zone: 1, region: "eu" } },
    ]
    for (const change of changes) await ask.data(UPDATE, { id, input: change }, { project: 6 })
    const { rows } = await stores.database.pool.query(
      "SELECT activity, changes, item_id, user_id FROM activity_log WHERE project_id = 6 AND scope = 'PluginConfig' ORDER BY id",
    )
    const of = { item_id: String(id), user_id: 1 }
    expect(rows).toEqual([
      { ...of, activity: "created", changes: [] },
      { ...of, activity: "updated", changes: [{ field: "enabled", action: "changed", before: true, after: false }] },
      {
        ...of,
        activity: "updated",
        changes: [
          { field: "enabled", action: "changed", before: false, after: true },
          { field: "config", action: "changed", options: ["token", "zone"] },
        ],
      },
    ])
  })

  test("need a name and options that are an object, and the scope to write", async () => {
    expect(await ask.fault(CREATE, { input: { name: "  " } })).toBe("blank")
    expect(await ask.fault(CREATE, { input: { name: "x".repeat(201) } })).toBe("max_length")
    expect(await ask.fault(CREATE, { input: { name: "x", config: [1] } })).toBe("invalid_input")
    const reading = { scopes: ["plugin:read"] }
    expect(await ask.fault(CREATE, { input: { name: "x" } }, reading)).toBe("permission_denied")
    expect(await ask.fault(UPDATE, { id: "1", input: {} }, reading)).toBe("permission_denied")
    expect(await ask.fault(CONFIGS, {}, { scopes: ["person:read"] })).toBe("permission_denied")
  })
})

describe("logs of a plugin", () => {
  let config: { id: number; pluginId: number }
  const entries = [
    { message: "one", type: "DEBUG", timestamp: "2024-03-01T00:00:00.000Z" },
    { message: "over the RAINBOW, Somewhere", type: "LOG", timestamp: "2024-03-01T10:00:00.000Z" },
    { message: "three", type: "INFO", timestamp: "2024-03-02T00:00:00.000Z", source: "SYSTEM" },
    { message: "four", type: "WARN", timestamp: "2024-03-03T00:00:00.000Z", source: "CONSOLE" },
    { message: "ÅTTE", type: "ERROR", timestamp: "2024-03-04T00:00:00.000Z" },
  ]
  beforeAll(async () => {
    config = await create()
    expect(await ask.data(APPEND, { id: config.id, entries })).toEqual({ count: 5 })
    await ask.data(APPEND, { id: config.id, entries: [{ message: "now \u0000" }] })
  })
  const messagesOf = async (filter: object): Promise<string[]> =>
    (await ask.data(LOGS, { id: config.id, filter })).page.nodes.map(({ message }) => message)

  test("are shown with all fields of the contract, newest first, with a true count", async () => {
    const { page } = await ask.data(LOGS, { id: config.id, first: 2 })
    expect(page).toMatchObject({ totalCount: 6, pageInfo: { hasNextPage: true } })
    expect(page.nodes[0]).toMatchObject({
      projectId: 1,
      pluginId: config.pluginId,
      pluginConfigId: config.id,
      timestamp: new Date(NOW_MS).toISOString(),
      source: "PLUGIN",
      type: "LOG",
      message: "now \uFFFD",
    })
    for (const id of [page.nodes[0].id, page.nodes[0].instanceId]) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const rest = await ask.data(LOGS, { id: config.id, first: 9, offset: 2 })
    expect(rest.page.nodes.map(({ type }) => type)).toEqual(["WARN", "INFO", "LOG", "DEBUG"])
  })

  test("are cut by time with both ends left out, by a part of the message in any case, and by types", async () => {
    expect(await messagesOf({ after: "2024-03-01T00:00:00Z", before: "2024-03-02T00:00:00Z" })).toEqual([
      entries[1]?.message,
    ])
    expect(await messagesOf({ search: "SOMEWHERE" })).toEqual([entries[1]?.message])
    expect(await messagesOf({ search: "åtte" })).toEqual(["ÅTTE"])
    expect(await messagesOf({ search: "%" })).toEqual([])
    expect(await messagesOf({ types: ["ERROR", "WARN"] })).toEqual(["ÅTTE", "four"])
    expect(await messagesOf({ types: [] })).toEqual([])
    expect(await messagesOf({ types: null, after: new Date(-8.64e15), before: new Date(8.64e15) })).toHaveLength(6)
  })

  test("are none for a configuration that is unknown, of another project or not a number", async () => {
    for (const id of ["9999999", "99999999999999", "abc", "", "-1"])
      expect((await ask.data(LOGS, { id })).page).toMatchObject({ totalCount: 0, nodes: [] })
    expect((await ask.data(LOGS, { id: config.id }, { project: 2 })).page.totalCount).toBe(0)
  })

  test("are written once however often a call with the same ids is repeated", async () => {
    const { id } = await create()
    const same = [{ id: "0198F7C0-0000-7000-8000-00000000000A", message: "once" }]
    for (let round = 0; round < 3; round++) await ask.data(APPEND, { id, entries: same })
    expect((await ask.data(LOGS, { id })).page).toMatchObject({
      totalCount: 1,
      nodes: [{ id: "0198f7c0-0000-7000-8000-00000000000a" }],
    })
  })

  test("are written by their project, with the scope to write, and within the limits", async () => {
    const { id } = config
    const one = [{ message: "x" }]
    expect(await ask.fault(APPEND, { id, entries: one }, { project: 2 })).toBe("not_found")
    expect(await ask.fault(APPEND, { id: "x", entries: one })).toBe("not_found")
    expect(await ask.fault(APPEND, { id, entries: one }, { scopes: ["plugin:read"] })).toBe("permission_denied")
    expect(await ask.fault(LOGS, { id }, { scopes: ["person:read"] })).toBe("permission_denied")
    expect(await ask.fault(APPEND, { id, entries: Array(1001).fill(one[0]) })).toBe("invalid_input")
    expect(await ask.fault(APPEND, { id, entries: [{ message: "x".repeat(100_001) }] })).toBe("max_length")
    expect(await ask.fault(APPEND, { id, entries: [{ message: "x", id: "1" }] })).toBe("invalid_input")
    expect(await ask.fault(APPEND, { id, entries: [{ message: "x", timestamp: new Date(8.64e15) }] })).toBe(
      "invalid_input",
    )
    expect(await ask.data(APPEND, { id, entries: [] })).toEqual({ count: 0 })
  })
})

describe("the log of a plugin that is watched", () => {
  const everything = { types: null, search: null }
  const append = (project: number, id: number, messages: readonly string[], type = "LOG") =>
    ask.data(APPEND, { id, entries: messages.map((message) => ({ message, type })) }, { project })

  test("goes on behind a cursor, in the order of storing, filtered by type and text", async () => {
    const project = asProjectId(4)
    const { id } = await create(project)
    await append(project, id, ["one", "two"])
    await append(project, id, ["Two again"], "WARN")
    const all = await feature.logs.watch(project, String(id), everything, () => [0, 0])
    const first = (await all.next()).value
    expect(first).toMatchObject({ message: "one", missedBefore: 0, cursor: expect.any(String) })
    const rest = await feature.logs.watch(project, String(id), everything, () => [1, 0])
    expect([(await rest.next()).value.message, (await rest.next()).value.message]).toEqual(["two", "Two again"])
    const warned = await feature.logs.watch(project, String(id), { types: ["WARN"], search: "TWO" }, () => [0, 0])
    expect((await warned.next()).value).toMatchObject({ message: "Two again", type: "WARN" })
    await append(project, id, ["three"], "WARN")
    await append(project, id, [`two ${"x".repeat(5000)}`], "WARN")
    expect((await warned.next()).value.message).toHaveLength(4096)
    expect((await rest.next()).value).toMatchObject({ message: "three", missedBefore: 0 })
    for (const stream of [all, rest, warned]) await stream.return?.()
  })

  test("waits for entries that another process is storing, so that none is passed over", async () => {
    const project = asProjectId(4)
    const { id } = await create(project)
    const order = createPluginLogOrder(stores.database.pool)
    const name = { projectId: project, pluginConfigId: id }
    await append(project, id, ["before"])
    const begun = await order.begin([{ ...name, entries: 2 }])
    await append(project, id, ["behind"])
    expect(await order.findLast(name)).toBe(1)
    await order.end(begun)
    expect(await order.findLast(name)).toBe(4)
    const stream = await feature.logs.watch(project, String(id), everything, () => [1, 0])
    expect((await stream.next()).value.message).toBe("behind")
    await stream.return?.()
  })

  test("does not wait for a process that has died", async () => {
    const project = asProjectId(4)
    const { id } = await create(project)
    const order = createPluginLogOrder(stores.database.pool)
    await order.begin([{ projectId: project, pluginConfigId: id, entries: 1 }])
    await stores.database.pool.query(
      "UPDATE plugin_log_append SET begun_at = now() - interval '1 hour' WHERE plugin_config_id = $1",
      [id],
    )
    await append(project, id, ["after"])
    expect(await order.findLast({ projectId: project, pluginConfigId: id })).toBe(2)
  })

  test("says how many entries were left out", async () => {
    const project = asProjectId(4)
    const { id } = await create(project)
    const messages = Array.from({ length: 1000 }, (_, index) => `m${index}`)
    await append(project, id, messages)
    await append(project, id, ["a", "b", "c"])
    const stream = await feature.logs.watch(project, String(id), everything, () => [0, 0])
    expect((await stream.next()).value).toMatchObject({ message: "m3", missedBefore: 3 })
    await stream.return?.()
  })
})
