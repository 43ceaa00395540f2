import { describe, expect, test } from "@jest/globals"
import { asProjectId } from "../../../src/kernel/ids.js"
import { FairConcurrencyLimiter } from "../../../src/platform/limits/fair-concurrency-limiter.js"

const LIMITS = { what: "queries", running: 4, runningPerProject: 3, waiting: 8, waitingPerProject: 5, waitMs: 60_000 }
const [A, B, C] = [1, 2, 3].map(asProjectId) as [
  ReturnType<typeof asProjectId>,
  ReturnType<typeof asProjectId>,
  ReturnType<typeof asProjectId>,
]

/** Callers by name; `served` is who got a slot, in order. */
function createQueue(limits = LIMITS) {
  const limiter = new FairConcurrencyLimiter(limits)
  const served: string[] = []
  const releases = new Map<string, () => void>()
  const ask = (name: string, project = A, signal = new AbortController().signal) =>
    limiter.acquire(project, signal).then(
      (release) => {
        served.push(name)
        releases.set(name, release)
        return "served"
      },
      (refusal: { code?: string; message: string }) => refusal.code ?? refusal.message,
    )
  const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve))
  const end = async (name: string) => {
    releases.get(name)?.()
    await nextTick()
  }
  return { limiter, served, ask, end, nextTick }
}

describe("slots of queries", () => {
  test("are given to so many at once, and to so many of one project", async () => {
    const { limiter, served, ask, nextTick } = createQueue()
    for (const name of ["a1", "a2", "a3", "a4"]) void ask(name, A)
    await nextTick()
    expect(served).toEqual(["a1", "a2", "a3"])
    for (const name of ["b1", "b2"]) void ask(name, B)
    await nextTick()
    expect(served).toEqual(["a1", "a2", "a3", "b1"])
    expect([limiter.running, limiter.waiting]).toEqual([4, 2])
  })

  test("go to the project that runs fewest, then to the one that was served or came longest ago", async () => {
    const { served, ask, end, nextTick } = createQueue({ ...LIMITS, running: 2, runningPerProject: 2 })
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) void ask(name, A)
    for (const name of ["b1", "b2"]) void ask(name, B)
    void ask("c1", C)
    await nextTick()
    for (const name of ["a1", "a2", "b1", "a3", "c1", "b2", "a4"]) await end(name)
    expect(served).toEqual(["a1", "a2", "b1", "a3", "c1", "b2", "a4", "a5"])
  })

  test("are refused with 429 when the project's queue is full, with 503 when all queues are", async () => {
    const { limiter, ask, nextTick } = createQueue()
    const outcomes: Promise<string>[] = []
    for (let count = 0; count < 9; count++) outcomes.push(ask(`a${count}`, A))
    await nextTick()
    expect(await outcomes[8]).toBe("rate_limited")
    for (let count = 0; count < 5; count++) outcomes.push(ask(`b${count}`, B))
    await nextTick()
    expect(await outcomes.at(-1)).toBe("store_unavailable")
    expect([limiter.running, limiter.waiting]).toEqual([4, 8])
  })

  test("are given up by who leaves, and end once however often they are ended", async () => {
    const { limiter, served, ask, end } = createQueue({ ...LIMITS, running: 1 })
    const leaving = new AbortController()
    void ask("first")
    const left = ask("left", A, leaving.signal)
    void ask("third")
    leaving.abort(new Error("gone"))
    expect(await left).toBe("gone")
    await end("first")
    await end("first")
    expect(served).toEqual(["first", "third"])
    expect([limiter.running, limiter.waiting]).toEqual([1, 0])
  })

  test("are refused with 429 after too long a wait", async () => {
    const { limiter, ask } = createQueue({ ...LIMITS, running: 1, waitMs: 1 })
    await ask("first")
    expect(await ask("second")).toBe("rate_limited")
    expect(limiter.waiting).toBe(0)
  })

  test("of two hundred queries at once never exceed the bound, and all are given in the end", async () => {
    const { limiter, served, ask, end, nextTick } = createQueue({ ...LIMITS, waiting: 1000, waitingPerProject: 200 })
    for (let count = 0; count < 200; count++) void ask(`q${count}`, [A, B, C][count % 3])
    await nextTick()
    for (let count = 0; count < 200; count++) {
      expect(limiter.running).toBeLessThanOrEqual(4)
      await end(served[count] as string)
    }
    expect([served.length, limiter.running, limiter.waiting]).toEqual([200, 0, 0])
  })
})
