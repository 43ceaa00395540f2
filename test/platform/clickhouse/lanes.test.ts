import { describe, expect, test } from "@jest/globals"
import { ENGINE_THREADS, type LaneName, Lanes } from "../../../src/platform/embedded/clickhouse-child/lanes.js"
import { type ReleaseSlot, Slots } from "../../../src/platform/embedded/clickhouse-child/slots.js"

const never = new AbortController().signal

describe("slots", () => {
  test("are given out in the order asked for, each once", async () => {
    const slots = new Slots(1)
    const order: number[] = []
    const release = await slots.take(never)
    const second = slots.take(never).then((free) => {
      order.push(2)
      return free
    })
    const third = slots.take(never).then((free) => {
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
    const slots = new Slots(1)
    const release = await slots.take(never)
    const impatient = new AbortController()
    const waiting = slots.take(impatient.signal)
    impatient.abort(new Error("gone"))
    await expect(waiting).rejects.toThrow("gone")
    release()
    await slots.take(never)
    await expect(slots.take(AbortSignal.abort(new Error("late")))).rejects.toThrow("late")
  })
})

describe("lanes", () => {
  const enter = (lanes: Lanes, lane: LaneName, count: number): Promise<ReleaseSlot[]> =>
    Promise.all(Array.from({ length: count }, () => lanes.enter(lane, never)))

  test("let inserts and control statements through beside queries that fill theirs", async () => {
    const lanes = new Lanes()
    const held = [
      ...(await enter(lanes, "query", 6)),
      ...(await enter(lanes, "insert", 2)),
      ...(await enter(lanes, "control", 2)),
    ]
    for (const release of held) release()
  })

  test("let a short query through once those before it have turned out long", async () => {
    const lanes = new Lanes(1)
    for (const release of await enter(lanes, "query", 20)) release()
  })

  test("keep a bound on queries at once, long ones included", async () => {
    const lanes = new Lanes(1)
    const held = await enter(lanes, "query", ENGINE_THREADS - 4)
    const one = lanes.enter("query", never)
    for (const release of held) release()
    ;(await one)()
  })
})
