import { describe, expect, test } from "@jest/globals"
import {
  createEventActorsService,
  type RunHogql,
} from "../../../../src/features/persons/actors/event-actors.service.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { firstRows } from "../../../../src/kernel/paging.js"

const PROJECT = asProjectId(1)
const PAGE = firstRows(2)

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

  test("is counted when that is asked for", async () => {
    const asked: unknown[] = []
    const run: RunHogql = async (_projectId, { query }) => {
      asked.push(query)
      return String(query).startsWith("SELECT count(DISTINCT") ? [[3]] : [["a", 2]]
    }
    const page = await createEventActorsService(run).page(PROJECT, { event: "seen" }, PAGE)
    expect(page.items).toEqual([{ projectId: PROJECT, personId: "a", eventCount: 2 }])
    expect(asked).toHaveLength(1)
    expect(await page.countAll()).toBe(3)
  })
})
