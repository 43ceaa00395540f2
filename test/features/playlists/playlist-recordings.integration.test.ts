import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { BERT, type RecordingsApp, startRecordingsApp } from "../recordings/recordings-app.js"
import { click, message, NOW_MS } from "../recordings/replay/snapshots.js"

let app: RecordingsApp
beforeAll(async () => {
  app = await startRecordingsApp()
  for (const id of ["s1", "s2", "s3"])
    await app.ingest([
      message([click(-10 * 86_400_000)], { properties: { $session_id: id }, receivedAtMs: NOW_MS - 10 * 86_400_000 }),
    ])
})
afterAll(() => app.stop())

const CREATE = `mutation ($p: ID!) { playlist: createSessionRecordingPlaylist(projectId: $p, input: { name: "größe" }) { shortId } }`
const LIST = `query ($p: ID!, $s: String!, $first: Int, $offset: Int) {
  page: sessionRecordingPlaylistRecordings(projectId: $p, shortId: $s, first: $first, offset: $offset) {
    totalCount nodes { id person { distinctIds } } pageInfo { hasNextPage } } }`
const ATTACH =
  "mutation ($p: ID!, $s: String!, $id: ID!) { done: attachSessionRecording(projectId: $p, shortId: $s, sessionRecordingId: $id) }"
const DETACH =
  "mutation ($p: ID!, $s: String!, $id: ID!) { done: detachSessionRecording(projectId: $p, shortId: $s, sessionRecordingId: $id) }"
const COUNTS =
  "query ($p: ID!, $s: String!) { one: sessionRecordingPlaylist(projectId: $p, shortId: $s) { recordingsCounts } }"

const newPlaylist = async (): Promise<string> => (await app.data(CREATE)).playlist.shortId
const idsOf = async (s: string, some: object = {}): Promise<string[]> =>
  (await app.data(LIST, { s, ...some })).page.nodes.map(({ id }) => id)

describe("the recordings of a playlist", () => {
  test("are the attached ones, newest attachment first, whenever they started", async () => {
    const s = await newPlaylist()
    for (const id of ["s2", "never recorded", "s1", "s3"]) {
      app.clock.advance(1000)
      expect(await app.data(ATTACH, { s, id })).toEqual({ done: true })
    }
    expect(await idsOf(s)).toEqual(["s3", "s1", "s2"])
    expect((await app.data(LIST, { s, first: 2 })).page).toMatchObject({
      totalCount: 3,
      pageInfo: { hasNextPage: true },
    })
    expect(await idsOf(s, { first: 2, offset: 2 })).toEqual(["s2"])
  })

  test("are attached once however often, and detached without fault when they are not attached", async () => {
    const s = await newPlaylist()
    for (const id of ["s1", "s2", "s1"]) {
      app.clock.advance(1000)
      await app.data(ATTACH, { s, id })
    }
    expect(await idsOf(s)).toEqual(["s2", "s1"])
    for (const id of ["s1", "s1", "never attached"]) expect(await app.data(DETACH, { s, id })).toEqual({ done: true })
    expect(await idsOf(s)).toEqual(["s2"])
  })

  test("are the same whether their ids are written in capitals or not", async () => {
    const s = await newPlaylist()
    const id = "0198f0a0-0000-7000-8000-00000000000d"
    await app.ingest([message([click(0)], { properties: { $session_id: id } })])
    await app.data(ATTACH, { s, id: id.toUpperCase() })
    await app.data(ATTACH, { s, id })
    expect((await app.data(COUNTS, { s })).one.recordingsCounts.collection.count).toBe(1)
    await app.data(DETACH, { s, id: id.toUpperCase() })
    expect((await app.data(COUNTS, { s })).one.recordingsCounts.collection.count).toBe(null)
  })

  test("are found by their ids in either spelling where an older version stored them in capitals", async () => {
    const s = await newPlaylist()
    const id = "0198f0a0-0000-7000-8000-00000000000e"
    await app.ingest([message([click(0)], { properties: { $session_id: id.toUpperCase() } })])
    await app.data(ATTACH, { s, id })
    expect(await idsOf(s)).toEqual([id.toUpperCase()])
    expect((await app.data(COUNTS, { s })).one.recordingsCounts.collection.count).toBe(1)
    await app.data(DETACH, { s, id: id.toUpperCase() })
    expect(await idsOf(s)).toEqual([])
  })

  test("are counted as they are listed, with those that the asking user has watched", async () => {
    const s = await newPlaylist()
    const countsOf = async (asking = {}) => (await app.data(COUNTS, { s }, asking)).one.recordingsCounts.collection
    expect(await countsOf()).toEqual({ count: null, watched_count: 0 })
    for (const id of ["s1", "s2", "never recorded"]) await app.data(ATTACH, { s, id })
    await app.data(`mutation ($p: ID!) { markSessionRecording(projectId: $p, id: "s1", viewed: true) { id } }`)
    expect(await countsOf()).toEqual({ count: 2, watched_count: 1 })
    expect(await countsOf({ user: BERT })).toEqual({ count: 2, watched_count: 0 })
  })

  test("belong to a playlist of the project that is not deleted", async () => {
    const s = await newPlaylist()
    for (const operation of [LIST, ATTACH, DETACH]) {
      const variables = operation === LIST ? {} : { id: "s1" }
      expect(await app.fault(operation, { s: "nope1234", ...variables })).toBe("not_found")
      expect(await app.fault(operation, { s, ...variables }, { project: 2 })).toBe("not_found")
    }
    await app.data(
      `mutation ($p: ID!, $s: String!) { updateSessionRecordingPlaylist(projectId: $p, shortId: $s, input: { deleted: true }) { id } }`,
      { s },
    )
    expect(await app.fault(LIST, { s })).toBe("not_found")
    expect(await app.fault(ATTACH, { s, id: "s1" })).toBe("not_found")
  })

  test("need the scopes of playlists, writing for a change", async () => {
    const s = await newPlaylist()
    const reading = { scopes: ["session_recording_playlist:read"] }
    expect(await app.data(LIST, { s }, reading)).toMatchObject({ page: { totalCount: 0 } })
    expect(await app.fault(ATTACH, { s, id: "s1" }, reading)).toBe("permission_denied")
    expect(await app.fault(DETACH, { s, id: "s1" }, reading)).toBe("permission_denied")
    expect(await app.fault(LIST, { s }, { scopes: ["session_recording:read"] })).toBe("permission_denied")
  })

  test("cannot have ids longer than any SDK makes", async () => {
    const s = await newPlaylist()
    expect(await app.fault(ATTACH, { s, id: "x".repeat(201) })).toBe("max_length")
    expect(await app.data(ATTACH, { s, id: "\u0000\ud800" })).toEqual({ done: true })
  })
})

const MATCHES = `query ($p: ID!, $s: String!, $first: Int) {
  page: sessionRecordingPlaylistMatches(projectId: $p, shortId: $s, first: $first) {
    totalCount nodes { id } pageInfo { hasNextPage } } }`
const SAVE =
  "mutation ($p: ID!, $filters: JSON) { playlist: createSessionRecordingPlaylist(projectId: $p, input: { filters: $filters }) { shortId } }"

const savePlaylist = async (filters: object): Promise<string> => (await app.data(SAVE, { filters })).playlist.shortId

describe("the recordings that saved filters find", () => {
  test("are those of a list with these filters, page by page", async () => {
    const s = await savePlaylist({ date_from: "-30d", session_ids: [], properties: [] })
    const { page } = await app.data(MATCHES, { s, first: 2 })
    expect(page.totalCount).toBeGreaterThanOrEqual(3)
    expect(page).toMatchObject({ nodes: [{}, {}], pageInfo: { hasNextPage: true } })
    const none = await savePlaylist({ date_from: "-30d", distinct_ids: ["nobody"] })
    expect((await app.data(MATCHES, { s: none })).page.nodes).toEqual([])
  })

  test("are none for a collection, and a fault for filters that no list has", async () => {
    const collection = await newPlaylist()
    await app.data(ATTACH, { s: collection, id: "s1" })
    expect((await app.data(MATCHES, { s: collection })).page.totalCount).toBe(0)
    const event = { type: "events", id: "paid" }
    const s = await savePlaylist({ filter_group: { type: "OR", values: [event] }, duration: [{ key: "duration" }] })
    expect(await app.fault(MATCHES, { s })).toBe("invalid_input")
  })

  test("need the scope of recordings", async () => {
    const s = await savePlaylist({ date_from: "-30d" })
    expect(await app.fault(MATCHES, { s }, { scopes: ["session_recording_playlist:read"] })).toBe("permission_denied")
    expect(await app.data(MATCHES, { s }, { scopes: ["session_recording:read"] })).toHaveProperty("page")
  })
})
