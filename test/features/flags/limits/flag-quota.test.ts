import { describe, expect, test } from "@jest/globals"
import { createFlagQuota } from "../../../../src/features/flags/limits/flag-quota.service.js"
import { asOrganizationId, asProjectId } from "../../../../src/kernel/ids.js"
import type { Counters } from "../../../../src/platform/counters/counters.js"
import { createInProcessCounters } from "../../../../src/platform/counters/in-process-counters.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { createManualClock } from "../../../support/manual-clock.js"
import { createDecideHarness, EVERYBODY } from "../decide/decide-harness.js"

const ORGANIZATION = asOrganizationId("00000000-0000-4000-8000-000000000001")
const holder = { projectId: asProjectId(1), organizationId: ORGANIZATION, settings: { feature_flag_request_limit: 3 } }
const sibling = { ...holder, projectId: asProjectId(2) }
const stranger = { ...holder, organizationId: asOrganizationId("00000000-0000-4000-8000-000000000002") }

const createQuota = () => {
  const clock = createManualClock(Date.parse("2026-03-31T12:00:00Z"))
  const shared = createInProcessCounters(clock)
  const store = { isDown: false }
  const counters: Pick<Counters, "increment"> = {
    increment: (...all) => (store.isDown ? Promise.reject(new Error("Redis is down")) : shared.increment(...all)),
  }
  const process = () => createFlagQuota({ counters, clock, logger: silentLogger })
  return { clock, store, process }
}

describe("a quota of flag requests", () => {
  test("is used up by all projects of the organization together, and by nobody else", async () => {
    const quota = createQuota().process()
    await quota.stop()
    quota.count(holder, 2)
    await quota.stop()
    expect([quota.isExceeded(holder), quota.isExceeded(sibling)]).toEqual([false, false])
    quota.count(sibling, 1)
    await quota.stop()
    expect([quota.isExceeded(holder), quota.isExceeded(sibling), quota.isExceeded(stranger)]).toEqual([
      true,
      true,
      false,
    ])
    expect(quota.usage(holder)).toEqual({ month: "2026-03", used: 3, limit: 3 })
  })

  test("is shared by processes that share the counters", async () => {
    const { process } = createQuota()
    const [here, there] = [process(), process()]
    here.count(holder, 3)
    await here.stop()
    there.isExceeded(holder)
    await there.stop()
    expect(there.isExceeded(holder)).toBe(true)
  })

  test("begins anew each month, and is none without a limit that is a number", async () => {
    const { clock, process } = createQuota()
    const quota = process()
    quota.count(holder, 100)
    await quota.stop()
    expect(quota.isExceeded(holder)).toBe(true)
    expect(quota.isExceeded({ ...holder, settings: {} })).toBe(false)
    expect(quota.isExceeded({ ...holder, settings: { feature_flag_request_limit: "3" } })).toBe(false)
    clock.advance(86_400_000)
    expect(quota.isExceeded(holder)).toBe(false)
  })

  test("limits nobody anew while the store is down, and catches up when it is back", async () => {
    const { store, process } = createQuota()
    const quota = process()
    quota.count(holder, 2)
    await quota.stop()
    store.isDown = true
    quota.count(holder, 50)
    await quota.stop()
    expect(quota.isExceeded(holder)).toBe(false)
    store.isDown = false
    await quota.stop()
    expect([quota.isExceeded(holder), quota.usage(holder).used]).toEqual([true, 52])
  })

  test("is charged for decisions, but not for those that are paused or only about surveys", async () => {
    const { world, askFor } = createDecideHarness({ flags: [{ key: "a", filters: EVERYBODY }] })
    await askFor({})
    expect(world.counted).toBe(1)
    await askFor({ disable_flags: true })
    world.isQuotaExceeded = true
    await askFor({})
    expect(world.counted).toBe(1)
    const surveys = createDecideHarness({ flags: [{ key: "survey-targeting-1", filters: EVERYBODY }] })
    await surveys.askFor({})
    expect(surveys.world.counted).toBe(0)
  })
})
