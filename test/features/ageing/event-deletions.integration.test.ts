import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { WantedEvents } from "../../../src/features/ageing/event-deletions/read-selection.js"
import type { BatchLog } from "../../../src/features/ingestion/batches/batch.types.js"
import { asUserId, type ProjectId } from "../../../src/kernel/ids.js"
import { firstRows } from "../../../src/kernel/paging.js"
import type { Principal } from "../../../src/kernel/request-context.js"
import { Crash, NOW_MS, nextUuid, sent } from "../ingestion/batches/journey.js"
import { readSessions } from "../sessions/recount.js"
import { type AgeingStores, createTestAgeing, journeyOfProject, startAgeingStores } from "./ageing-app.js"

let stores: AgeingStores
let caller: Principal
beforeAll(async () => {
  stores = await startAgeingStores()
  const { rows } = await stores.pool.query<{ id: number }>(
    `INSERT INTO app_user (uuid, distinct_id, email, created_at)
     VALUES (gen_random_uuid(), 'u', 'u@a.example', now()) RETURNING id`,
  )
  const userId = asUserId(rows[0]?.id ?? 0)
  caller = { userId, keyId: "", scopes: ["*"], projectIds: null, organizationIds: null, sessionId: null }
})
afterAll(() => stores.stop())

const request = (projectId: ProjectId, wanted: WantedEvents, isDryRun = false) =>
  createTestAgeing(stores).deletions.request(caller, projectId, wanted, isDryRun)

const readNames = async (projectId: number): Promise<string[]> => {
  const sql = "SELECT event FROM events WHERE project_id = {project:Int64} ORDER BY event, uuid"
  const rows = await stores.clickHouse.rows<{ event: string }>({ sql, parameters: { project: projectId } })
  return rows.map(({ event }) => event)
}

const property = (name: string, values?: string[]): WantedEvents => ({ properties: [{ name, values }] })

describe("a deletion of events", () => {
  test("counts first, and then deletes what it has counted, whole and audited", async () => {
    const journey = await journeyOfProject(stores)
    const other = await journeyOfProject(stores)
    for (const one of [journey, other]) {
      await one.append(sent("spam", "ada"), sent("spam", "bob"), sent("bought", "ada"))
      await one.work()
    }
    const wanted = { names: ["spam", "never seen"] }
    expect(await request(journey.projectId, wanted, true)).toEqual({ eventCount: 2, deletion: null })
    expect(await readNames(journey.projectId)).toHaveLength(3)
    const { deletion } = await request(journey.projectId, wanted)
    expect(deletion).toMatchObject({ eventCount: 2, remainingCount: 2, finishedAt: null, requestedById: caller.userId })

    const ageing = createTestAgeing(stores)
    await ageing.workAll()
    expect(await readNames(journey.projectId)).toEqual(["bought"])
    expect(await readNames(other.projectId)).toHaveLength(3)
    const { items } = await ageing.deletions.list(journey.projectId, firstRows(10))
    expect(items).toMatchObject([{ id: deletion?.id, remainingCount: 0, finishedAt: expect.any(Date) }])
    const { rows } = await stores.pool.query(
      "SELECT scope, activity, changes -> 'event_count' AS count FROM activity_log WHERE project_id = $1",
      [journey.projectId],
    )
    expect(rows).toEqual([{ scope: "EventDeletion", activity: "created", count: 2 }])
    const { rows: left } = await stores.clickHouse.query({ sql: "SELECT count() FROM person_deletion_ids" })
    expect(left.flat().map(Number)).toEqual([0])
  })

  test.each<[string, WantedEvents, string[]]>([
    ["a property of any value", property("plan"), ["c", "e"]],
    ["a property of one of some values", property("plan", ["team", "free"]), ["b", "c", "d", "e"]],
    ["a number or boolean written as text", property("plan", ["5", "true"]), ["a", "c", "e"]],
    ["time", { from: new Date(NOW_MS - 1000), before: new Date(NOW_MS) }, ["a", "b", "c", "d"]],
    ["all of these together", { names: ["a", "b"], ...property("plan", ["team"]) }, ["b", "c", "d", "e"]],
  ])("by %s leaves all others", async (_by, wanted, left) => {
    const journey = await journeyOfProject(stores)
    const of = (name: string, plan: string | number | boolean) => sent(name, "ada", { properties: { plan } })
    await journey.append(
      of("a", "team"),
      of("b", 5),
      sent("c", "ada", { properties: { other: "team" } }),
      of("d", true),
      sent("e", "ada", { timestamp: new Date(NOW_MS - 1).toISOString() }),
    )
    await journey.work()
    await request(journey.projectId, wanted)
    await createTestAgeing(stores).workAll()
    expect(await readNames(journey.projectId)).toEqual(left)
  })

  test("makes sessions anew, equal to a recount, and ends those that were of deleted events alone", async () => {
    const journey = await journeyOfProject(stores)
    const [mixed, own] = [1, 2].map((number) => `0199a000-0000-7000-8000-0000000000a${number}`)
    const view = (event: string, session: string | undefined) =>
      sent(event, "ada", { properties: { $session_id: session ?? "", $current_url: `https://a.example/${event}` } })
    await journey.append(view("$pageview", mixed), view("$screen", mixed), view("$screen", own))
    await journey.work()
    await request(journey.projectId, { names: ["$screen"] })
    await createTestAgeing(stores).workAll()
    const { rolledUp, recounted } = await readSessions(stores.clickHouse)
    expect(rolledUp).toEqual(recounted)
    expect(rolledUp.filter(([id]) => id === Number(journey.projectId)).map(([, id]) => id)).toEqual([mixed])
  })

  test("is not undone by a batch that dies after its inserts and is replayed", async () => {
    const journey = await journeyOfProject(stores)
    const session = "0199a000-0000-7000-8000-0000000000b1"
    await journey.append(sent("spam", "ada", { properties: { $session_id: session } }), sent("bought", "ada"))
    const dying = (log: BatchLog): BatchLog => ({
      ...log,
      transaction: (work) =>
        log.transaction((transaction) => work({ ...transaction, finish: () => Promise.reject(new Crash()) })),
    })
    await expect(journey.work({ wrap: dying })).rejects.toMatchObject({ cause: expect.any(Crash) })
    expect(await readNames(journey.projectId)).toEqual(["bought", "spam"])
    await request(journey.projectId, { names: ["spam"] })
    const ageing = createTestAgeing(stores)
    await ageing.work.work()
    expect(await readNames(journey.projectId)).toEqual(["bought"])
    const isUnfinished = "event_deletion WHERE project_id = $1 AND finished_at IS NULL"
    ageing.clock.advance(60_000)
    await ageing.work.work()
    expect(await journey.count(isUnfinished)).toBe(1)

    expect(await journey.work()).toEqual({ stored: 2, dropped: 0 })
    await ageing.workAll()
    expect(await journey.count(isUnfinished)).toBe(0)
    expect(await readNames(journey.projectId)).toEqual(["bought"])
    const { rolledUp, recounted } = await readSessions(stores.clickHouse)
    expect(rolledUp).toEqual(recounted)
  })

  test("keeps out what a client sends again, and lets in what comes later", async () => {
    const journey = await journeyOfProject(stores)
    const uuid = nextUuid()
    await journey.append(sent("spam", "ada", { uuid }))
    await journey.work()
    await request(journey.projectId, { names: ["spam"] })
    await createTestAgeing(stores).workAll()
    await journey.append(sent("spam", "ada", { uuid }))
    expect(await journey.work()).toEqual({ stored: 0, dropped: 1 })
    await journey.append(sent("spam", "ada"))
    await journey.work()
    expect(await readNames(journey.projectId)).toEqual(["spam"])
  })

  test.each<[WantedEvents, string, string]>([
    [{}, "required", "names"],
    [{ properties: [] }, "required", "names"],
    [{ names: [] }, "invalid_input", "names"],
    [{ names: Array(101).fill("a") }, "max_length", "names"],
    [{ before: new Date(8.64e15) }, "invalid_input", "before"],
    [property("plan", []), "invalid_input", "properties__0__values"],
  ])("of %j is refused with the field", async (wanted, code, attr) => {
    await expect(request(9 as ProjectId, wanted, true)).rejects.toMatchObject({ code, details: { attr } })
  })
})
