import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { createStoredBlocks } from "../../../src/features/recordings/changes/stored-blocks.store.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { countCalls } from "../../support/count-calls.js"
import { ANNA, BERT, type RecordingsApp, startRecordingsApp } from "./recordings-app.js"
import { click, consoleCall, key, message, meta, move, NOW_MS } from "./replay/snapshots.js"

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

let app: RecordingsApp
beforeAll(async () => {
  app = await startRecordingsApp()
})
afterAll(() => app.stop())

const FIELDS = `id distinctId viewed viewers recordingDuration activeSeconds inactiveSeconds startTime endTime clickCount
  keypressCount mouseActivityCount consoleLogCount consoleWarnCount consoleErrorCount startUrl storage snapshotSource ongoing
  activityScore person { id name distinctIds properties createdAt uuid }`
const ONE = `query ($p: ID!, $id: ID!) { one: sessionRecording(projectId: $p, id: $id) { ${FIELDS} } }`
const LIST = `query ($p: ID!, $filter: SessionRecordingFilter, $by: SessionRecordingOrder, $descending: Boolean, $first: Int, $offset: Int) {
  page: sessionRecordings(projectId: $p, filter: $filter, orderBy: $by, descending: $descending, first: $first, offset: $offset) {
    totalCount nodes { id } pageInfo { hasNextPage } } }`
const SOURCES =
  "query ($p: ID!, $id: ID!) { sources: sessionRecordingSnapshotSources(projectId: $p, id: $id) { blobKey startTimestamp endTimestamp } }"
const LINES =
  "query ($p: ID!, $id: ID!, $a: String!, $b: String!) { lines: sessionRecordingSnapshots(projectId: $p, id: $id, startBlobKey: $a, endBlobKey: $b) }"
const MARK =
  "mutation ($p: ID!, $id: ID!, $viewed: Boolean) { markSessionRecording(projectId: $p, id: $id, viewed: $viewed) { viewed viewers } }"
const DELETE = "mutation ($p: ID!, $id: ID!) { deleteSessionRecording(projectId: $p, id: $id) }"

const session = (id: string) => ({ properties: { $session_id: id } })
const idsOf = async (project: number, variables: object = {}): Promise<string[]> =>
  (await app.data(LIST, variables, { project })).page.nodes.map(({ id }) => id)

describe("one recording", () => {
  test("adds up its blocks and shows every field of the contract", async () => {
    await app.ingest([
      message(
        [meta(0, ` https://a.test/${"x".repeat(600)}`), click(1000), consoleCall(1500, "error", '"boom"'), key(2000)],
        {
          receivedAtMs: NOW_MS - 6 * MINUTE_MS,
        },
      ),
    ])
    await app.ingest([
      message([click(60_000), move(61_000), meta(100_500, "https://a.test/later")], {
        distinctId: "later",
        receivedAtMs: NOW_MS - 5 * MINUTE_MS - 1,
        uuid: "0198f0a0-0000-7000-8000-0000000000fe",
      }),
    ])
    const { one } = await app.data(ONE, { id: message([]).properties.$session_id })
    expect(one).toMatchObject({
      distinctId: "größe@b.test",
      viewed: false,
      viewers: [],
      recordingDuration: 100,
      activeSeconds: 2,
      inactiveSeconds: 98,
      clickCount: 2,
      keypressCount: 1,
      mouseActivityCount: 3,
      consoleLogCount: 0,
      consoleWarnCount: 0,
      consoleErrorCount: 1,
      storage: "object_storage",
      snapshotSource: "web",
      ongoing: false,
      activityScore: 5.77,
      person: { id: null, name: null, distinctIds: ["größe@b.test"], properties: {}, createdAt: null },
    })
    expect(one.startTime).toBe("2085-06-01T12:00:00.000Z")
    expect(one.endTime).toBe("2085-06-01T12:01:40.500Z")
    expect(one.startUrl).toHaveLength(512)
    expect(one.person.uuid).toMatch(/^[0-9a-f-]{36}$/)
  })

  test("is ongoing while data arrived within the last five minutes", async () => {
    await app.ingest([message([click(-5 * MINUTE_MS)], { ...session("live"), receivedAtMs: NOW_MS - 5 * MINUTE_MS })])
    expect((await app.data(ONE, { id: "live" })).one.ongoing).toBe(true)
    const blocks = createStoredBlocks(app.clickHouse)
    const ongoing = (sinceMs: number, batch = 1) => blocks.listOngoing(asProjectId(1), [batch, 1000], sinceMs)
    const live = { sessionId: "live", receivedAtMs: NOW_MS - 5 * MINUTE_MS }
    expect(await ongoing(NOW_MS - 5 * MINUTE_MS)).toEqual([live])
    expect(await ongoing(NOW_MS - 5 * MINUTE_MS + 1)).toEqual([])
    expect(await ongoing(NOW_MS - 5 * MINUTE_MS, 0)).toEqual([])
    const { items, missed } = await blocks.read(asProjectId(1), [0, 0], [1, 1000])
    expect(items).toContainEqual({ ...live, place: [1, expect.any(Number)] })
    expect(missed).toBe(0)
    expect((await blocks.read(asProjectId(1), [1, 1000], [9, 0])).items).toEqual([])
  })

  test("is found neither in another project, nor under an id that is none, nor without its scope", async () => {
    expect(await app.fault(ONE, { id: "live" }, { project: 2 })).toBe("not_found")
    expect(await app.fault(ONE, { id: "not-a-uuid" })).toBe("not_found")
    expect(await app.fault(ONE, { id: "'\u0000\\" })).toBe("not_found")
    expect(await app.fault(ONE, { id: "live" }, { scopes: ["person:read"] })).toBe("permission_denied")
  })

  test("names its stored person, with more ids than a list shows", async () => {
    await app.database.pool.query(
      `INSERT INTO person (project_id, id, properties, is_identified, created_at, version)
       VALUES (3, '0198f0a0-0000-7000-8000-00000000000a', '{"name":"Søren"}', true, '2025-01-01', 1)`,
    )
    await app.database.pool.query(
      `INSERT INTO person_distinct_id (project_id, distinct_id, person_id, version)
       SELECT 3, 'id ' || n, '0198f0a0-0000-7000-8000-00000000000a', n FROM generate_series(1, 12) AS n`,
    )
    await app.ingest([message([click(0)], { projectId: 3, distinctId: "id 2", ...session("known") })])
    const { one } = await app.data(ONE, { id: "known" }, { project: 3 })
    expect(one.person).toMatchObject({
      id: 0x0198f0a00000,
      name: "Søren",
      properties: { name: "Søren" },
      uuid: "0198f0a0-0000-7000-8000-00000000000a",
    })
    expect(one.person.distinctIds).toHaveLength(10)
    const list = "query ($p: ID!) { page: sessionRecordings(projectId: $p) { nodes { person { name distinctIds } } } }"
    expect((await app.data(list, {}, { project: 3 })).page.nodes).toEqual([
      { person: { name: "Søren", distinctIds: ["id 2"] } },
    ])
    const ofPerson = { filter: { personUuid: "0198F0A0-0000-7000-8000-00000000000A" } }
    expect(await idsOf(3, ofPerson)).toEqual(["known"])
    expect(await idsOf(3, { filter: { personUuid: "0198f0a0-0000-7000-8000-00000000000b" } })).toEqual([])
    expect(await app.fault(LIST, { filter: { personUuid: "nobody" } }, { project: 3 })).toBe("invalid_input")
  })

  test("is found by its id in capitals, which some clients write", async () => {
    const id = "0198f0a0-0000-7000-8000-00000000000c"
    const [capitals, own] = [{ id: id.toUpperCase() }, { project: 8 }]
    await app.ingest([message([click(0)], { projectId: 8, ...session(id) })])
    expect((await app.data(ONE, capitals, own)).one).toMatchObject({ id, viewed: false })
    await app.data(MARK, { ...capitals, viewed: true }, own)
    expect((await app.data(ONE, { id }, own)).one).toMatchObject({ viewed: true })
    expect(await idsOf(8, { filter: { sessionIds: [capitals.id, id] } })).toEqual([id])
    expect((await app.data(SOURCES, capitals, own)).sources).toHaveLength(1)
    expect((await app.data(LINES, { ...capitals, a: "0", b: "0" }, own)).lines).toHaveLength(1)
    await app.data(DELETE, capitals, own)
    expect(await app.fault(ONE, { id }, own)).toBe("not_found")
    expect(await app.fault(SOURCES, capitals, own)).toBe("gone")
  })

  test("that was stored in capitals by an older version is found, played and deleted by its id in either spelling", async () => {
    const id = "0198f0a0-0000-7000-8000-00000000000e"
    const capitals = id.toUpperCase()
    await app.ingest([message([click(0)], { projectId: 8, ...session(capitals) })])
    const own = { project: 8 }
    for (const asked of [id, capitals]) {
      expect((await app.data(ONE, { id: asked }, own)).one).toMatchObject({ id: capitals })
      expect((await app.data(SOURCES, { id: asked }, own)).sources).toHaveLength(1)
    }
    expect(await idsOf(8, { filter: { sessionIds: [id] } })).toEqual([capitals])
    await app.data(DELETE, { id }, own)
    expect(await app.fault(SOURCES, { id }, own)).toBe("gone")
    expect(await app.fault(SOURCES, { id: capitals }, own)).toBe("gone")
  })

  test("is viewed by those who say so, and by nobody who only reads it", async () => {
    expect(await app.data(MARK, { id: "live", viewed: true }, { user: BERT })).toEqual({
      markSessionRecording: { viewed: true, viewers: [] },
    })
    expect((await app.data(ONE, { id: "live" }, { user: ANNA })).one).toMatchObject({
      viewed: false,
      viewers: ["bert@b.test"],
    })
    expect(await app.fault(MARK, { id: "live" })).toBe("required")
    expect(await app.fault(MARK, { id: "unknown", viewed: true })).toBe("not_found")
    expect(await app.fault(MARK, { id: "live", viewed: true }, { project: 2 })).toBe("not_found")
  })
})

describe("a list of recordings", () => {
  beforeAll(async () => {
    const at = (id: string, offsetMs: number, clicks: number, distinctId = id) =>
      message(
        Array.from({ length: clicks }, (_, index) => click(offsetMs + index * 1000)),
        { projectId: 4, distinctId, receivedAtMs: NOW_MS + offsetMs, ...session(id) },
      )
    await app.ingest([at("newest", -MINUTE_MS, 1), at("busy", -DAY_MS, 9), at("two-days", -2 * DAY_MS, 3, "shared")])
    await app.ingest([at("four-days", -4 * DAY_MS, 2, "shared"), at("forty-days", -40 * DAY_MS, 2)])
    await app.ingest([
      message([consoleCall(-3000, "warn", "Low DISK")], { projectId: 4, ...session("noisy"), distinctId: "noisy" }),
    ])
  })

  test("shows the last three days, newest first", async () => {
    expect(await idsOf(4)).toEqual(["noisy", "newest", "busy", "two-days"])
  })

  test("goes back as far as it is asked to, but not beyond what the project keeps", async () => {
    const filter = { from: new Date(NOW_MS - 400 * DAY_MS) }
    expect(await idsOf(4, { filter })).toEqual(["noisy", "newest", "busy", "two-days", "four-days"])
    expect(await idsOf(4, { filter: { ...filter, to: new Date(NOW_MS - 2 * DAY_MS) } })).toEqual([
      "two-days",
      "four-days",
    ])
    app.settings.set(asProjectId(4), { session_recording_retention_days: 41 })
    expect(await idsOf(4, { filter })).toContain("forty-days")
    app.settings.delete(asProjectId(4))
    expect(await app.fault(ONE, { id: "forty-days" }, { project: 4 })).toBe("not_found")
  })

  test("of given sessions has no window, their order and nothing else", async () => {
    const sessionIds = ["four-days", "unknown", "newest", "four-days", "live"]
    expect(await idsOf(4, { filter: { sessionIds } })).toEqual(["four-days", "newest"])
    expect(await idsOf(4, { filter: { sessionIds: [] } })).toEqual([])
  })

  test("is ordered by any measure either way, and paged without overlap", async () => {
    expect(await idsOf(4, { by: "CLICK_COUNT" })).toEqual(["busy", "two-days", "newest", "noisy"])
    expect(await idsOf(4, { by: "START_TIME", descending: false })).toEqual(["two-days", "busy", "newest", "noisy"])
    for (const by of ["DURATION", "ACTIVE_SECONDS", "INACTIVE_SECONDS", "ACTIVITY_SCORE"])
      expect(await idsOf(4, { by })).toHaveLength(4)
    const first = await app.data(LIST, { first: 3 }, { project: 4 })
    expect(first.page).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } })
    const second = await app.data(LIST, { first: 3, offset: 3 }, { project: 4 })
    expect(second.page).toMatchObject({ totalCount: 4, nodes: [{ id: "two-days" }], pageInfo: { hasNextPage: false } })
    expect((await app.data(LIST, { first: 3, offset: 9 }, { project: 4 })).page).toMatchObject({
      totalCount: 4,
      nodes: [],
    })
  })

  test("is cut by ids, measures, lines of the console and events, all of them or any", async () => {
    await app.clickHouse.insert({
      table: "events",
      rows: [
        {
          project_id: 4,
          uuid: "0198f0a0-0000-7000-8000-0000000000aa",
          event: "paid",
          distinct_id: "busy",

          properties: {},
          timestamp: "2085-05-31 12:00:00",
          created_at: "2085-05-31 12:00:00",
          $session_id: "busy",
        },
      ],
    })
    const ids = (filter: object) => idsOf(4, { filter })
    expect(await ids({ distinctIds: ["shared", "busy"] })).toEqual(["busy", "two-days"])
    expect(await ids({ distinctIds: [] })).toEqual([])
    const manyClicks = { measure: "CLICK_COUNT", comparison: "GTE", value: 3 }
    expect(await ids({ having: [manyClicks] })).toEqual(["busy", "two-days"])
    expect(await ids({ having: [manyClicks, { measure: "DURATION", comparison: "LT", value: 8 }] })).toEqual([
      "two-days",
    ])
    expect(await ids({ consoleLevels: ["warn"], consoleSearch: "low disk" })).toEqual(["noisy"])
    expect(await ids({ consoleLevels: ["error"], consoleSearch: "low disk" })).toEqual([])
    expect(await ids({ events: ["paid"] })).toEqual(["busy"])
    expect(await ids({ events: ["paid"], consoleLevels: ["warn"] })).toEqual([])
    expect(await ids({ events: ["paid"], consoleLevels: ["warn"], matchAny: true })).toEqual(["noisy", "busy"])
  })

  test("asks the stores as often for many as for one", async () => {
    const list = `query ($p: ID!, $first: Int) { page: sessionRecordings(projectId: $p, first: $first) { nodes { ${FIELDS} } } }`
    const asked = async (first: number): Promise<number> => {
      const stores = [[app.database.pool, "query"] as const, [app.clickHouse, "rows"] as const]
      return countCalls(stores, async () => {
        const { page } = await app.data(list, { first }, { project: 4 })
        expect(page.nodes).toHaveLength(first)
      })
    }
    expect(await asked(4)).toBe(await asked(1))
  })

  test("takes any time and any null", async () => {
    const filter = { from: new Date(8.64e15), to: new Date(-8.64e15), sessionIds: null, personUuid: null, having: null }
    expect(await idsOf(4, { filter })).toEqual([])
  })
})

describe("the snapshots of a recording", () => {
  test("are stretches in the order of time with lines of window and item", async () => {
    const big = { type: 2, timestamp: NOW_MS + 2000, data: "\ud800\u0000\u001f'\\\n\"".padEnd(300_000, "ü") }
    await app.ingest([
      message([click(9000)], { projectId: 5, ...session("play"), uuid: "0198f0a0-0000-7000-8000-0000000000f2" }),
    ])
    await app.ingest([
      message([meta(0, "https://a.test/"), big, { ...big, timestamp: NOW_MS + 3000 }, key(4000)], {
        projectId: 5,
        properties: { $session_id: "play", $window_id: "w–2" },
      }),
    ])
    const { sources } = await app.data(SOURCES, { id: "play" }, { project: 5 })
    expect(sources.map(({ blobKey }) => blobKey)).toEqual(["0", "1", "2"])
    expect(Date.parse(String(sources[2]?.startTimestamp))).toBe(NOW_MS + 9000)
    const { lines } = await app.data(LINES, { id: "play", a: "0", b: "19" }, { project: 5 })
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      ["w–2", meta(0, "https://a.test/")],
      ["w–2", big],
      ["w–2", { ...big, timestamp: NOW_MS + 3000 }],
      ["w–2", key(4000)],
      ["w1", click(9000)],
    ])
    const last = await app.data(LINES, { id: "play", a: "2", b: "2" }, { project: 5 })
    expect(last.lines).toHaveLength(1)
    expect((await app.data(LINES, { id: "play", a: "7", b: "8" }, { project: 5 })).lines).toEqual([])
  })

  test("are refused for keys that are no numbers in order, for too many and for other projects", async () => {
    for (const [a, b] of [
      ["x", "1"],
      ["2", "1"],
      ["0", "20"],
      ["-1", "0"],
    ])
      expect(await app.fault(LINES, { id: "play", a, b }, { project: 5 })).toBe("invalid_input")
    expect(await app.fault(LINES, { id: "play", a: "0", b: "0" }, { project: 2 })).toBe("not_found")
    expect(await app.fault(SOURCES, { id: "play" }, { project: 2 })).toBe("not_found")
  })
})

describe("storing", () => {
  const numbers = async (project: number) => {
    const sql = `SELECT (SELECT count() FROM session_replay_events WHERE project_id = {p:Int64}) AS blocks,
      (SELECT count() FROM session_snapshots WHERE project_id = {p:Int64}) AS snapshots,
      (SELECT count() FROM log_entries WHERE project_id = {p:Int64}) AS logs`
    return (await app.clickHouse.rows({ sql, parameters: { p: project } }))[0]
  }

  test("the same batch twice doubles nothing", async () => {
    const messages = [message([click(0), consoleCall(1, "log", "a")], { projectId: 6, ...session("twice") })]
    await app.ingest(messages, "token")
    await app.ingest(messages, "token")
    expect(await numbers(6)).toEqual({ blocks: 1, snapshots: 1, logs: 1 })
  })

  test("keeps sessions of one batch apart by project and session", async () => {
    const items = [click(0)]
    await app.ingest([
      message(items, { projectId: 7, position: 1, ...session("a") }),
      message(items, { projectId: 7, position: 2, ...session("b") }),
      message(items, { projectId: 7, position: 3, ...session("a") }),
      message(items, { projectId: 8, position: 4, ...session("a") }),
    ])
    expect(await numbers(7)).toMatchObject({ blocks: 2 })
    expect((await app.data(ONE, { id: "a" }, { project: 7 })).one.clickCount).toBe(2)
  })

  test("tells what it drops and why, and which messages share a row", async () => {
    const { inserts, dropped, positionsByRow } = await app.recordings.snapshots.prepare(
      [
        message([], { position: 4 }),
        message([click(0)], { position: 6 }),
        message([click(9 * DAY_MS)], { position: 8 }),
        message([click(1)], { position: 9 }),
        message([click(1)], { position: 10, properties: { $session_id: null } }),
      ],
      1,
    )
    expect(dropped).toEqual([
      { position: 4, reason: "message_contained_no_valid_rrweb_events" },
      { position: 8, reason: "message_timestamp_diff_too_large" },
      { position: 10, reason: "message_with_invalid_session_id" },
    ])
    expect(inserts.map(({ table, rows }) => [table, rows.length])).toEqual([
      ["session_snapshots", 1],
      ["session_replay_events", 1],
    ])
    expect(positionsByRow).toEqual(new Map([[6, [6, 9]]]))
  })

  test("takes a message with more lines of the console than a call may have arguments", async () => {
    const lines = Array.from({ length: 150_000 }, (_, index) => consoleCall(index % 1000, "log", String(index)))
    const { inserts } = await app.recordings.snapshots.prepare([message(lines)], 1)
    const logs = inserts.filter(({ table }) => table === "log_entries")
    expect(logs.length).toBeGreaterThan(1)
    expect(logs.reduce((total, { rows }) => total + rows.length, 0)).toBe(150_000)
  })

  test("sets when rows end by what the project keeps", async () => {
    app.settings.set(asProjectId(9), { session_recording_retention_days: 2 })
    await app.ingest([message([click(0), consoleCall(1, "log", "a")], { projectId: 9, ...session("short") })])
    const sql = ["session_snapshots", "session_replay_events", "log_entries"]
      .map((table) => `SELECT toUnixTimestamp(expires_at) * 1000 AS ms FROM ${table} WHERE project_id = 9`)
      .join(" UNION ALL ")
    expect(await app.clickHouse.rows({ sql })).toEqual(Array(3).fill({ ms: NOW_MS + 2 * DAY_MS }))
  })
})

describe("deleting a recording", () => {
  test("removes its data, hides it at once and keeps out what still arrives", async () => {
    const mine = { projectId: 1, ...session("gone") }
    await app.ingest([message([click(0), consoleCall(1, "log", "secret")], mine)])
    await app.ingest([message([click(0), consoleCall(1, "log", "other")], { projectId: 2, ...session("gone") })])
    expect(await app.fault(DELETE, { id: "gone" }, { scopes: ["session_recording:read"] })).toBe("permission_denied")
    expect(await app.fault(DELETE, { id: "unknown" })).toBe("not_found")
    expect(await app.data(DELETE, { id: "gone" })).toEqual({ deleteSessionRecording: true })
    expect(await app.fault(ONE, { id: "gone" })).toBe("not_found")
    expect(await app.fault(SOURCES, { id: "gone" })).toBe("gone")
    expect(await app.fault(LINES, { id: "gone", a: "0", b: "0" })).toBe("gone")
    expect((await app.recordings.snapshots.prepare([message([click(5)], mine)], 1)).inserts).toEqual([])
    expect(await app.data(DELETE, { id: "gone" })).toEqual({ deleteSessionRecording: true })
    for (const [table, session] of [
      ["session_snapshots", "session_id"],
      ["session_replay_events", "session_id"],
      ["log_entries", "log_source_id"],
    ]) {
      // Waits for the deletions before it.
      await app.clickHouse.command({ sql: `ALTER TABLE ${table} DELETE WHERE 0`, settings: { mutations_sync: 1 } })
      const sql = `SELECT DISTINCT project_id FROM ${table} WHERE ${session} = 'gone'`
      expect([table, await app.clickHouse.rows({ sql })]).toEqual([table, [{ project_id: 2 }]])
    }
    expect((await app.data(ONE, { id: "gone" }, { project: 2 })).one.id).toBe("gone")
  })
})
