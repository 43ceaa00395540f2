import { describe, expect, test } from "@jest/globals"
import { fitsOrder, type KeyKind, type KeyValue, type OrderColumn, readKey } from "../../src/kernel/list-order.js"
import { orderInMemory } from "../../src/kernel/order-in-memory.js"
import { firstRows, mapPage } from "../../src/kernel/paging.js"
import { type OrderedList, readPage } from "../../src/kernel/read-page.js"

interface Row {
  readonly id: number
  readonly name: string | null
}

const ROWS: Row[] = ["b", null, "a", "b", null, "c", "a"].map((name, id) => ({ id, name }))
const byNameAndId = (isNameDescending: boolean, isIdDescending: boolean): OrderColumn[] => [
  { property: "name", kind: "text", isDescending: isNameDescending, isNullable: true },
  { property: "id", kind: "integer", isDescending: isIdDescending },
]
const idsOf = (rows: readonly Row[]): number[] => rows.map(({ id }) => id)

/** A list that counts what is asked of it. */
function countingList(rows: readonly Row[]): OrderedList<Row> & { reads: number; counts: number } {
  const inner = orderInMemory(byNameAndId(false, false), rows)
  const list = {
    order: inner.order,
    reads: 0,
    counts: 0,
    read: (...slice: Parameters<typeof inner.read>) => {
      list.reads++
      return inner.read(...slice)
    },
    count: () => {
      list.counts++
      return inner.count()
    },
  }
  return list
}

describe("a page of a list in order", () => {
  test.each([
    [false, false, [2, 6, 0, 3, 5, 1, 4]],
    [false, true, [6, 2, 3, 0, 5, 4, 1]],
    [true, false, [1, 4, 5, 0, 3, 2, 6]],
    [true, true, [4, 1, 5, 3, 0, 6, 2]],
  ])("begins beyond the row of any key, nulls counting as largest, %s %s", async (byName, byId, whole) => {
    const list = orderInMemory(byNameAndId(byName, byId), ROWS)
    const { items, keys } = await readPage(list, firstRows(9))
    expect(idsOf(items)).toEqual(whole)
    for (const [index, from] of keys.entries()) {
      const after = await readPage(list, { ...firstRows(9), from })
      const before = await readPage(list, { ...firstRows(9), from, isBackward: true })
      expect(idsOf(after.items)).toEqual(whole.slice(index + 1))
      expect(idsOf(before.items)).toEqual(whole.slice(0, index))
    }
  })

  test("is read with one statement; what lies around it and the total cost one each, once", async () => {
    const list = countingList(ROWS)
    const from = (await readPage(list, firstRows(2))).keys[1] ?? null
    list.reads = 0
    const page = await readPage(list, { ...firstRows(2), from })
    expect(await page.hasNext()).toBe(true)
    expect(list).toMatchObject({ reads: 1, counts: 0 })
    expect(await page.hasPrevious()).toBe(true)
    await page.hasPrevious()
    expect([await page.countAll(), await page.countAll()]).toEqual([7, 7])
    expect(list).toMatchObject({ reads: 2, counts: 1 })
  })

  test("goes on where the store gave fewer rows than asked for, and counts what the store tells anyway", async () => {
    const list = { ...countingList(ROWS), read: async () => ({ rows: ROWS.slice(0, 1), isCut: true, total: 12 }) }
    const page = await readPage(list, firstRows(5))
    expect([await page.hasNext(), await page.countAll()]).toEqual([true, 12])
  })

  test("can be shown otherwise", async () => {
    const page = mapPage(await readPage(countingList(ROWS), firstRows(2)), ({ id }) => `no. ${id}`)
    expect(page.items).toEqual(["no. 2", "no. 6"])
    expect(page.keys).toEqual([
      ["a", 2],
      ["a", 6],
    ])
  })

  test.each([
    ["after", false],
    ["before", true],
  ])("is refused, naming %s, for a key of another shape", async (attr, isBackward) => {
    const request = { ...firstRows(1), isBackward, from: ["a", "b"] }
    await expect(readPage(countingList(ROWS), request)).rejects.toMatchObject({
      code: "invalid_input",
      details: { attr },
    })
  })
})

describe("the key of a row", () => {
  const column = (kind: KeyKind, more: Partial<OrderColumn> = {}): OrderColumn => ({
    property: "value",
    kind,
    isDescending: false,
    ...more,
  })

  test.each<[OrderColumn, unknown, KeyValue]>([
    [column("time"), new Date(5), 5],
    [column("text", { maxCharacters: 2 }), "🦔🦔🦔", "🦔🦔"],
    [column("boolean"), true, true],
    [column("text", { isNullable: true }), null, null],
  ])("holds what the row is ordered by, %#", (one, value, key) => {
    expect(readKey([one], { value })).toEqual([key])
  })

  test("is never made of what cannot be compared", () => {
    expect(() => readKey([column("text")], { value: {} })).toThrow("cannot be ordered by value")
  })

  test.each<[KeyKind, KeyValue]>([
    ["time", 1.5],
    ["time", 1e17],
    ["time", "2026-01-01"],
    ["integer", 0.5],
    ["number", "1"],
    ["text", "a\u0000"],
    ["text", "\ud800"],
    ["text", null],
    ["boolean", 1],
    ["uuid", "not one"],
  ])("of %s is never %j", (kind, value) => {
    expect(fitsOrder([column(kind)], [value])).toBe(false)
  })

  test("has a value for each column", () => {
    expect(fitsOrder([column("integer")], [])).toBe(false)
    expect(fitsOrder([column("integer")], [1, 2])).toBe(false)
    expect(fitsOrder([column("integer")], [1])).toBe(true)
  })
})
