/** A window on a list: `limit` rows starting at `offset`, both counted in rows. */
export interface OffsetWindow {
  readonly limit: number
  readonly offset: number
}

/** One page of a list with the true total, whatever the protocol that shows it. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly totalCount: number
}

/** Rows of a page when none are asked for (`docs/contract/management.md#paging`). */
export const DEFAULT_PAGE_SIZE = 100
/** Larger requests are cut to this (`docs/contract/management.md#paging`). */
export const MAX_PAGE_SIZE = 1000

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
