import { setImmediate } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals"
import { createPeriodicTask, startInterval } from "../../src/kernel/periodic-task.js"

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["setImmediate"] })
})
afterEach(() => {
  jest.useRealTimers()
})

/** Work whose end the test decides. */
function createHeldWork() {
  const ends: (() => void)[] = []
  const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve))
  return { work, ends }
}

describe("repeated work", () => {
  test("is passed over while the last turn still works, and goes on after it", async () => {
    const { work, ends } = createHeldWork()
    const repeated = createPeriodicTask(1_000, work)
    repeated.start()
    jest.advanceTimersByTime(999)
    expect(ends).toHaveLength(0)
    jest.advanceTimersByTime(5_001)
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await setImmediate()
    jest.advanceTimersByTime(1_000)
    expect(ends).toHaveLength(2)
  })

  test("stops once what is under way has ended, and begins nothing more", async () => {
    const { work, ends } = createHeldWork()
    const repeated = createPeriodicTask(1_000, work)
    repeated.start()
    jest.advanceTimersByTime(1_000)
    let hasStopped = false
    const stopping = repeated.stop().then(() => {
      hasStopped = true
    })
    await setImmediate()
    expect(hasStopped).toBe(false)
    ends[0]?.()
    await stopping
    jest.advanceTimersByTime(10_000)
    expect(ends).toHaveLength(1)
  })

  test("may be started again, and still waits for a turn from before it was stopped", async () => {
    const { work, ends } = createHeldWork()
    const repeated = createPeriodicTask(1_000, work)
    repeated.start()
    jest.advanceTimersByTime(1_000)
    const stopping = repeated.stop()
    repeated.start()
    jest.advanceTimersByTime(1_000)
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await stopping
    jest.advanceTimersByTime(1_000)
    expect(ends).toHaveLength(2)
  })

  test("may be stopped without having been started", async () => {
    await createPeriodicTask(1_000, createHeldWork().work).stop()
  })
})

test("a repetition ends when its end is called", () => {
  let calls = 0
  const end = startInterval(100, () => calls++)
  jest.advanceTimersByTime(250)
  end()
  jest.advanceTimersByTime(1_000)
  expect(calls).toBe(2)
})
