import { isUuid } from "./ids.js"
import { toStorableText } from "./json.js"

/** A value that rows are ordered by, as JSON can write it; times in milliseconds since the epoch. */
export type KeyValue = string | number | boolean | null

/** What a row is ordered by, column after column; no two rows of a list have the same. */
export type RowKey = readonly KeyValue[]

/** What a column holds. `integer` is a whole number that JavaScript writes exactly. */
export type KeyKind = "time" | "integer" | "number" | "text" | "boolean" | "uuid"

/** One column of the order of a list. */
export interface OrderColumn {
  /** Property of a row that holds the value. */
  readonly property: string
  readonly kind: KeyKind
  readonly isDescending: boolean
  /** A null is larger than every value, as PostgreSQL has it. */
  readonly isNullable?: boolean
  /** Of a text only so many characters count, so that a key stays small. */
  readonly maxCharacters?: number
}

/** The terms of a store's language in which a condition on columns is written. */
export interface ConditionTerms<Column, Condition> {
  compare(column: Column, sign: "<" | "<=" | ">" | ">=" | "=", value: string | number | boolean): Condition
  isNull(column: Column, isWanted: boolean): Condition
  all(conditions: readonly Condition[]): Condition
  any(conditions: readonly Condition[]): Condition
}

/** The first and the last time of a key, in milliseconds: the years 1 to 9999, which every store can compare with. */
const TIMES = { first: Date.parse("0001-01-01T00:00:00Z"), last: Date.parse("9999-12-31T23:59:59.999Z") }

/** The key of a row. A value that is none of a column is a defect. */
export function readKey(order: readonly OrderColumn[], row: object): RowKey {
  return order.map((column) => {
    const value: unknown = Reflect.get(row, column.property)
    const key = value instanceof Date ? value.getTime() : value
    if (typeof key === "string") return cutCharacters(key, column)
    if (key === null || typeof key === "number" || typeof key === "boolean") return key
    throw new TypeError(`a row cannot be ordered by ${column.property}`)
  })
}

/** Whether what came from outside can be the key of a row of this order. */
export function fitsOrder(order: readonly OrderColumn[], key: RowKey): boolean {
  return key.length === order.length && order.every((column, index) => fitsColumn(column, key[index] ?? null))
}

function fitsColumn({ kind, isNullable }: OrderColumn, value: KeyValue): boolean {
  if (value === null) return isNullable === true
  switch (kind) {
    case "time":
      return Number.isSafeInteger(value) && Number(value) >= TIMES.first && Number(value) <= TIMES.last
    case "integer":
      return Number.isSafeInteger(value)
    case "number":
      return Number.isFinite(value)
    case "boolean":
      return typeof value === "boolean"
    case "uuid":
      return typeof value === "string" && isUuid(value)
    case "text":
      return typeof value === "string" && toStorableText(value) === value
  }
}

/**
 * The condition that rows lie beyond a key, read in the order of the list or backward. Its first part bounds the first
 * column alone, so that an index is entered there rather than read from its beginning. The terms are asked for in the
 * order in which they stand, for languages that know values by their places alone.
 */
export function toBeyond<Column extends OrderColumn, Condition>(
  order: readonly Column[],
  key: RowKey,
  isBackward: boolean,
  terms: ConditionTerms<Column, Condition>,
): Condition {
  const isRising = ({ isDescending }: Column): boolean => isDescending === isBackward
  const equal = (column: Column, value: KeyValue): Condition =>
    value === null ? terms.isNull(column, true) : terms.compare(column, "=", value)
  const beyond = (column: Column, value: KeyValue): (() => Condition)[] => {
    if (value === null) return isRising(column) ? [] : [() => terms.isNull(column, false)]
    if (!isRising(column)) return [() => terms.compare(column, "<", value)]
    const larger = () => terms.compare(column, ">", value)
    return column.isNullable === true ? [larger, () => terms.isNull(column, true)] : [larger]
  }
  const pairs = order.map((column, index) => [column, key[index] ?? null] as const)
  const listAlternatives = (): Condition[] =>
    pairs.flatMap(([column, value], index) =>
      beyond(column, value).map((last) => terms.all([...pairs.slice(0, index).map((pair) => equal(...pair)), last()])),
    )
  const [first, firstValue] = pairs[0] ?? []
  if (first === undefined || firstValue == null || first.isNullable === true) return terms.any(listAlternatives())
  return terms.all([terms.compare(first, isRising(first) ? ">=" : "<=", firstValue), terms.any(listAlternatives())])
}

/** Characters as stores count them: code points. */
function cutCharacters(text: string, { maxCharacters }: OrderColumn): string {
  return maxCharacters === undefined || text.length <= maxCharacters ? text : [...text].slice(0, maxCharacters).join("")
}
