import { describe, expect, test } from "@jest/globals"
import { RequestCoalescer } from "../../../../src/features/queries/execution/request-coalescer.js"

/** Work that ends when it is told to, and counts how often it was started. */
function createWork() {
  const coalescer = new RequestCoalescer<string>()
  const started: {
    engineQueryId: string
    signal: AbortSignal
    end: (answer: string) => void
    fail: (e: Error) => void
  }[] = []
  const join = (key: string, engineQueryId: string, { controller = new AbortController(), mayJoin = true } = {}) => {
    const joined = coalescer.join({
      key,
      engineQueryId,
      mayJoin,
      signal: controller.signal,
      start: (signal) =>
        new Promise((end, fail) => {
          started.push({ engineQueryId, signal, end, fail })
          signal.addEventListener("abort", () => fail(signal.reason))
        }),
    })
    const outcome = joined.result.then(
      (answer) => answer,
      (failure: Error) => `failed: ${failure.message}`,
    )
    return { ...joined, outcome, leave: () => controller.abort(new Error("left")) }
  }
  return { coalescer, started, join }
}

describe("equal work", () => {
  test("asked for by a thousand callers at once is done once", async () => {
    const { coalescer, started, join } = createWork()
    const callers = Array.from({ length: 1000 }, (_, index) => join("k", `q${index}`))
    expect(started.map(({ engineQueryId }) => engineQueryId)).toEqual(["q0"])
    expect(new Set(callers.map(({ engineQueryId }) => engineQueryId))).toEqual(new Set(["q0"]))
    started[0]?.end("answer")
    expect(new Set(await Promise.all(callers.map(({ outcome }) => outcome)))).toEqual(new Set(["answer"]))
    expect(coalescer.size).toBe(0)
  })

  test("is done again once it has ended, well or not", async () => {
    const { started, join } = createWork()
    const first = join("k", "q0")
    started[0]?.fail(new Error("faulty"))
    expect(await first.outcome).toBe("failed: faulty")
    const second = join("k", "q1")
    started[1]?.end("answer")
    expect(await second.outcome).toBe("answer")
    expect(started.length).toBe(2)
  })

  test("is not told to stop once it has ended, well or not", async () => {
    const { started, join } = createWork()
    const [good, bad] = [join("k", "q0"), join("l", "q1")]
    started[0]?.end("answer")
    started[1]?.fail(new Error("faulty"))
    expect(await Promise.all([good.outcome, bad.outcome])).toEqual(["answer", "failed: faulty"])
    expect(started.map(({ signal }) => signal.aborted)).toEqual([false, false])
  })

  test("goes on while anybody waits for it, and is stopped when the last has left", async () => {
    const { coalescer, started, join } = createWork()
    const [one, other] = [join("k", "q0"), join("k", "q1")]
    one.leave()
    expect(await one.outcome).toBe("failed: left")
    expect(started[0]?.signal.aborted).toBe(false)
    other.leave()
    expect(await other.outcome).toBe("failed: left")
    expect(started[0]?.signal.aborted).toBe(true)
    expect(coalescer.size).toBe(0)
  })

  test("that was started earlier is not joined by a caller who needs newer data", async () => {
    const { started, join } = createWork()
    const [early, forced] = [join("k", "q0"), join("k", "q1", { mayJoin: false })]
    expect(started.length).toBe(2)
    started[1]?.end("new")
    started[0]?.end("old")
    expect([await early.outcome, await forced.outcome]).toEqual(["old", "new"])
  })

  test("is not started twice by callers of different keys", async () => {
    const { started, join } = createWork()
    const callers = [join("a", "q0"), join("b", "q1")]
    for (const { engineQueryId, end } of started) end(engineQueryId)
    expect(await Promise.all(callers.map(({ outcome }) => outcome))).toEqual(["q0", "q1"])
  })
})
