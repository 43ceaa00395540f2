import { describe, expect, test } from "@jest/globals"
import {
  createEventActorsService,
  type RunHogql,
} from "../../../../src/features/persons/actors/event-actors.service.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"

const PROJECT = asProjectId(1)
const PAGE = { limit: 2, offset: 0 }

describe("who did an event", () => {
  test("is asked for only once the whole condition has been read: nothing runs on beside a refusal", async () => {
    const asked: unknown[] = []
    const run: RunHogql = async (_projectId, query) => {
      asked.push(query)
      return []
    }
    const actors = createEventActorsService(run)
    for (const condition of [{ dateFrom: "x" }, { dateTo: "13.13.2026" }, { properties: 5 }])
      await expect(actors.page(PROJECT, condition, PAGE)).rejects.toMatchObject({ code: "invalid_input" })
    expect(asked).toEqual([])
  })

  test.each([
    ["2026-02-28", "2026-03-01"],
    ["2026-02-28T10:00:00Z", "2026-02-28T10:00:00Z"],
    ["-1d", "-1d"],
  ])("counts up to %s, a whole day where that is one", async (dateTo, end) => {
    const asked: JsonObject[] = []
    const run: RunHogql = async (_projectId, query) => {
      asked.push(query)
      return []
    }
    await createEventActorsService(run).export(PROJECT, { dateTo })
    expect(asked).toMatchObject([{ filters: { dateRange: { date_to: end } } }])
  })

  test("is counted beside the page", async () => {
    const run: RunHogql = async (_projectId, { query }) =>
      String(query).startsWith("SELECT count(DISTINCT") ? [[3]] : [["a", 2]]
    expect(await createEventActorsService(run).page(PROJECT, { event: "seen" }, PAGE)).toEqual({
      items: [{ projectId: PROJECT, personId: "a", eventCount: 2 }],
      totalCount: 3,
    })
  })
})
