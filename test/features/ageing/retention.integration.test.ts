import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { createPluginLogStore } from "../../../src/features/plugins/plugin-logs.store.js"
import { createRecordingDeletions } from "../../../src/features/recordings/recording-deletions.store.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { DAY_MS } from "../../../src/kernel/retention-days.js"
import { NOW_MS, sent } from "../ingestion/batches/journey.js"
import { readSessions } from "../sessions/recount.js"
import { type AgeingStores, createTestAgeing, journeyOfProject, startAgeingStores } from "./ageing-app.js"

let stores: AgeingStores
beforeAll(async () => {
  stores = await startAgeingStores()
})
afterAll(() => stores.stop())

const daysAgo = (days: number): string => new Date(NOW_MS - days * DAY_MS).toISOString()
const [OLD, STRADDLING, YOUNG] = [1, 2, 3].map((number) => `0195a000-0000-7000-8000-00000000000${number}`)
const view = (days: number, session: string | undefined) =>
  sent("$pageview", "ada", {
    timestamp: daysAgo(days),
    properties: { $session_id: session ?? "", $current_url: `https://a.example/${days}` },
  })

async function readTimes(projectId: number): Promise<string[]> {
  const rows = await stores.clickHouse.rows<{ at: string }>({
    sql: "SELECT toString(toDate(timestamp)) AS at FROM events WHERE project_id = {project:Int64} ORDER BY timestamp",
    parameters: { project: projectId },
  })
  return rows.map(({ at }) => at)
}

describe("retention of events", () => {
  test("deletes what is older, month after month, with sessions that equal a recount", async () => {
    const journey = await journeyOfProject(stores, { event_retention_days: 30 })
    const other = await journeyOfProject(stores)
    for (const one of [journey, other]) {
      await one.append(view(400, OLD), view(95, OLD), view(31.5, STRADDLING), view(29, STRADDLING), view(1, YOUNG))
      await one.work()
    }
    const ageing = createTestAgeing(stores)
    await ageing.workAll()
    expect(await readTimes(journey.projectId)).toEqual([daysAgo(29).slice(0, 10), daysAgo(1).slice(0, 10)])
    expect(await readTimes(other.projectId)).toHaveLength(5)
    const { rolledUp, recounted } = await readSessions(stores.clickHouse)
    expect(rolledUp).toEqual(recounted)
    expect(rolledUp.filter(([id]) => id === Number(journey.projectId)).map(([, id]) => id)).toEqual([STRADDLING, YOUNG])
    const { rows } = await stores.pool.query(
      `SELECT selection ->> 'before' AS before, event_count::int AS count, remaining_count::int AS remaining
         FROM event_deletion WHERE reason = 'retention' AND project_id = $1 ORDER BY id`,
      [journey.projectId],
    )
    expect(rows).toEqual([
      { before: "2024-05-01T00:00:00.000Z", count: 1, remaining: 0 },
      { before: "2025-03-01T00:00:00.000Z", count: 1, remaining: 0 },
      { before: "2025-05-02T00:00:00.000Z", count: 1, remaining: 0 },
    ])
  })

  test("keeps everything of a project for ever that says nothing, or 0", async () => {
    const journey = await journeyOfProject(stores, { event_retention_days: 0 })
    await journey.append(view(4000, OLD))
    await journey.work()
    await createTestAgeing(stores).workAll()
    expect(await readTimes(journey.projectId)).toHaveLength(1)
  })
})

describe("retention of recordings and logs", () => {
  test("removes sessions of which nothing has come since, whole, and keeps those that go on", async () => {
    const project = asProjectId(7001)
    const block = (session: string, days: number) => ({
      project_id: project,
      session_id: session,
      first_timestamp: daysAgo(days).replace("Z", ""),
      last_timestamp: daysAgo(days).replace("Z", ""),
      inserted_at: daysAgo(days).replace("Z", ""),
    })
    await stores.clickHouse.insert({
      table: "session_replay_events",
      rows: [block("over", 12), block("over", 11), block("goes on", 12), block("goes on", 9)],
    })
    const snapshots = ["over", "goes on"].map((session_id) => ({
      ...block(session_id, 12),
      lines: "[]",
      expires_at: "2100-01-01 00:00:00",
    }))
    await stores.clickHouse.insert({
      table: "session_snapshots",
      rows: snapshots.map(({ inserted_at: _, ...row }) => row),
    })
    const { removeSilent } = createRecordingDeletions(stores.clickHouse)
    expect(await removeSilent(project, NOW_MS - 10 * DAY_MS)).toBe(true)
    const sql = `SELECT session_id, 'counters' AS what, count() AS n FROM session_replay_events GROUP BY 1
      UNION ALL SELECT session_id, 'snapshots' AS what, count() AS n FROM session_snapshots GROUP BY 1`
    expect(await stores.clickHouse.rows({ sql: `SELECT * FROM (${sql}) ORDER BY what` })).toEqual([
      { session_id: "goes on", what: "counters", n: 2 },
      { session_id: "goes on", what: "snapshots", n: 1 },
    ])
  })

  test("removes logs of plugins by the days of each project, and by 90 where nothing is said", async () => {
    const [brief, forEver] = [
      await journeyOfProject(stores, { plugin_log_retention_days: 3 }),
      await journeyOfProject(stores, { plugin_log_retention_days: 0 }),
    ]
    const usual = await journeyOfProject(stores)
    const projects = [brief, forEver, usual].map(({ projectId }) => projectId)
    await stores.clickHouse.insert({
      table: "plugin_log_entries",
      rows: projects.flatMap((project_id) =>
        [1, 5, 89, 91, 500].map((days) => ({
          project_id,
          message: String(days),
          inserted_at: daysAgo(days).slice(0, 19).replace("T", " "),
        })),
      ),
    })
    const logs = createPluginLogStore(stores.clickHouse)
    await createTestAgeing(stores, { removePluginLogsBefore: logs.removeBefore }).workAll()
    const kept = await stores.clickHouse.rows<{ project: number; days: string[] }>({
      sql: `SELECT toInt64(project_id) AS project, arraySort(x -> toInt64(x), groupArray(message)) AS days
              FROM plugin_log_entries GROUP BY project_id ORDER BY project_id`,
    })
    expect(kept).toEqual([
      { project: brief.projectId, days: ["1"] },
      { project: forEver.projectId, days: ["1", "5", "89", "91", "500"] },
      { project: usual.projectId, days: ["1", "5", "89"] },
    ])
  })
})
