import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json } from "../../../src/kernel/json.js"
import { countCalls } from "../../support/count-calls.js"
import {
  ANNA,
  BERT,
  type RecordingsAnswer,
  type RecordingsApp,
  startRecordingsApp,
} from "../recordings/recordings-app.js"

const ITEM = "id shortId name derivedName description pinned deleted filters type createdAt lastModifiedAt"
const CREATE = `mutation ($p: ID!, $input: SessionRecordingPlaylistInput!) {
  one: createSessionRecordingPlaylist(projectId: $p, input: $input) { ${ITEM} createdBy { email } lastModifiedBy { email } } }`
const UPDATE = `mutation ($p: ID!, $s: String!, $input: SessionRecordingPlaylistInput!) {
  one: updateSessionRecordingPlaylist(projectId: $p, shortId: $s, input: $input) { ${ITEM} lastModifiedBy { email } } }`
const GET = `query ($p: ID!, $s: String!) { one: sessionRecordingPlaylist(projectId: $p, shortId: $s) { ${ITEM} } }`
const LIST = `query ($p: ID!, $filter: SessionRecordingPlaylistFilter, $by: SessionRecordingPlaylistOrder, $descending: Boolean) {
  page: sessionRecordingPlaylists(projectId: $p, filter: $filter, orderBy: $by, descending: $descending, first: 100) {
    totalCount nodes { name } } }`
const ACTIVITY = `query ($p: ID!, $s: String!, $first: Int) {
  page: sessionRecordingPlaylistActivity(projectId: $p, shortId: $s, first: $first) {
    totalCount nodes { id activity changes createdAt user { email } } pageInfo { hasNextPage } } }`

let app: RecordingsApp
beforeAll(async () => {
  app = await startRecordingsApp()
})
afterAll(() => app.stop())

type Made = RecordingsAnswer["one"]
const create = async (input: object, project = 1): Promise<Made> => (await app.data(CREATE, { input }, { project })).one
const update = async (s: string, input: object, user = ANNA): Promise<Made> => {
  app.clock.advance(1000)
  return (await app.data(UPDATE, { s, input }, { user })).one
}
const namesOf = async (project: number, variables: object = {}): Promise<string[]> =>
  (await app.data(LIST, variables, { project })).page.nodes.map(({ name }) => name)

describe("a playlist", () => {
  test("is made of nothing, with all defaults", async () => {
    expect(await create({})).toMatchObject({
      name: null,
      derivedName: null,
      description: "",
      pinned: false,
      deleted: false,
      filters: {},
      type: "COLLECTION",
      createdBy: { email: "anna@a.test" },
      lastModifiedBy: { email: "anna@a.test" },
      shortId: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
    })
  })

  test("has another time and author of change only when name, description or filters were written", async () => {
    const { shortId, lastModifiedAt } = await create({ name: "n" })
    for (const input of [{ pinned: true }, { derivedName: "d" }, { deleted: true }, { deleted: false }, {}])
      expect(await update(shortId, input, BERT)).toMatchObject({
        lastModifiedAt,
        lastModifiedBy: { email: "anna@a.test" },
      })
    for (const input of [{ name: null }, { description: "d" }, { filters: { a: 1 } }]) {
      const changed = await update(shortId, input, BERT)
      expect(changed.lastModifiedBy).toEqual({ email: "bert@b.test" })
      expect(changed.lastModifiedAt > lastModifiedAt).toBe(true)
    }
  })

  test("is not found while it is deleted, and can be restored", async () => {
    const { shortId: s } = await create({ name: "gone" }, 2)
    const ask = { project: 2 }
    await app.data(UPDATE, { s, input: { deleted: true } }, ask)
    expect(await app.fault(GET, { s }, ask)).toBe("not_found")
    expect(await namesOf(2)).toEqual([])
    expect((await app.data(UPDATE, { s, input: { deleted: false } }, ask)).one.deleted).toBe(false)
    expect(await namesOf(2)).toEqual(["gone"])
    expect(await app.fault(UPDATE, { s, input: { deleted: true } }, { project: 3 })).toBe("not_found")
  })

  test("has a name of at most 400 characters, however many bytes they take", async () => {
    const name = "☕😀".repeat(200)
    expect((await create({ name, derivedName: name })).name).toBe(name)
    expect((await create({ name: "" })).name).toBe("")
    for (const input of [{ name: `${name}x` }, { derivedName: `${name}x` }])
      expect(await app.fault(CREATE, { input })).toBe("max_length")
  })

  test("is what its filters make it, whatever they are, and must fit the type that was named", async () => {
    const made: [Json, string][] = [
      [{ events: [] }, "FILTERS"],
      [[1], "FILTERS"],
      ["text", "FILTERS"],
      [0, "FILTERS"],
      [{}, "COLLECTION"],
      [[], "COLLECTION"],
      ["", "COLLECTION"],
      [null, "COLLECTION"],
    ]
    for (const [filters, type] of made)
      expect(await create({ name: JSON.stringify(filters), filters }, 4)).toMatchObject({ filters, type })
    const names = (wanted: string) =>
      made.filter(([, type]) => type === wanted).map(([filters]) => JSON.stringify(filters))
    for (const type of ["FILTERS", "COLLECTION"])
      expect((await namesOf(4, { filter: { type } })).toSorted()).toEqual(names(type).toSorted())
    expect(await create({ type: "FILTERS", filters: { a: 1 } })).toMatchObject({ type: "FILTERS" })
    expect(await create({ type: "COLLECTION" })).toMatchObject({ type: "COLLECTION" })
    expect(await app.fault(CREATE, { input: { type: "FILTERS" } })).toBe("invalid_input")
    expect(await app.fault(CREATE, { input: { type: "COLLECTION", filters: { a: 1 } } })).toBe("invalid_input")
  })

  test("stands in a list in the order that is asked for, the newest change first otherwise", async () => {
    for (const name of ["b", "c", "a"]) {
      app.clock.advance(1000)
      await create({ name, description: name === "b" ? "z" : name, pinned: name === "a" }, 5)
    }
    expect(await namesOf(5)).toEqual(["a", "c", "b"])
    expect(await namesOf(5, { by: "NAME" })).toEqual(["a", "b", "c"])
    expect(await namesOf(5, { by: "NAME", descending: true })).toEqual(["c", "b", "a"])
    expect(await namesOf(5, { by: "DESCRIPTION" })).toEqual(["a", "c", "b"])
    expect(await namesOf(5, { by: "ID" })).toEqual(["b", "c", "a"])
    for (const by of ["SHORT_ID", "CREATED_BY", "LAST_MODIFIED_BY", "CREATED_AT", "PINNED", "DERIVED_NAME"])
      expect((await namesOf(5, { by })).toSorted()).toEqual(["a", "b", "c"])
  })
})

test("a page of playlists asks the store as often for many as for one", async () => {
  for (const name of ["a", "b", "c"]) await create({ name }, 6)
  const list = `query ($p: ID!, $first: Int) { page: sessionRecordingPlaylists(projectId: $p, first: $first) {
    nodes { name recordingsCounts createdBy { email } } } }`
  const asked = (first: number): Promise<number> =>
    countCalls([[app.database.pool, "query"]], async () => {
      expect((await app.data(list, { first }, { project: 6 })).page.nodes).toHaveLength(first)
    })
  expect(await asked(3)).toBe(await asked(1))
})

describe("the audit log of a playlist", () => {
  test("tells who made and changed it, with what it was before and is now", async () => {
    const { shortId: s } = await create({ name: "first", filters: { a: 1 } })
    await update(s, { name: "second", pinned: true, filters: { a: 1 } }, BERT)
    await update(s, { deleted: true })
    const { page } = await app.data(ACTIVITY, { s })
    expect(page.nodes).toMatchObject([
      {
        activity: "updated",
        changes: [{ field: "deleted", action: "changed", before: false, after: true }],
        user: { email: "anna@a.test" },
      },
      {
        activity: "updated",
        changes: [
          { field: "name", action: "changed", before: "first", after: "second" },
          { field: "pinned", action: "changed", before: false, after: true },
        ],
        user: { email: "bert@b.test" },
      },
      { activity: "created", changes: [], user: { email: "anna@a.test" } },
    ])
    expect((await app.data(ACTIVITY, { s, first: 1 })).page).toMatchObject({
      totalCount: 3,
      pageInfo: { hasNextPage: true },
    })
  })

  test("has nothing of a playlist without a name, nor of a change that changes nothing", async () => {
    const { shortId: s } = await create({ description: "unnamed" })
    await update(s, { pinned: true })
    expect((await app.data(ACTIVITY, { s })).page.totalCount).toBe(0)
    await update(s, { derivedName: "Sessions of today" })
    await update(s, { derivedName: "Sessions of today", pinned: true })
    expect((await app.data(ACTIVITY, { s })).page.nodes).toMatchObject([{ changes: [{ field: "derived_name" }] }])
  })

  test("is not shown without the scope, nor to another project", async () => {
    const { shortId: s } = await create({ name: "mine" })
    expect(await app.fault(ACTIVITY, { s }, { scopes: ["session_recording:read"] })).toBe("permission_denied")
    expect(await app.fault(ACTIVITY, { s }, { project: 2 })).toBe("not_found")
  })
})

describe("several recordings of a playlist at once", () => {
  const change = (name: string) =>
    `mutation ($p: ID!, $s: String!, $ids: [ID!]!) { count: ${name}(projectId: $p, shortId: $s, sessionRecordingIds: $ids) }`
  const [ATTACH, DETACH] = [change("attachSessionRecordings"), change("detachSessionRecordings")]

  test("are attached and detached, and only what was changed is counted", async () => {
    const { shortId: s } = await create({ name: "several" })
    expect(await app.data(ATTACH, { s, ids: ["a", "b", "a"] })).toEqual({ count: 2 })
    expect(await app.data(ATTACH, { s, ids: ["b", "c"] })).toEqual({ count: 1 })
    expect(await app.data(DETACH, { s, ids: ["a", "nobody"] })).toEqual({ count: 1 })
    for (const ids of [[], Array.from({ length: 21 }, String)])
      for (const operation of [ATTACH, DETACH]) expect(await app.fault(operation, { s, ids })).toBe("invalid_input")
    expect(await app.fault(ATTACH, { s, ids: ["x".repeat(201)] })).toBe("max_length")
    expect(await app.fault(ATTACH, { s, ids: ["a"] }, { project: 2 })).toBe("not_found")
    expect(await app.fault(ATTACH, { s, ids: ["a"] }, { scopes: ["session_recording_playlist:read"] })).toBe(
      "permission_denied",
    )
  })
})
