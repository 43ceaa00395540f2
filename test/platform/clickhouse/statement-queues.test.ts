import { describe, expect, test } from "@jest/globals"
import { type Release, Semaphore } from "../../../src/kernel/semaphore.js"
import {
  ENGINE_THREADS,
  type StatementClass,
  StatementQueues,
} from "../../../src/platform/embedded/clickhouse-child/statement-queues.js"

const never = new AbortController().signal

describe("the permits of a semaphore", () => {
  test("are given out in the order asked for, each once", async () => {
    const semaphore = new Semaphore(1)
    const order: number[] = []
    const release = await semaphore.acquire(never)
    const second = semaphore.acquire(never).then((free) => {
      order.push(2)
      return free
    })
    const third = semaphore.acquire(never).then((free) => {
      order.push(3)
      return free
    })
    release()
    release()
    ;(await second)()
    await third
    expect(order).toEqual([2, 3])
  })

  test("are not kept for who stopped waiting", async () => {
    const semaphore = new Semaphore(1)
    const release = await semaphore.acquire(never)
    const impatient = new AbortController()
    const waiting = semaphore.acquire(impatient.signal)
    impatient.abort(new Error("gone"))
    await expect(waiting).rejects.toThrow("gone")
    release()
    await semaphore.acquire(never)
    await expect(semaphore.acquire(AbortSignal.abort(new Error("late")))).rejects.toThrow("late")
  })
})

describe("the queues of statements", () => {
  const enter = (queues: StatementQueues, statementClass: StatementClass, count: number): Promise<Release[]> =>
    Promise.all(Array.from({ length: count }, () => queues.enter(statementClass, never)))

  test("let inserts and control statements through beside queries that fill theirs", async () => {
    const queues = new StatementQueues()
    const held = [
      ...(await enter(queues, "query", 6)),
      ...(await enter(queues, "insert", 2)),
      ...(await enter(queues, "control", 2)),
    ]
    for (const release of held) release()
  })

  test("let a short query through once those before it have turned out long", async () => {
    const queues = new StatementQueues(1)
    for (const release of await enter(queues, "query", 20)) release()
  })

  test("keep a bound on queries at once, long ones included", async () => {
    const queues = new StatementQueues(1)
    const held = await enter(queues, "query", ENGINE_THREADS - 4)
    const one = queues.enter("query", never)
    for (const release of held) release()
    ;(await one)()
  })
})
