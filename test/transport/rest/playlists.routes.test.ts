import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { GOOD_KEY } from "../support/sample-context.js"
import { type RunningRest, startRest } from "../support/start-rest.js"

const LIST = "/api/environments/1/session_recording_playlists"
const ONE = `${LIST}/abcd1234`
const USER = { id: 1, uuid: "u", distinctId: "d", firstName: "", lastName: "", email: "a@a.test" }

let rest: RunningRest
beforeAll(async () => {
  rest = await startRest({
    data: () => ({
      count: 2,
      item: { id: 5, shortId: "abcd1234", filters: {}, createdBy: null, lastModifiedBy: null },
      page: {
        totalCount: 1,
        nodes: [
          { activity: "updated", changes: [{ field: "name" }], createdAt: "2024-02-29T12:00:00.000Z", user: USER },
        ],
      },
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
  return { status: response.status, allow: response.headers.get("allow"), body: text === "" ? null : JSON.parse(text) }
}
const variables = () => rest.executed.at(-1)?.variables as Record<string, unknown>

describe("playlists", () => {
  test("are changed by PUT as by PATCH, and by DELETE not at all", async () => {
    for (const method of ["PUT", "PATCH"]) {
      expect((await send(`${ONE}/`, method, { name: "n", type: "ignored" })).status).toBe(200)
      expect(variables()).toEqual({ projectId: "1", shortId: "abcd1234", input: { name: "n" } })
    }
    expect(await send(`${ONE}/`, "DELETE")).toEqual({ status: 405, allow: "GET, PATCH, PUT, HEAD", body: null })
  })

  test("may say what they have to be when they are made, and are listed by it", async () => {
    expect((await send(`${LIST}/`, "POST", { type: "filters", filters: { a: 1 } })).status).toBe(201)
    expect(variables()).toEqual({ projectId: "1", input: { type: "FILTERS", filters: { a: 1 } } })
    await send(`${LIST}/`, "POST", { type: null })
    expect(variables()).toEqual({ projectId: "1", input: { type: null } })
    await send(`${LIST}/?type=collection&order=-short_id`)
    expect(variables()).toMatchObject({ filter: { type: "COLLECTION" }, orderBy: "SHORT_ID", descending: true })
    const detail = "Must provide a valid playlist type: either filters or collection"
    for (const refused of [await send(`${LIST}/`, "POST", { type: "list" }), await send(`${LIST}/?type=list`)])
      expect(refused).toMatchObject({ status: 400, body: { type: "validation_error", detail, attr: null } })
  })

  test("show what became of them", async () => {
    const { body } = await send(`${ONE}/activity/?limit=1`)
    expect(body).toMatchObject({
      count: 1,
      results: [
        {
          activity: "updated",
          scope: "SessionRecordingPlaylist",
          item_id: "abcd1234",
          detail: { changes: [{ field: "name" }] },
          created_at: "2024-02-29T12:00:00.000Z",
          user: { email: "a@a.test" },
        },
      ],
    })
    expect(variables()).toEqual({ projectId: "1", shortId: "abcd1234", first: 1, offset: 0 })
  })

  test("take and give up several recordings at once, which are never one recording's id", async () => {
    for (const [path, count] of [
      ["bulk_add", "added_count"],
      ["bulk_delete", "deleted_count"],
    ]) {
      const { status, body } = await send(`${ONE}/recordings/${path}/`, "POST", {
        session_recording_ids: ["a", "b", "c"],
      })
      expect([status, body]).toEqual([200, { success: true, [String(count)]: 2, total_requested: 3 }])
      expect(variables()).toEqual({ projectId: "1", shortId: "abcd1234", sessionRecordingIds: ["a", "b", "c"] })
      expect((await send(`${ONE}/recordings/${path}/`, "POST", { session_recording_ids: {} })).status).toBe(400)
    }
    expect(await send(`${ONE}/playlist_viewed/`, "POST", {})).toMatchObject({ status: 200, body: { success: true } })
  })
})
