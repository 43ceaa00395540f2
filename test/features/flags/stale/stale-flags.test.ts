import { describe, expect, test } from "@jest/globals"
import type { Flag } from "../../../../src/features/flags/flags.types.js"
import { createStaleFlags } from "../../../../src/features/flags/stale/stale-flags.service.js"
import { sameValueForEverybody } from "../../../../src/flag-engine/definition/same-value.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { Json } from "../../../../src/kernel/json.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { createManualClock } from "../../../support/manual-clock.js"

const PROJECT = asProjectId(1)
const NOW = Date.parse("2026-03-01T12:00:00Z")
const DAY_MS = 86_400_000
const plan = [{ key: "plan", type: "person", operator: "exact", value: "team" }]
const variants = (...shares: number[]) => ({
  variants: shares.map((share, index) => ({ key: `v${index}`, rollout_percentage: share })),
})

describe("the value that everybody gets", () => {
  test.each<[string, Json, boolean | string | null]>([
    ["one condition for all", { groups: [{ properties: [], rollout_percentage: 100 }] }, true],
    ["no percentage", { groups: [{ properties: [] }] }, true],
    ["nobody", { groups: [{ properties: [], rollout_percentage: 0 }] }, false],
    ["no condition", { groups: [] }, false],
    ["half of them", { groups: [{ properties: [], rollout_percentage: 50 }] }, null],
    ["those of a plan", { groups: [{ properties: plan }] }, null],
    ["those of a plan, then all", { groups: [{ properties: plan }, { properties: [] }] }, null],
    ["nobody of a plan, then all", { groups: [{ properties: plan, rollout_percentage: 0 }, { properties: [] }] }, true],
    ["one variant", { groups: [{ properties: [] }], multivariate: variants(100, 0) }, "v0"],
    ["several variants", { groups: [{ properties: [] }], multivariate: variants(50, 50) }, null],
    ["a variant by name", { groups: [{ properties: [], variant: "v1" }], multivariate: variants(50, 50) }, "v1"],
    ["groups", { aggregation_group_type_index: 0, groups: [{ properties: [] }] }, null],
    ["a holdout", { groups: [{ properties: [] }], holdout: { id: 1, exclusion_percentage: 5 } }, null],
    ["damaged", { groups: [{ properties: null }] }, null],
  ])("with %s", (_, filters, expected) => {
    expect(sameValueForEverybody(filters)).toBe(expected)
  })
})

describe("stale flags", () => {
  const flag = (key: string, ageDays: number, filters: Json, active = true) =>
    ({
      key,
      filters,
      active,
      isRemoteConfiguration: false,
      updatedAt: new Date(NOW - ageDays * DAY_MS),
    }) as unknown as Flag
  const flags = [
    flag("young", 2, { groups: [{ properties: [] }] }),
    flag("released", 40, { groups: [{ properties: [] }] }),
    flag("withdrawn", 50, { groups: [] }),
    flag("off", 60, { groups: [{ properties: plan }] }, false),
    flag("in-use", 70, { groups: [{ properties: plan }] }),
    flag("forgotten", 80, { groups: [{ properties: plan }] }),
  ]
  const listed = async (calls: () => Promise<Map<string, Date>>, days = 30) => {
    const service = createStaleFlags({
      store: { listAll: async () => flags },
      calls: { lastCalls: calls },
      clock: createManualClock(NOW),
      logger: silentLogger,
    })
    return (await service.list(PROJECT, days)).map((one) => [one.flag.key, one.reasons])
  }

  test("are those unchanged for long that are off, the same for everybody or not called, longest unchanged first", async () => {
    const called = async () =>
      new Map([
        ["in-use", new Date(NOW)],
        ["released", new Date(NOW)],
      ])
    expect(await listed(called)).toEqual([
      ["forgotten", ["NOT_CALLED"]],
      ["off", ["INACTIVE"]],
      ["withdrawn", ["OFF_FOR_EVERYBODY", "NOT_CALLED"]],
      ["released", ["SAME_FOR_EVERYBODY"]],
    ])
    expect((await listed(called, 55)).map(([key]) => key)).toEqual(["forgotten", "off"])
  })

  test("are not told by calls where no SDK reports any, or the reports cannot be read", async () => {
    const withoutCalls = [
      ["off", ["INACTIVE"]],
      ["withdrawn", ["OFF_FOR_EVERYBODY"]],
      ["released", ["SAME_FOR_EVERYBODY"]],
    ]
    expect(await listed(async () => new Map())).toEqual(withoutCalls)
    expect(await listed(() => Promise.reject(new Error("ClickHouse is down")))).toEqual(withoutCalls)
  })

  test("are asked for by 1 to 365 days", async () => {
    await expect(listed(async () => new Map(), 0)).rejects.toMatchObject({ code: "invalid_input" })
    await expect(listed(async () => new Map(), 366)).rejects.toMatchObject({ code: "invalid_input" })
  })
})
