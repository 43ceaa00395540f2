import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { GOOD_KEY } from "../support/sample-context.js"
import { type RunningRest, startRest } from "../support/start-rest.js"

const ENVIRONMENT = "/api/environments/1"
const LIST = `${ENVIRONMENT}/session_recordings`

let rest: RunningRest
beforeAll(async () => {
  rest = await startRest({
    data: ({ hasSource }) => ({
      page: { totalCount: 0, nodes: [], pageInfo: { hasNextPage: false } },
      count: 2,
      ...(hasSource === true ? { lines: ['["w",{"type":4}]', '["w",{"type":3}]'] } : {}),
      ...(hasSource === false
        ? {
            sources: [
              { blobKey: "0", startTimestamp: "2024-02-29T11:00:00.000Z", endTimestamp: "2024-02-29T12:00:00.000Z" },
            ],
          }
        : {}),
    }),
  })
})
afterAll(() => rest.close())

async function send(path: string, method = "GET", body?: unknown) {
  const response = await fetch(rest.url + path, {
    method,
    headers: { Authorization: `Bearer ${GOOD_KEY}`, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, type: response.headers.get("content-type"), text }
}

const variables = () => rest.executed.at(-1)?.variables as Record<string, unknown>
const listWith = async (parameters: Record<string, string>) => send(`${LIST}/?${new URLSearchParams(parameters)}`)

describe("the recordings list", () => {
  test("has one envelope with both ways to ask for more", async () => {
    const { status, text } = await listWith({})
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({ count: 0, next: null, previous: null, results: [], has_next: false })
    expect(variables()).toEqual({ projectId: "1", first: 50, offset: 0, recordingsQuery: {} })
  })

  test("reads conditions that are JSON, in quotes or bare, and hands them on as they are", async () => {
    await listWith({
      date_from: '"-2d"',
      date_to: "2024-03-01",
      session_ids: '["a","b"]',
      events: '[{"id":"$pageview","type":"events","properties":[]}]',
      having_predicates: '[{"type":"recording","key":"duration","operator":"gt","value":60}]',
      operand: "OR",
      order: "recording_duration",
      limit: "many",
      filter_test_accounts: "false",
      person_uuid: "",
      unknown: "1",
    })
    expect(variables()).toEqual({
      projectId: "1",
      first: 50,
      offset: 0,
      recordingsQuery: {
        date_from: "-2d",
        date_to: "2024-03-01",
        session_ids: ["a", "b"],
        events: [{ id: "$pageview", type: "events", properties: [] }],
        having_predicates: [{ type: "recording", key: "duration", operator: "gt", value: 60 }],
        operand: "OR",
        order: "recording_duration",
        filter_test_accounts: false,
      },
    })
  })

  test("is changed for several at once, and tells how many there were of how many named", async () => {
    for (const [path, count, marks] of [
      ["bulk_delete", "deleted_count", {}],
      ["bulk_viewed", "viewed_count", { viewed: true }],
      ["bulk_not_viewed", "not_viewed_count", { viewed: false }],
    ] as const) {
      const { status, text } = await send(`${LIST}/${path}/`, "POST", { session_recording_ids: ["a", "b", "c"] })
      expect([status, JSON.parse(text)]).toEqual([200, { success: true, [count]: 2, total_requested: 3 }])
      expect(variables()).toEqual({ projectId: "1", ids: ["a", "b", "c"], ...marks })
    }
    expect((await send(`${LIST}/bulk_delete/`, "POST", { session_recording_ids: "a" })).status).toBe(400)
  })
})

describe("one recording", () => {
  test("is marked, and deleted without a body", async () => {
    const marked = await send(`${LIST}/s1/`, "PATCH", { viewed: true })
    expect([marked.status, JSON.parse(marked.text)]).toEqual([200, { success: true }])
    expect(variables()).toEqual({ projectId: "1", id: "s1", viewed: true })
    expect(await send(`${LIST}/s1/`, "DELETE")).toMatchObject({ status: 204, text: "" })
  })

  test("names its stretches, and hands them out as lines", async () => {
    const { text } = await send(`${LIST}/s1/snapshots/`)
    expect(JSON.parse(text)).toEqual({
      sources: [
        {
          source: "blob_v2",
          start_timestamp: "2024-02-29T11:00:00.000Z",
          end_timestamp: "2024-02-29T12:00:00.000Z",
          blob_key: "0",
        },
      ],
    })
    const lines = await send(`${LIST}/s1/snapshots?source=blob_v2&start_blob_key=0&end_blob_key=3`)
    expect(lines).toMatchObject({ status: 200, type: "application/jsonl", text: '["w",{"type":4}]\n["w",{"type":3}]' })
    expect(variables()).toMatchObject({ id: "s1", startBlobKey: "0", endBlobKey: "3" })
    await send(`${LIST}/s1/snapshots?source=blob_v2&blob_key=2`)
    expect(variables()).toMatchObject({ startBlobKey: "2", endBlobKey: "2" })
  })

  test.each(["?source=blob", "?source=blob_v2"])("refuses to hand out %s", async (query) => {
    expect((await send(`${LIST}/s1/snapshots/${query}`)).status).toBe(400)
  })
})

describe("the recordings of a playlist", () => {
  const recordings = `${ENVIRONMENT}/session_recording_playlists/abcd1234/recordings`

  test("are listed, attached with any body or none, and detached without a body", async () => {
    expect(JSON.parse((await send(`${recordings}/?limit=2&offset=4`)).text)).toMatchObject({
      has_next: false,
      count: 0,
    })
    expect(variables()).toEqual({ projectId: "1", shortId: "abcd1234", first: 2, offset: 4 })
    for (const body of [undefined, {}, { name: 5 }]) {
      const { status, text } = await send(`${recordings}/s1/`, "POST", body)
      expect([status, JSON.parse(text)]).toEqual([200, { success: true }])
    }
    expect(variables()).toEqual({ projectId: "1", shortId: "abcd1234", sessionRecordingId: "s1" })
    expect(await send(`${recordings}/s1/`, "DELETE")).toMatchObject({ status: 204, text: "" })
  })
})

describe("logs of a plugin", () => {
  const logs = `${ENVIRONMENT}/plugin_configs/7/logs/`

  test("take times, a text and types that may be repeated", async () => {
    await send(`${logs}?type_filter=ERROR&type_filter=WARN&search=x&after=2024-03-01T00:00:00Z&limit=-1`)
    expect(variables()).toEqual({
      projectId: "1",
      pluginConfigId: "7",
      first: 100,
      offset: 0,
      filter: { after: "2024-03-01T00:00:00.000Z", search: "x", types: ["ERROR", "WARN"] },
    })
  })

  test("refuse a limit that is no integer in the words that clients know", async () => {
    const { status, text } = await send(`${logs}?limit=ten`)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toEqual({
      type: "validation_error",
      code: "invalid_input",
      detail: "Query param limit must be omitted or an integer!",
      attr: null,
    })
  })

  test.each(["type_filter=LOUD", "type_filter=error", "before=x"])("refuse %s", async (query) => {
    expect((await send(`${logs}?${query}`)).status).toBe(400)
  })
})
