import { resolve } from "node:path"
import { beforeAll, describe, expect, test } from "@jest/globals"
import { createClient } from "graphql-ws"
import WebSocket from "ws"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { PERSONAL_KEY, PROJECT_KEY } from "../support/waymark-process.js"

/** An address that the test file knows. */
const LONDON = "81.2.69.142"

const { api } = ownServer({
  GEOIP_DB: resolve("test/features/persons/GeoIP2-City-Test.mmdb"),
})
let other: { readonly id: string; readonly apiToken: string }

beforeAll(async () => {
  const { createProject } = await api.changed<{ createProject: typeof other }>(
    'mutation { createProject(input: { name: "Nebenan" }) { project { id: number apiToken } userErrors { message } } }',
  )
  other = createProject
})

interface LogRecord {
  readonly timestamp: string
  readonly source: string
  readonly type: string
  readonly message: string
}

const geoIpConfigOf = async (project: string): Promise<string> => {
  const { pluginConfigs } = await api.graphql<{ pluginConfigs: { nodes: { id: number; builtIn: string }[] } }>(
    "query ($project: ID!) { pluginConfigs(projectId: $project) { nodes { id: number builtIn } } }",
    { project },
  )
  return String(pluginConfigs.nodes.find(({ builtIn }) => builtIn === "GEOIP")?.id)
}

const switchGeoIp = async (project: string, enabled: boolean): Promise<unknown> =>
  api.changed(
    `mutation ($project: ID!, $id: ID!, $enabled: Boolean!) {
      updatePluginConfig(input: { projectId: $project, id: $id, enabled: $enabled }) {
        pluginConfig { enabled } userErrors { message } } }`,
    { project, id: await geoIpConfigOf(project), enabled },
  )

/** Captures one event in each project and answers what they know of the place. */
async function citiesOf(event: string): Promise<unknown[]> {
  for (const key of [PROJECT_KEY, other.apiToken])
    await api.capture({ event, distinct_id: "Zoë", properties: { $ip: LONDON } }, key)
  await api.drained()
  const cityIn = async (project: string) => {
    const { body } = await api.post<{ results: unknown[][] }>(`/api/environments/${project}/query/`, {
      query: { kind: "HogQLQuery", query: `SELECT properties.$geoip_city_name FROM events WHERE event = '${event}'` },
      refresh: "force_blocking",
    })
    return body.results[0]?.[0]
  }
  return [await cityIn("1"), await cityIn(other.id)]
}

const logsOf = async (project: string): Promise<LogRecord[]> => {
  const path = `/api/environments/${project}/plugin_configs/${await geoIpConfigOf(project)}/logs/`
  return (await api.get<{ results: LogRecord[] }>(path)).body.results
}

describe("GeoIP, a plugin of Waymark's own", () => {
  test("adds places in every project, until one switches it off, for that one", async () => {
    expect(await citiesOf("first")).toEqual(["London", "London"])
    await switchGeoIp("1", false)
    expect(await citiesOf("second")).toEqual([null, "London"])
    await switchGeoIp("1", true)
    expect(await citiesOf("third")).toEqual(["London", "London"])
  })

  test("says in its log that it is loaded, switched off and on, and which addresses it could not use", async () => {
    await api.capture({ event: "lost", distinct_id: "Zoë", properties: { $ip: "nowhere" } })
    await api.drained()
    const records = await waitFor("the log to be written", async () => {
      const found = await logsOf("1")
      return found.some(({ message }) => message.includes("nowhere")) && found
    })
    expect(records.every(({ source }) => source === "SYSTEM")).toBe(true)
    const said = records.map(({ type, message }) => `${type} ${message}`).join("\n")
    expect(said).toMatch(/^DEBUG GeoIP is loaded/m)
    expect(said).toMatch(/^INFO Somebody switched it off\.$/m)
    expect(said).toMatch(/^INFO Somebody switched it on\.$/m)
    expect(said).toMatch(/^WARN "nowhere" is no IP address/m)
    expect((await logsOf(other.id)).map(({ message }) => message).join()).not.toContain("nowhere")
  })
})

describe("a plugin's log", () => {
  test("is seen live by those who watch that plugin, as types go, and read by REST afterwards", async () => {
    const { createPluginConfig } = await api.changed<{ createPluginConfig: { id: number } }>(
      `mutation {
        createPluginConfig(input: { name: "größe" }) { pluginConfig { id: number } userErrors { message } } }`,
    )
    const id = String(createPluginConfig.id)
    const client = createClient({
      url: `${api.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${PERSONAL_KEY}` },
    })
    const seen: string[] = []
    client.subscribe<{ pluginLogs: LogRecord }>(
      {
        query: `subscription ($id: ID!) {
          pluginLogs(pluginConfigId: $id, types: [WARN, ERROR]) { type message timestamp } }`,
        variables: { id },
      },
      {
        next: ({ data }) => {
          if (data) seen.push(`${data.pluginLogs.type} ${data.pluginLogs.message}`)
        },
        error: (fault) => seen.push(JSON.stringify(fault)),
        complete: () => undefined,
      },
    )
    const append = (type: string, message: string) =>
      api.changed(
        `mutation ($id: ID!, $entries: [PluginLogInput!]!) {
          appendPluginLogs(input: { pluginConfigId: $id, entries: $entries }) { entryCount userErrors { message } } }`,
        { id, entries: [{ type, message }] },
      )
    await waitFor("the subscription to be live", async () => {
      await append("ERROR", "probe")
      return seen.length > 0
    })
    await append("INFO", "not asked for")
    await append("WARN", "careful ☂")
    await waitFor("the entry", () => seen.includes("WARN careful ☂"))
    expect(seen.filter((line) => line !== "ERROR probe")).toEqual(["WARN careful ☂"])
    await client.dispose()

    const path = `/api/environments/1/plugin_configs/${id}/logs/?type_filter=INFO&type_filter=WARN`
    expect((await api.get(path)).body).toMatchObject({ count: 2, results: [{ type: "WARN" }, { type: "INFO" }] })
  })
})
