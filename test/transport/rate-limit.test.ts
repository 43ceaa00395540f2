import { describe, expect, test } from "@jest/globals"
import type { RequestContext } from "../../src/kernel/request-context.js"
import { createInProcessCounters } from "../../src/platform/counters/in-process-counters.js"
import { RateBudget } from "../../src/platform/limits/rate-budget.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { createRateLimiter, type RateLimits } from "../../src/transport/rate-limit.js"
import { createManualClock } from "../support/manual-clock.js"

const NOON_MS = Date.UTC(2024, 1, 29, 12)
const of = (keyId: string | null) => ({ principal: keyId === null ? null : { keyId } }) as RequestContext

function limiter(limits: RateLimits) {
  const clock = createManualClock(NOON_MS)
  const take = createRateLimiter({ counters: createInProcessCounters(clock), clock, limits, logger: silentLogger })
  const waitOf = async (keyId: string | null) => (await take(of(keyId))).context.throttledForSeconds ?? null
  return { clock, take, waitOf }
}

describe("the counter of requests", () => {
  test("lets each key make its requests of a minute, then says when the next one begins", async () => {
    const { clock, waitOf } = limiter({ perMinute: 2, perHour: 0 })
    clock.advance(15_500)
    expect([await waitOf("a"), await waitOf("a"), await waitOf("a"), await waitOf("b")]).toEqual([null, null, 45, null])
    clock.advance(45_000)
    expect(await waitOf("a")).toBeNull()
  })

  test("waits for the longer window when both are used up, and shows the one with less left", async () => {
    const { take, waitOf } = limiter({ perMinute: 2, perHour: 3 })
    expect((await take(of("a"))).headers).toEqual({
      "RateLimit-Limit": "2",
      "RateLimit-Remaining": "1",
      "RateLimit-Reset": "60",
    })
    await waitOf("a")
    expect(await waitOf("a")).toBe(60)
    expect(await waitOf("a")).toBe(3600)
    expect((await take(of("a"))).headers).toMatchObject({ "RateLimit-Limit": "3", "RateLimit-Remaining": "0" })
  })

  test("counts the secret keys of one project together", async () => {
    const { take } = limiter({ perMinute: 1, perHour: 0 })
    const secret = (secretProjectId: number) => ({ principal: null, secretProjectId }) as RequestContext
    const waits = [secret(1), secret(1), secret(2)].map(async (context) => (await take(context)).context)
    expect((await Promise.all(waits)).map(({ throttledForSeconds }) => throttledForSeconds)).toEqual([null, 60, null])
  })

  test("counts nobody without a key, and nobody at all when there are no limits", async () => {
    expect((await limiter({ perMinute: 1, perHour: 0 }).take(of(null))).headers).toEqual({})
    expect((await limiter({ perMinute: 0, perHour: 0 }).take(of("a"))).headers).toEqual({})
  })

  test("refuses a request without a key once its address has made too many, and none with a key", async () => {
    const clock = createManualClock(NOON_MS)
    const keyless = new RateBudget({ perHolder: 1, holders: 10, clock, onRefused: () => undefined })
    const shared = { counters: createInProcessCounters(clock), clock, logger: silentLogger, keyless }
    const take = createRateLimiter({ ...shared, limits: { perMinute: 0, perHour: 0 } })
    const from = (senderIp: string, authenticationFault: "absent" | null = "absent") =>
      ({ principal: null, authenticationFault, senderIp }) as RequestContext
    await take(from("192.0.2.1"))
    await expect(take(from("192.0.2.1"))).rejects.toMatchObject({ code: "rate_limited" })
    await take(from("192.0.2.2"))
    await take(from("192.0.2.1", null))
  })

  test("refuses nobody while the counters are away", async () => {
    const clock = createManualClock(NOON_MS)
    const counters = { ...createInProcessCounters(clock), increment: () => Promise.reject(new Error("gone")) }
    const take = createRateLimiter({ counters, clock, limits: { perMinute: 1, perHour: 1 }, logger: silentLogger })
    expect((await take(of("a"))).context.throttledForSeconds).toBeUndefined()
  })
})
