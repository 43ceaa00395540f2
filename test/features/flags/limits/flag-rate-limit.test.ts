import { setImmediate } from "node:timers/promises"
import { describe, expect, test } from "@jest/globals"
import { DecideResolver } from "../../../../src/features/flags/decide/decide.resolver.js"
import {
  createFlagRateLimit,
  type FlagRateLimits,
} from "../../../../src/features/flags/limits/flag-rate-limit.service.js"
import { AppError } from "../../../../src/kernel/errors.js"
import type { RequestContext } from "../../../../src/kernel/request-context.js"
import { createInProcessCounters } from "../../../../src/platform/counters/in-process-counters.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { createManualClock } from "../../../support/manual-clock.js"

const DECISION = { results: [], hasErrors: false, isQuotaExceeded: false, requestId: "r", evaluatedAtMs: 0 } as never

function createProcesses(limits: Partial<FlagRateLimits>) {
  const clock = createManualClock(Date.parse("2026-03-31T12:00:20.500Z"))
  const shared = createInProcessCounters(clock)
  const store = { isDown: false }
  const increment: typeof shared.increment = (...all) =>
    store.isDown ? Promise.reject(new Error("Redis is down")) : shared.increment(...all)
  const process = () =>
    createFlagRateLimit({
      counters: { increment },
      limits: { key: 0, address: 0, ...limits },
      clock,
      logger: silentLogger,
    })
  return { clock, store, process }
}

/** How many of so many requests get through. */
function admitted(limit: ReturnType<typeof createFlagRateLimit>, by: "key" | "address", who: string, asked: number) {
  let through = 0
  for (let request = 0; request < asked; request++) {
    try {
      limit.take(by, who)
      through++
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  return through
}

describe("a limit of flag requests", () => {
  test("lets through the requests of a minute, for each key and each address alone, and begins anew with the next", () => {
    const { clock, process } = createProcesses({ key: 3, address: 5 })
    const limit = process()
    expect(admitted(limit, "key", "phc_a", 10)).toBe(3)
    expect(admitted(limit, "key", "phc_b", 2)).toBe(2)
    expect(admitted(limit, "address", "phc_a", 10)).toBe(5)
    clock.advance(39_500)
    expect(admitted(limit, "key", "phc_a", 10)).toBe(3)
  })

  test("counts each decision of a GraphQL document for its address", async () => {
    const limit = createProcesses({ address: 2 }).process()
    const resolver = new DecideResolver({ evaluate: () => DECISION }, limit)
    const context = { clientIp: "198.51.100.1", senderIp: "192.0.2.1", requestId: "r" } as RequestContext
    const decide = () => resolver.flagDecision(context, { apiKey: "phc_a", distinctId: "a" })
    await Promise.all([decide(), decide()])
    await expect(decide()).rejects.toMatchObject({ code: "flag_rate_limited" })
    expect(admitted(limit, "address", "198.51.100.1", 2)).toBe(2)
  })

  test("says how much may be asked and when to ask again", () => {
    const limit = createProcesses({ key: 1 }).process()
    limit.take("key", "phc_a")
    expect(() => limit.take("key", "phc_a")).toThrow(
      expect.objectContaining({
        code: "flag_rate_limited",
        details: expect.objectContaining({
          retryAfterSeconds: 40,
          rateLimit: { limit: 1, remaining: 0, resetSeconds: 40 },
        }),
      }),
    )
  })

  test("is off unless it is set", () => {
    expect(admitted(createProcesses({}).process(), "key", "phc_a", 1_000)).toBe(1_000)
  })

  test("is one for all processes, within a second's delay", async () => {
    const { process } = createProcesses({ key: 10 })
    const [one, other] = [process(), process()]
    expect(admitted(one, "key", "phc_a", 6)).toBe(6)
    await one.stop()
    admitted(other, "key", "phc_a", 1)
    await other.stop()
    expect(admitted(other, "key", "phc_a", 10)).toBe(3)
  })

  test("holds in each process by itself while the counters are away, and nothing counted is lost", async () => {
    const { store, process } = createProcesses({ key: 4 })
    const [one, other] = [process(), process()]
    store.isDown = true
    expect(admitted(one, "key", "phc_a", 3)).toBe(3)
    await one.stop()
    expect(admitted(one, "key", "phc_a", 3)).toBe(1)
    store.isDown = false
    await one.stop()
    admitted(other, "key", "phc_a", 1)
    await other.stop()
    expect(admitted(other, "key", "phc_a", 1)).toBe(0)
  })

  test("counts nothing twice when one of several counters fails while another is still being told", async () => {
    const { clock } = createProcesses({})
    const told: [string, number][] = []
    const answering = Promise.withResolvers<number>()
    const increment = (name: string, by: number): Promise<number> => {
      told.push([name.split(":")[2] ?? "", by])
      return name.includes("phc_failing") ? Promise.reject(new Error("no answer")) : answering.promise
    }
    const limits = { key: 10, address: 0 }
    const limit = createFlagRateLimit({ counters: { increment }, limits, clock, logger: silentLogger })
    limit.take("key", "phc_failing")
    limit.take("key", "phc_slow")
    const stopped = limit.stop().then(() => "stopped")
    expect(await Promise.race([stopped, setImmediate("still telling")])).toBe("still telling")
    expect(told).toEqual([
      ["phc_failing", 1],
      ["phc_slow", 1],
    ])
    answering.resolve(1)
    await stopped
    await limit.stop()
    expect(told.slice(2)).toEqual([["phc_failing", 1]])
  })

  test("keeps no more of a made-up key than a real one has", () => {
    const limit = createProcesses({ key: 1 }).process()
    const made = "x".repeat(200)
    limit.take("key", `${made}1`)
    expect(admitted(limit, "key", `${made}2`, 1)).toBe(0)
  })

  test("cannot be made to fill the memory with made-up keys", () => {
    const limit = createProcesses({ key: 1 }).process()
    for (let made = 0; made < 20_001; made++) limit.take("key", `phc_${made}`)
    expect(admitted(limit, "key", "phc_20000", 1)).toBe(0)
    expect(admitted(limit, "key", "phc_0", 1)).toBe(1)
  })
})
