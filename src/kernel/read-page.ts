import { AppError } from "./errors.js"
import { fitsOrder, type OrderColumn, readKey } from "./list-order.js"
import type { ListPage, PageRequest } from "./paging.js"

/** Rows of a range, in the direction in which it is read. */
export interface RangeRows<Row> {
  readonly rows: readonly Row[]
  /** These are fewer than asked for, though there are more. */
  readonly isCut?: boolean
  /** Rows of the whole list, where the statement tells that as well. */
  readonly total?: number
}

/** A list in a store: rows in a total order, of which any range can be read. */
export interface OrderedList<Row> {
  /** Ends with what makes a row's key its own. */
  readonly order: readonly OrderColumn[]
  read(range: PageRequest): Promise<RangeRows<Row>>
  /** Counts the whole list. */
  count(): Promise<number>
}

/**
 * Reads a page of a list. Whether rows lie on the side that it was entered from and how many there are in all is found
 * out when it is asked for, once.
 * @throws AppError invalid_input naming `after` or `before` when the key is none of the list.
 */
export async function readPage<Row extends object>(
  list: OrderedList<Row>,
  request: PageRequest,
): Promise<ListPage<Row>> {
  const { from, isBackward, limit, offset } = request
  const toKey = (row: Row) => readKey(list.order, row)
  checkKey(list.order, request)
  // One row more than asked for tells whether the list goes on.
  const { rows, isCut = false, total } = await list.read({ ...request, limit: limit + 1 })
  const near = rows.slice(0, limit)
  const items = isBackward ? near.toReversed() : near
  const goesOn = async (): Promise<boolean> => isCut || rows.length > limit
  const hasBehind = once(async () => {
    if (from === null && offset === 0) return false
    const start = near[0] === undefined ? null : toKey(near[0])
    return (await list.read({ from: start, isBackward: !isBackward, limit: 1, offset: 0 })).rows.length > 0
  })
  return {
    items,
    keys: items.map(toKey),
    hasNext: isBackward ? hasBehind : goesOn,
    hasPrevious: isBackward ? goesOn : hasBehind,
    countAll: once(async () => total ?? list.count()),
  }
}

function checkKey(order: readonly OrderColumn[], { from, isBackward }: PageRequest): void {
  if (from === null || fitsOrder(order, from)) return
  const attr = isBackward ? "before" : "after"
  throw new AppError("invalid_input", { attr, detail: `${attr} is not a cursor of this list.` })
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= work()
    return running
  }
}
