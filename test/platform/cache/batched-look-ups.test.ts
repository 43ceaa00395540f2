import { expect, test } from "@jest/globals"
import { BatchedLookUps } from "../../../src/platform/cache/batched-look-ups.js"
import { waitFor } from "../../support/wait-for.js"

/** Look-ups of a store whose reads end when the test says so. */
function create(limits = { maxBatch: 2, maxWaiting: 3 }) {
  const reads: { readonly keys: readonly string[]; end(): void; fail(fault: unknown): void }[] = []
  const lookUps = new BatchedLookUps<string, string>({
    ...limits,
    findMany: (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
      const found = keys.filter((key) => key !== "nobody").map((key) => [key, key.toUpperCase()] as const)
      reads.push({ keys, end: () => resolve(new Map(found)), fail: reject })
      return promise
    },
  })
  const readAt = (index: number) => waitFor(`read ${index}`, () => reads[index])
  const end = async (index: number) => (await readAt(index)).end()
  const fail = async (index: number, fault: unknown) => (await readAt(index)).fail(fault)
  return { lookUps, reads, end, fail }
}

test("what is asked for during a read waits for the next, which reads it all at once", async () => {
  const { lookUps, reads, end } = create()
  const first = lookUps.find("a")
  const [second, third, fourth] = [lookUps.find("b"), lookUps.find("nobody"), lookUps.find("c")]
  expect(reads.map(({ keys }) => keys)).toEqual([["a"]])
  await end(0)
  expect(await first).toBe("A")
  await end(1)
  expect(await Promise.all([second, third])).toEqual(["B", null])
  await end(2)
  expect(await fourth).toBe("C")
  expect(reads.map(({ keys }) => keys)).toEqual([["a"], ["b", "nobody"], ["c"]])
})

test("a read that fails fails for those it was for, and the next goes on", async () => {
  const { lookUps, end, fail } = create()
  const [first, second] = [lookUps.find("a"), lookUps.find("b")]
  await fail(0, new Error("away"))
  await expect(first).rejects.toThrow("away")
  await end(1)
  expect(await second).toBe("B")
})

test("more than may wait are refused at once", async () => {
  const { lookUps, end } = create()
  const kept = ["a", "b", "c", "d"].map((key) => lookUps.find(key))
  await expect(lookUps.find("e")).rejects.toMatchObject({ code: "store_unavailable" })
  await end(0)
  await kept[0]
  await end(1)
  await kept[1]
  await end(2)
  expect(await kept[3]).toBe("D")
})
