import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { BERT, type RecordingsApp, startRecordingsApp } from "../../recordings/recordings-app.js"
import { click, message } from "../../recordings/replay/snapshots.js"

const HOUR_MS = 3_600_000
const MANY_TURNS = 20

let app: RecordingsApp
let sessions = 0
beforeAll(async () => {
  app = await startRecordingsApp()
  for (let index = 0; index < 3; index++) await record()
})
afterAll(() => app.stop())
// What one test has made is nobody's turn in the next.
beforeEach(async () => {
  await app.database.pool.query("UPDATE session_recording_playlist SET deleted = true")
})

async function record(projectId = 1): Promise<string> {
  const id = `session-${++sessions}`
  await app.ingest([message([click(0), click(2_000)], { projectId, properties: { $session_id: id } })])
  return id
}

const CREATE = `mutation ($p: ID!, $input: SessionRecordingPlaylistInput!) {
  playlist: createSessionRecordingPlaylist(projectId: $p, input: $input) { shortId } }`
const UPDATE = `mutation ($p: ID!, $s: String!, $input: SessionRecordingPlaylistInput!) {
  playlist: updateSessionRecordingPlaylist(projectId: $p, shortId: $s, input: $input) { shortId } }`
const COUNTS =
  "query ($p: ID!, $s: String!) { one: sessionRecordingPlaylist(projectId: $p, shortId: $s) { recordingsCounts } }"
const CLICKED = { duration: [{ type: "recording", key: "click_count", value: 1, operator: "gt" }], filter_group: null }
const NONE = { count: null, has_more: null, watched_count: null, increased: null, last_refreshed_at: null }

const create = async (filters: Json, project = 1): Promise<string> =>
  (await app.data(CREATE, { input: { name: "sökning", filters } }, { project })).playlist.shortId
const countsOf = async (s: string, asking: object = {}): Promise<JsonObject> =>
  (await app.data(COUNTS, { s }, asking)).one.recordingsCounts.saved_filters

/** Takes turns until nothing is due, and tells how many there were. */
async function countAll(): Promise<number> {
  for (let turns = 0; turns < MANY_TURNS; turns++) if (!(await app.matchCounter.countNext())) return turns
  throw new Error("there is always something due")
}

async function settle(): Promise<number> {
  app.clock.advance(10_000)
  return countAll()
}

describe("what saved filters find", () => {
  test("is counted once they have settled, in the background and never by who asks", async () => {
    const s = await create(CLICKED)
    expect(await countAll()).toBe(0)
    expect(await countsOf(s)).toEqual(NONE)
    expect(await settle()).toBe(1)
    const last_refreshed_at = new Date(app.clock.now()).toISOString()
    expect(await countsOf(s)).toEqual({
      count: 3,
      has_more: false,
      watched_count: 0,
      increased: false,
      last_refreshed_at,
    })
    await record()
    expect(await countsOf(s)).toMatchObject({ count: 3, last_refreshed_at })
  })

  test("is counted again after an hour, and tells whether there is more than there was", async () => {
    const s = await create(CLICKED)
    await settle()
    app.clock.advance(HOUR_MS - 1)
    expect(await countAll()).toBe(0)
    const before = await countsOf(s)
    await record()
    app.clock.advance(1)
    expect(await countAll()).toBe(1)
    expect(await countsOf(s)).toMatchObject({ count: Number(before.count) + 1, increased: true })
    app.clock.advance(HOUR_MS)
    await countAll()
    expect(await countsOf(s)).toMatchObject({ count: Number(before.count) + 1, increased: false })
  })

  test("is told each user with how much of it they have watched", async () => {
    const s = await create(CLICKED)
    await settle()
    await app.data('mutation ($p: ID!) { markSessionRecording(projectId: $p, id: "session-1", viewed: true) { id } }')
    expect(await countsOf(s)).toMatchObject({ watched_count: 1 })
    expect(await countsOf(s, { user: BERT })).toMatchObject({ watched_count: 0 })
  })

  test("is nothing of filters that were changed since, until those are counted", async () => {
    const s = await create(CLICKED)
    await settle()
    const nothing = { duration: [{ key: "click_count", value: 1000, operator: "gt" }], filter_group: null }
    app.clock.advance(1_000)
    await app.data(UPDATE, { s, input: { filters: nothing } })
    expect(await countsOf(s)).toEqual(NONE)
    expect(await settle()).toBe(1)
    expect(await countsOf(s)).toMatchObject({ count: 0, increased: false })
  })

  test("is none for collections, for what has recordings attached and for what no query says", async () => {
    const collection = await create({})
    const unsaid = await create({ filter_group: "all" })
    const refused = await create({ filter_group: { type: "AND", values: [{ type: "actions", id: 3 }] } })
    const attached = await create(CLICKED)
    await app.data(
      'mutation ($p: ID!, $s: String!) { attachSessionRecording(projectId: $p, shortId: $s, sessionRecordingId: "session-1") }',
      { s: attached },
    )
    expect(await settle()).toBe(2)
    for (const s of [collection, unsaid, refused, attached]) expect(await countsOf(s)).toEqual(NONE)
    expect(await countAll()).toBe(0)
  })

  test("is counted once recordings are detached and when a playlist comes back, not of what was emptied or deleted", async () => {
    const [held, emptied, deleted] = [await create(CLICKED), await create(CLICKED), await create(CLICKED)]
    const item = { s: held, id: "session-1" }
    const mutate = (name: string) =>
      app.data(
        `mutation ($p: ID!, $s: String!, $id: ID!) { ${name}(projectId: $p, shortId: $s, sessionRecordingId: $id) }`,
        item,
      )
    await mutate("attachSessionRecording")
    await app.data(UPDATE, { s: emptied, input: { filters: {} } })
    await app.data(UPDATE, { s: deleted, input: { deleted: true } })
    expect(await settle()).toBe(0)
    await mutate("detachSessionRecording")
    await app.data(UPDATE, { s: deleted, input: { deleted: false } })
    app.clock.advance(HOUR_MS)
    expect(await countAll()).toBe(2)
    expect(await countsOf(held)).toMatchObject({ count: expect.any(Number) })
    expect(await countsOf(deleted)).toMatchObject({ count: expect.any(Number) })
    expect(await countsOf(emptied)).toEqual(NONE)
  })

  test("is that of the playlist's own project", async () => {
    await record(2)
    const s = await create(CLICKED, 2)
    await settle()
    expect(await countsOf(s, { project: 2 })).toMatchObject({ count: 1 })
  })

  test("is counted by one of several processes, those that have waited longest first", async () => {
    const first = await create(CLICKED)
    app.clock.advance(1_000)
    const second = await create(CLICKED)
    app.clock.advance(10_000)
    expect(await app.matchCounter.countNext()).toBe(true)
    expect([await countsOf(first), await countsOf(second)]).toMatchObject([{ count: expect.any(Number) }, NONE])
    await Promise.all([app.matchCounter.countNext(), app.matchCounter.countNext()])
    expect(await countsOf(second)).toMatchObject({ count: expect.any(Number) })
    expect(await countAll()).toBe(0)
  })
})
