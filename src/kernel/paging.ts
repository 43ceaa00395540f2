import type { RowKey } from "./list-order.js"

/** A window on a list: `limit` rows starting at `offset`, both counted in rows. */
export interface OffsetWindow {
  readonly limit: number
  readonly offset: number
}

/** What is asked of a list: some rows from one of its ends, or beyond the row that has a key. */
export interface PageRequest {
  /** Rows at most. */
  readonly limit: number
  /** From the end of the list towards its beginning. The rows still come in the order of the list. */
  readonly isBackward: boolean
  /** The page lies beyond the row of this key, which need not be there any more; null for the end of the list. */
  readonly from: RowKey | null
  /** Rows skipped from there: REST pages by them. */
  readonly offset: number
  /** The total will be asked for, so that a store may find it out in the same statement. */
  readonly isCounted?: boolean
}

/** One page of a list in a total order, whatever the protocol that shows it. */
export interface ListPage<T> {
  readonly items: readonly T[]
  /** What the list orders each item by. */
  readonly keys: readonly RowKey[]
  /** Whether rows follow the page. */
  hasNext(): Promise<boolean>
  /** Whether rows precede the page. */
  hasPrevious(): Promise<boolean>
  /** Rows of the whole list; counted when it is asked for. */
  countAll(): Promise<number>
}

/** The page with its items shown otherwise. */
export const mapPage = <T, Shown>(page: ListPage<T>, show: (item: T) => Shown): ListPage<Shown> => ({
  ...page,
  items: page.items.map(show),
})

/** The page of a list that can have no rows. */
export const EMPTY_PAGE: ListPage<never> = {
  items: [],
  keys: [],
  hasNext: async () => false,
  hasPrevious: async () => false,
  countAll: async () => 0,
}

/** The first rows of a list, for callers inside that want no page. */
export const firstRows = (limit: number): PageRequest => ({ limit, isBackward: false, from: null, offset: 0 })

/** Rows of a page when none are asked for (`docs/contract/management.md#paging`). */
export const DEFAULT_PAGE_SIZE = 100
/** Larger requests are cut to this (`docs/contract/management.md#paging`). */
export const MAX_PAGE_SIZE = 1000
/** Rows of a page of recordings when none are asked for (`docs/contract/management.md#paging`). */
export const RECORDINGS_PAGE_SIZE = 50

/**
 * Reads REST paging parameters. An unusable `limit` or `offset` is ignored, never an error
 * (`docs/contract/management.md#paging`). Whole numbers beyond what can be asked for are cut, not ignored: whoever
 * pages too far must not get the first page again. The largest offset is what PostgreSQL and ClickHouse accept as a
 * 64-bit integer that JavaScript writes exactly.
 */
export function toOffsetWindow(
  limit: string | null,
  offset: string | null,
  defaultLimit = DEFAULT_PAGE_SIZE,
): OffsetWindow {
  const wanted = toCount(limit)
  return {
    limit: wanted === null || wanted === 0 ? defaultLimit : Math.min(wanted, MAX_PAGE_SIZE),
    offset: toCount(offset) ?? 0,
  }
}

/** In an address a plus arrives as a space. */
const WHOLE_NUMBER = /^\s*\+?(\d+)\s*$/

function toCount(text: string | null): number | null {
  const digits = WHOLE_NUMBER.exec(text ?? "")?.[1]
  return digits === undefined ? null : Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}
