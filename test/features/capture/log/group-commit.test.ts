import { describe, expect, test } from "@jest/globals"
import { GroupCommit, type GroupCommitLimits } from "../../../../src/features/capture/log/group-commit.js"

const LIMITS: GroupCommitLimits = {
  maxWriters: 1,
  minBytesBeside: 0,
  largeGroupBytes: 10_000,
  smallItemBytes: 0,
  halved: { minItems: 1_000, maxItems: 1_000 },
  maxGroupItems: 100,
  maxGroupBytes: 1_000,
  maxWaitingItems: 100,
  maxWaitingBytes: 2_000,
}

interface Write {
  readonly items: readonly string[]
  finish(): void
  fail(fault: Error): void
}

/** A store whose writes end when the test says so. */
function createStore(limits: Partial<GroupCommitLimits> = {}) {
  const writes: Write[] = []
  const commits = new GroupCommit<string>(
    (items) => new Promise((finish, fail) => writes.push({ items, finish: () => finish(), fail })),
    { ...LIMITS, ...limits },
  )
  return { writes, commits }
}

/** Whatever may be written by now has been: after a write the next one waits for a turn more. */
const nextTurn = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe("group commit", () => {
  test("writes what one turn brought together as one group", async () => {
    const { writes, commits } = createStore()
    const outcomes = Promise.all(["a", "b", "c"].map((item) => commits.add(item, 1, 1)))
    await nextTurn()
    expect(writes.map(({ items }) => items)).toEqual([["a", "b", "c"]])
    writes[0]?.finish()
    await outcomes
  })

  test("gathers the next group while one is being written, and writes it right after", async () => {
    const { writes, commits } = createStore()
    const first = commits.add("a", 1, 1)
    await nextTurn()
    const later = [commits.add("b", 1, 1), commits.add("c", 1, 1)]
    await nextTurn()
    expect(writes).toHaveLength(1)
    writes[0]?.finish()
    await first
    await nextTurn()
    expect(writes[1]?.items).toEqual(["b", "c"])
    writes[1]?.finish()
    await Promise.all(later)
  })

  test("lets whoever was just answered and comes back at once share the next group", async () => {
    const { writes, commits } = createStore()
    const first = commits.add("a", 1, 1)
    await nextTurn()
    const later = [commits.add("b", 1, 1)]
    writes[0]?.finish()
    await first
    await new Promise((resolve) => setImmediate(resolve))
    later.push(commits.add("a again", 1, 1))
    await nextTurn()
    expect(writes[1]?.items).toEqual(["b", "a again"])
    writes[1]?.finish()
    await Promise.all(later)
  })

  test("writes some dozens in halves, so that one half is dealt with while the other is written", async () => {
    const { writes, commits } = createStore({ halved: { minItems: 4, maxItems: 6 } })
    const outcomes = ["a", "b", "c", "d", "e", "f"].map((item) => commits.add(item, 1, 1))
    await nextTurn()
    expect(writes.map(({ items }) => items)).toEqual([["a", "b", "c"]])
    writes[0]?.finish()
    await Promise.all(outcomes.slice(0, 3))
    outcomes.push(...["a", "b", "c"].map((item) => commits.add(`${item} again`, 1, 1)))
    await nextTurn()
    expect(writes[1]?.items).toEqual(["d", "e", "f"])
    writes[1]?.finish()
    await nextTurn()
    expect(writes[2]?.items).toEqual(["a again", "b again", "c again"])
    writes[2]?.finish()
    await Promise.all(outcomes)
  })

  test.each([3, 7])("writes %i at once where four to six would go in halves", async (count) => {
    const { writes, commits } = createStore({ halved: { minItems: 4, maxItems: 6 } })
    const outcomes = Array.from({ length: count }, (_, index) => commits.add(`item ${index}`, 1, 1))
    await nextTurn()
    expect(writes.map(({ items }) => items.length)).toEqual([count])
    writes[0]?.finish()
    await Promise.all(outcomes)
  })

  test("begins a write beside another only when enough waits for it", async () => {
    const { writes, commits } = createStore({ maxWriters: 2, minBytesBeside: 10 })
    const outcomes = [commits.add("first", 20, 1)]
    await nextTurn()
    outcomes.push(commits.add("small", 9, 1))
    await nextTurn()
    expect(writes).toHaveLength(1)
    outcomes.push(commits.add("enough", 1, 1))
    await nextTurn()
    expect(writes.map(({ items }) => items)).toEqual([["first"], ["small", "enough"]])
    for (const write of writes) write.finish()
    await Promise.all(outcomes)
  })

  test("writes as many groups side by side as it has writers", async () => {
    const { writes, commits } = createStore({ maxWriters: 2 })
    const outcomes: Promise<void>[] = []
    for (const item of ["a", "b", "c"]) {
      outcomes.push(commits.add(item, 1, 1))
      await nextTurn()
    }
    expect(writes.map(({ items }) => items)).toEqual([["a"], ["b"]])
    for (const write of writes) write.finish()
    await nextTurn()
    writes[2]?.finish()
    await Promise.all(outcomes)
  })

  test("tells every caller of a failed group, and goes on with the next", async () => {
    const { writes, commits } = createStore()
    const failed = [commits.add("a", 1, 1), commits.add("b", 1, 1)]
    await nextTurn()
    const next = commits.add("c", 1, 1)
    writes[0]?.fail(new Error("lost"))
    expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(["rejected", "rejected"])
    await nextTurn()
    writes[1]?.finish()
    await next
  })

  test("splits what waits by bytes and by number, and lets a single large item through", async () => {
    const { writes, commits } = createStore({ maxGroupItems: 2, maxGroupBytes: 100 })
    const sizes: [string, number][] = [
      ["large", 500],
      ["a", 60],
      ["b", 60],
      ["c", 1],
      ["d", 1],
    ]
    const outcomes = sizes.map(([item, bytes]) => commits.add(item, bytes, 1))
    for (let written = 0; written < 4; written++) {
      await nextTurn()
      writes[written]?.finish()
    }
    await Promise.all(outcomes)
    expect(writes.map(({ items }) => items)).toEqual([["large"], ["a"], ["b", "c"], ["d"]])
  })

  test("lets holders take turns when more waits than a group holds, each in its own order", async () => {
    const { writes, commits } = createStore({ maxGroupItems: 3 })
    const first = commits.add("first", 1, 9)
    await nextTurn()
    const waiting = [
      ...["a1", "a2", "a3", "a4"].map((item) => commits.add(item, 10, 1)),
      ...["b1", "b2"].map((item) => commits.add(item, 10, 2)),
    ]
    for (let written = 0; written < 3; written++) {
      writes[written]?.finish()
      await nextTurn()
    }
    await Promise.all([first, ...waiting])
    expect(writes.map(({ items }) => items)).toEqual([["first"], ["a1", "b1", "a2"], ["a3", "a4", "b2"]])
  })

  test("writes small items beside large groups, however many writers those have taken", async () => {
    const { writes, commits } = createStore({
      maxWriters: 2,
      minBytesBeside: 100,
      largeGroupBytes: 500,
      smallItemBytes: 10,
      maxGroupBytes: 500,
    })
    const large = Array.from({ length: 3 }, (_, index) => commits.add(`large ${index}`, 500, 1))
    await nextTurn()
    await nextTurn()
    const small = [commits.add("small", 5, 2), commits.add("medium", 50, 3)]
    await nextTurn()
    expect(writes.map(({ items }) => items)).toEqual([["large 0"], ["large 1"], ["small"]])
    for (let written = 0; written < 5; written++) {
      await nextTurn()
      for (const { finish } of writes) finish()
    }
    await Promise.all([...large, ...small])
    expect(writes.slice(3).map(({ items }) => items)).toEqual([["large 2"], ["medium"]])
  })

  test("takes a small item of a holder who has nothing waiting when all others' is too much", async () => {
    const { writes, commits } = createStore({ maxWaitingBytes: 20, smallItemBytes: 5 })
    const first = commits.add("first", 10, 1)
    await nextTurn()
    const waiting = [commits.add("a", 20, 1), commits.add("quiet", 5, 2)]
    for (const [bytes, holder] of [
      [6, 3],
      [5, 1],
      [5, 2],
    ] as const)
      await expect(commits.add("refused", bytes, holder)).rejects.toMatchObject({ code: "store_unavailable" })
    for (const written of [0, 1]) {
      writes[written]?.finish()
      await nextTurn()
    }
    await Promise.all([first, ...waiting])
  })

  test.each([
    ["items", { maxWaitingItems: 2 }],
    ["bytes", { maxWaitingBytes: 20 }],
  ])("turns new items away when too many %s wait, with a time to retry after", async (_what, limits) => {
    const { writes, commits } = createStore(limits)
    const first = commits.add("first", 10, 1)
    await nextTurn()
    const waiting = [commits.add("a", 10, 1), commits.add("b", 10, 1)]
    await expect(commits.add("c", 10, 1)).rejects.toMatchObject({
      code: "store_unavailable",
      details: { retryAfterSeconds: 1 },
    })
    writes[0]?.finish()
    await first
    await nextTurn()
    writes[1]?.finish()
    await Promise.all(waiting)
  })

  test("is idle when everything has its outcome", async () => {
    const { writes, commits } = createStore()
    await commits.idle()
    const outcome = commits.add("a", 1, 1)
    let isIdle = false
    const idle = commits.idle().then(() => {
      isIdle = true
    })
    await nextTurn()
    expect(isIdle).toBe(false)
    writes[0]?.finish()
    await outcome
    await idle
  })
})
