import { type ConditionTerms, type KeyValue, type OrderColumn, type RowKey, readKey, toBeyond } from "./list-order.js"
import type { OrderedList } from "./read-page.js"

type Test = (row: object) => boolean

/** A list whose rows are all in memory, in whatever order they come; for lists that are short by nature. */
export function orderInMemory<Row extends object>(
  order: readonly OrderColumn[],
  all: readonly Row[],
): OrderedList<Row> {
  const sorted = all.toSorted((a, b) => compareKeys(order, readKey(order, a), readKey(order, b)))
  return {
    order,
    read: async ({ from, isBackward, limit, offset }) => {
      const directed = isBackward ? sorted.toReversed() : sorted
      const beyond = from === null ? directed : directed.filter(toBeyond(order, from, isBackward, TERMS))
      return { rows: beyond.slice(offset, offset + limit) }
    },
    count: async () => sorted.length,
  }
}

const TERMS: ConditionTerms<OrderColumn, Test> = {
  compare: (column, sign, value) => (row) => {
    const stored = readValue(column, row)
    if (stored === null) return false
    const sum = compareValues(stored, value)
    return (sum < 0 && sign.startsWith("<")) || (sum > 0 && sign.startsWith(">")) || (sum === 0 && sign.endsWith("="))
  },
  isNull: (column, isWanted) => (row) => (readValue(column, row) === null) === isWanted,
  all: (tests) => (row) => tests.every((test) => test(row)),
  any: (tests) => (row) => tests.some((test) => test(row)),
}

const readValue = (column: OrderColumn, row: object): KeyValue => readKey([column], row)[0] ?? null

function compareKeys(order: readonly OrderColumn[], a: RowKey, b: RowKey): number {
  for (const [index, { isDescending }] of order.entries()) {
    const sum = compareValues(a[index] ?? null, b[index] ?? null)
    if (sum !== 0) return isDescending ? -sum : sum
  }
  return 0
}

function compareValues(a: KeyValue, b: KeyValue): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}
