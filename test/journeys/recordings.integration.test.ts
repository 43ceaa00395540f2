import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, test } from "@jest/globals"
import { createClient } from "graphql-ws"
import WebSocket from "ws"
import { createCallers } from "../support/access-matrix.js"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, PROJECT_KEY } from "../support/waymark-process.js"

const ENVIRONMENT = "/api/environments/@current"
const RECORDINGS = `${ENVIRONMENT}/session_recordings/`
const PLAYLISTS = `${ENVIRONMENT}/session_recording_playlists/`
const HOUR_MS = 3_600_000
const SESSIONS = { live: "0199a000-0000-7000-8000-000000000001", old: "0199a000-0000-7000-8000-000000000002" }
const KEYS = [
  "id",
  "distinct_id",
  "viewed",
  "viewers",
  "recording_duration",
  "active_seconds",
  "inactive_seconds",
  "start_time",
  "end_time",
  "click_count",
  "keypress_count",
  "mouse_activity_count",
  "console_log_count",
  "console_warn_count",
  "console_error_count",
  "start_url",
  "person",
  "storage",
  "snapshot_source",
  "ongoing",
  "activity_score",
]

const { api } = ownServer()

interface Recording {
  readonly id: string
  readonly [field: string]: unknown
}
interface List<Item = Recording> {
  readonly count: number
  readonly next: string | null
  readonly results: Item[]
  readonly has_next: boolean
}

/** Sends one `$snapshot` as browsers do: with the items of ten seconds that began at `startMs`. */
async function record(sessionId: string, startMs: number, uuid: string): Promise<void> {
  const incremental = (offsetMs: number, data: object) => ({ type: 3, timestamp: startMs + offsetMs, data })
  const items = [
    { type: 4, timestamp: startMs, data: { href: "https://a.test/größe", width: 1, height: 1 } },
    incremental(1000, { source: 2, type: 2, id: 1, x: 1, y: 1 }),
    incremental(2000, { source: 5, text: "a", id: 1 }),
    {
      type: 6,
      timestamp: startMs + 9000,
      data: { plugin: "rrweb/console@1", payload: { level: "warn", payload: ["w"] } },
    },
    incremental(10_000, { source: 0, texts: [], attributes: [], removes: [], adds: [] }),
  ]
  const properties = { token: PROJECT_KEY, distinct_id: "Zoë", $session_id: sessionId, $window_id: "w", $lib: "web" }
  const body = [{ event: "$snapshot", uuid, properties: { ...properties, $snapshot_data: items, $snapshot_bytes: 1 } }]
  expect((await api.post("/s/", body)).status).toBe(200)
}

const list = (parameters: Record<string, string> = {}) =>
  api.get<List>(`${RECORDINGS}?${new URLSearchParams(parameters)}`)

let nowMs: number
beforeAll(async () => {
  nowMs = Date.now()
  await api.capture({ event: "$identify", distinct_id: "Zoë", properties: { $set: { email: "zoe@a.test" } } })
  const properties = { $session_id: SESSIONS.live, amount: 7 }
  await api.capture({ event: "paid", distinct_id: "Zoë", properties })
  await record(SESSIONS.live, nowMs - 10_000, "0199a000-0000-7000-8000-0000000000a1")
  await record(SESSIONS.old, nowMs - 96 * HOUR_MS, "0199a000-0000-7000-8000-0000000000a2")
  // A browser that did not hear the answer sends the same again.
  await record(SESSIONS.live, nowMs - 10_000, "0199a000-0000-7000-8000-0000000000a1")
  await api.drained()
})

describe("recordings from the wire to the list", () => {
  test("show what happened, whose it was and that it goes on", async () => {
    const { body } = await api.get<Recording>(`${RECORDINGS}${SESSIONS.live}/`)
    expect(Object.keys(body)).toEqual(KEYS)
    expect(body).toMatchObject({
      id: SESSIONS.live,
      distinct_id: "Zoë",
      viewed: false,
      viewers: [],
      recording_duration: 10,
      active_seconds: 1,
      inactive_seconds: 9,
      start_time: new Date(nowMs - 10_000).toISOString(),
      click_count: 1,
      keypress_count: 1,
      mouse_activity_count: 1,
      console_warn_count: 1,
      start_url: "https://a.test/größe",
      person: { name: "zoe@a.test", distinct_ids: ["Zoë"], properties: { email: "zoe@a.test" } },
      ongoing: true,
      activity_score: 25,
    })
  })

  test("are listed for three days, and longer on request, with links to more", async () => {
    expect((await list()).body).toMatchObject({ count: 1, has_next: false, results: [{ id: SESSIONS.live }] })
    const page = (await list({ date_from: "-7d", limit: "1" })).body
    expect(page).toMatchObject({ count: 2, has_next: true, results: [{ id: SESSIONS.live }] })
    const next = new URL(page.next ?? "")
    expect((await api.get<List>(next.pathname + next.search)).body.results).toMatchObject([{ id: SESSIONS.old }])
    const both = JSON.stringify([SESSIONS.old, SESSIONS.live])
    expect((await list({ session_ids: both })).body.results.map(({ id }) => id)).toEqual([SESSIONS.old, SESSIONS.live])
    expect((await list({ session_ids: "[]" })).body.results).toEqual([])
    expect((await list({ operand: "MAYBE" })).status).toBe(400)
  })

  test("are found by what happened in them and by whose they are", async () => {
    const found = async (parameters: Record<string, unknown>): Promise<string[]> => {
      const written = Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)])
      const { status, body } = await list(Object.fromEntries(written))
      expect({ status, body }).toMatchObject({ status: 200 })
      return body.results.map(({ id }) => id)
    }
    const paid = (amount: number) => [{ id: "paid", properties: [{ type: "event", key: "amount", value: amount }] }]
    const email = { type: "person", key: "email", operator: "icontains" }
    expect(await found({ events: paid(7) })).toEqual([SESSIONS.live])
    expect(await found({ events: paid(8) })).toEqual([])
    expect(await found({ properties: [{ ...email, value: "zoe@" }] })).toEqual([SESSIONS.live])
    expect(await found({ properties: [{ ...email, value: "bo@" }] })).toEqual([])
    const either = {
      type: "OR",
      values: [
        { ...email, value: "bo@" },
        { type: "event", key: "amount", value: 7 },
      ],
    }
    expect(await found({ properties: either })).toEqual([SESSIONS.live])
    const ofSession = { type: "session", key: "$autocapture_count", operator: "lt", value: 1 }
    expect(await found({ properties: [ofSession] })).toEqual([SESSIONS.live])
    expect(await found({ properties: [{ ...ofSession, operator: "gt" }] })).toEqual([])
    const refused = await list({ actions: '[{"id":1}]' })
    expect(refused).toMatchObject({ status: 400, body: { type: "validation_error", attr: "actions" } })
  })

  test("are not found by ids that are none", async () => {
    for (const id of ["00000000-0000-7000-8000-0000000000aa", "not-a-uuid"])
      expect(await api.get(`${RECORDINGS}${id}/`)).toMatchObject({
        status: 404,
        body: { type: "invalid_request", code: "not_found", detail: "Recording not found", attr: null },
      })
  })

  test("are played back item by item", async () => {
    const { body } = await api.get<{ sources: { blob_key: string }[] }>(`${RECORDINGS}${SESSIONS.live}/snapshots/`)
    expect(body.sources).toMatchObject([{ source: "blob_v2", blob_key: "0" }])
    const lines = await api.get<string>(
      `${RECORDINGS}${SESSIONS.live}/snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=0`,
    )
    const items = lines.body.split("\n").map((line) => JSON.parse(line) as [string, { type: number }])
    expect(items.map(([window, { type }]) => [window, type])).toEqual([4, 3, 3, 6, 3].map((type) => ["w", type]))
  })

  test("are no analytics events, and their console can be queried", async () => {
    expect(await api.hogql("SELECT event FROM events WHERE event LIKE '%snapshot%'")).toEqual([])
    expect(
      await api.hogql("SELECT level, message FROM log_entries WHERE log_source = 'session_replay'"),
    ).toContainEqual(["warn", "w"])
  })

  test("are attached to a playlist, listed there, watched and detached", async () => {
    const { body: playlist } = await api.post<{ short_id: string }>(PLAYLISTS, { name: "p" })
    const attached = `${PLAYLISTS}${playlist.short_id}/recordings/`
    for (const id of [SESSIONS.old, SESSIONS.old, "00000000-0000-7000-8000-0000000000ff"])
      expect(await api.post(`${attached}${id}/`, {})).toMatchObject({ status: 200, body: { success: true } })
    expect((await api.get<List>(attached)).body).toMatchObject({ results: [{ id: SESSIONS.old }], has_next: false })
    expect(await api.patch(`${RECORDINGS}${SESSIONS.old}/`, { viewed: true })).toMatchObject({
      body: { success: true },
    })
    expect((await api.get(`${PLAYLISTS}${playlist.short_id}/`)).body).toMatchObject({
      recordings_counts: { collection: { count: 1, watched_count: 1 } },
    })
    for (const id of [SESSIONS.old, SESSIONS.old])
      expect(await api.request("DELETE", `${attached}${id}/`)).toMatchObject({ status: 204, body: null })
    expect((await api.get<List>(attached)).body.results).toEqual([])
    expect((await api.get(`${PLAYLISTS}nope1234/recordings/`)).status).toBe(404)
    expect((await api.post(`${PLAYLISTS}nope1234/recordings/${SESSIONS.old}/`, {})).status).toBe(404)
  })

  test("are followed as they start, by who may read them", async () => {
    const query = `subscription ($since: String) {
      change: sessionRecordingChanges(projectId: "@current", since: $since) {
      cursor sessionId kind at missedBefore recording { id: sessionId distinctId ongoing person { name } } } }`
    const follow = (key: string, since: string | null = null) => {
      const answers: string[] = []
      const client = createClient({
        url: `${api.url.replace("http", "ws")}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: { Authorization: `Bearer ${key}` },
      })
      client.subscribe(
        { query, variables: { since } },
        {
          next: (answer) => void answers.push(JSON.stringify(answer)),
          error: (fault) => void answers.push(JSON.stringify(fault)),
          complete: () => undefined,
        },
      )
      return { answers, client }
    }
    const { withoutScope } = await createCallers(api, ["session_recording:read"], 1)
    const refused = follow(withoutScope.personalKey ?? "")
    await waitFor("the refusal", () => refused.answers.length > 0)
    expect(refused.answers[0]).toContain("session_recording:read")

    const permitted = follow(PERSONAL_KEY)
    const sent: string[] = []
    await waitFor("a recording to start", async () => {
      if (permitted.answers.length > 0) return true
      const id = randomUUID()
      sent.push(id)
      await record(id, Date.now() - 20_000, randomUUID())
      await api.drained()
      return false
    })
    type Change = { readonly sessionId: string; readonly cursor: string }
    const { change } = (JSON.parse(permitted.answers[0] ?? "") as { data: { change: Change } }).data
    expect(sent).toContain(change.sessionId)
    expect(change).toMatchObject({
      kind: "STARTED",
      missedBefore: 0,
      recording: { id: change.sessionId, distinctId: "Zoë", ongoing: true, person: { name: "zoe@a.test" } },
    })
    await permitted.client.dispose()
    const meanwhile = randomUUID()
    await record(meanwhile, Date.now() - 20_000, randomUUID())
    await api.drained()
    const again = follow(PERSONAL_KEY, change.cursor)
    await waitFor("what came meanwhile", () => again.answers.some((answer) => answer.includes(meanwhile)))
    expect(again.answers.filter((answer) => answer.includes(change.sessionId))).toEqual([])
    await Promise.all([refused.client.dispose(), again.client.dispose()])
  })

  test("are deleted for good", async () => {
    expect(await api.request("DELETE", `${RECORDINGS}${SESSIONS.old}/`)).toMatchObject({ status: 204, body: null })
    expect((await api.get(`${RECORDINGS}${SESSIONS.old}/`)).status).toBe(404)
    expect((await api.get(`${RECORDINGS}${SESSIONS.old}/snapshots/`)).status).toBe(410)
    // What a browser still had to send of it is taken and kept out, also when it is a repetition.
    for (const uuid of ["0199a000-0000-7000-8000-0000000000a2", "0199a000-0000-7000-8000-0000000000a3"])
      await record(SESSIONS.old, nowMs - 96 * HOUR_MS, uuid)
    await api.drained()
    expect((await api.get(`${RECORDINGS}${SESSIONS.old}/`)).status).toBe(404)
    const bulk = { session_recording_ids: [SESSIONS.old, "never recorded"] }
    expect((await api.post(`${RECORDINGS}bulk_delete/`, bulk)).body).toEqual({
      success: true,
      deleted_count: 1,
      total_requested: 2,
    })
    expect((await list({ date_from: "-7d" })).body.results.map(({ id }) => id)).not.toContain(SESSIONS.old)
  })

  test("need a key", async () => {
    expect((await new WaymarkApi(api.url, null).get(RECORDINGS)).status).toBe(401)
    expect((await new WaymarkApi(api.url, PERSONAL_KEY).get(RECORDINGS)).status).toBe(200)
  })
})

describe("logs of a plugin over REST", () => {
  test("are written through GraphQL and read with the keys of the contract, newest first", async () => {
    const created = await api.changed<{ one: { id: number } }>(
      `mutation {
        one: createPluginConfig(input: { projectId: "@current", name: "p" }) {
          pluginConfig { id: number } userErrors { message } } }`,
    )
    const logs = `${ENVIRONMENT}/plugin_configs/${created.one.id}/logs/`
    await api.changed(
      `mutation ($id: ID!, $entries: [PluginLogInput!]!) {
        appendPluginLogs(input: { projectId: "@current", pluginConfigId: $id, entries: $entries }) {
          entryCount userErrors { message } } }`,
      {
        id: created.one.id,
        entries: ["DEBUG", "LOG", "INFO", "WARN", "ERROR"].map((type, day) => ({
          type,
          message: `Somewhere ${type}`,
          timestamp: `2024-03-0${day + 1}T10:00:00Z`,
        })),
      },
    )
    const { body } = await api.get<List<Record<string, unknown>>>(`${logs}?limit=2`)
    expect(body).toMatchObject({ count: 5, previous: null, results: [{ type: "ERROR" }, { type: "WARN" }] })
    expect(body.next).toContain("offset=2")
    expect(Object.keys(body.results[0] ?? {})).toEqual([
      "id",
      "team_id",
      "plugin_id",
      "plugin_config_id",
      "timestamp",
      "source",
      "type",
      "message",
      "instance_id",
    ])
    const some = await api.get<List>(
      `${logs}?type_filter=ERROR&type_filter=WARN&search=SOMEWHERE&before=2024-03-05T10:00:00Z`,
    )
    expect(some.body.results).toMatchObject([{ type: "WARN" }])
    for (const id of ["9999999", "abc"])
      expect((await api.get(`${ENVIRONMENT}/plugin_configs/${id}/logs/`)).body).toMatchObject({ count: 0, results: [] })
    expect((await api.get(`${logs}?limit=ten`)).status).toBe(400)
  })
})
