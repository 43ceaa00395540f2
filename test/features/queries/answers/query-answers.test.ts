import { describe, expect, test } from "@jest/globals"
import { answerBody, statusBody, toPercentage } from "../../../../src/features/queries/answers/query-answers.js"
import type { QueryRun } from "../../../../src/features/queries/runs/query-run.js"
import { asProjectId } from "../../../../src/kernel/ids.js"

const AT_MS = Date.UTC(2026, 0, 15, 12)
const resolved = {
  cacheKey: "cache_1",
  generation: 0,
  settings: { timezone: "UTC", weekStartDay: 0 },
  query: { kind: "TrendsQuery" },
  rangeEndMs: null,
}
const fresh = { isCached: false, isStale: false }
const result = (lagMs: number) => ({ answer: { results: [] }, calculatedAtMs: AT_MS, dataThroughMs: AT_MS - lagMs })

describe("an answer", () => {
  test("says until when accepted events are in it", () => {
    expect(answerBody(result(1_500), resolved, fresh)).toMatchObject({
      data_through: "2026-01-15T11:59:58.500Z",
      last_refresh: "2026-01-15T12:00:00.000Z",
      next_allowed_client_refresh: "2026-01-15T12:01:00.000Z",
      is_stale: false,
    })
  })

  test("is stale when it is too old or was made while ingestion was behind, but never when its dates were over", () => {
    expect(answerBody(result(0), resolved, { ...fresh, isStale: true }).is_stale).toBe(true)
    expect(answerBody(result(5_001), resolved, fresh).is_stale).toBe(true)
    expect(answerBody(result(5_000), resolved, fresh).is_stale).toBe(false)
    expect(answerBody(result(5_001), { ...resolved, rangeEndMs: AT_MS - 60_000 }, fresh).is_stale).toBe(false)
  })
})

describe("the status of a run", () => {
  const progress = { rowsRead: 250, bytesRead: 2000, estimatedRowsTotal: 1000, elapsedMs: 12.6 }
  const run: QueryRun = {
    projectId: asProjectId(7),
    id: "r",
    state: "running",
    request: { query: { kind: "HogQLQuery" }, clientQueryId: "r", refresh: "async" },
    cacheKey: "cache_1",
    engineQueryId: "e",
    errorMessage: null,
    error: null,
    answer: null,
    progress,
    sequence: 3,
    queuedAt: new Date(AT_MS),
    pickedUpAt: new Date(AT_MS + 1),
    endedAt: null,
    expiresAt: new Date(AT_MS + 2),
  }

  test("has every field of the contract", () => {
    expect(statusBody(run)).toEqual({
      id: "r",
      team_id: 7,
      query_async: true,
      complete: false,
      error: false,
      error_message: null,
      error_code: null,
      error_position: null,
      results: null,
      start_time: "2026-01-15T12:00:00.000Z",
      pickup_time: "2026-01-15T12:00:00.001Z",
      end_time: null,
      expiration_time: "2026-01-15T12:00:00.002Z",
      query_progress: null,
      insight_id: null,
      dashboard_id: null,
      task_id: null,
      labels: null,
    })
  })

  test("tells progress when it is asked for, in whole numbers and per cent", () => {
    expect(statusBody(run, { showsProgress: true }).query_progress).toEqual({
      rows_read: 250,
      bytes_read: 2000,
      estimated_rows_total: 1000,
      time_elapsed: 13,
      active_cpu_time: 0,
      percentage: 25,
    })
    expect(toPercentage({ ...progress, rowsRead: 5000 })).toBe(100)
    expect(toPercentage({ ...progress, estimatedRowsTotal: 0 })).toBeNull()
  })

  test.each([
    ["complete", true, false],
    ["failed", true, true],
    ["cancelled", true, true],
    ["queued", false, false],
  ] as const)("%s is complete %p and faulty %p", (state, complete, error) => {
    expect(statusBody({ ...run, state })).toMatchObject({ complete, error })
  })
})
