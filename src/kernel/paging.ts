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

export const DEFAULT_PAGE_SIZE = 100
/** Larger requests are cut to this (`decisions.md`, "Paging"). */
export const MAX_PAGE_SIZE = 1000

/**
 * Reads REST paging parameters. An unusable `limit` or `offset` is ignored, never an error (`decisions.md`, "Paging");
 * the largest offset is what PostgreSQL and ClickHouse accept as a 64-bit integer that JavaScript writes exactly.
 */
export function toOffsetWindow(limit: unknown, offset: unknown, defaultLimit = DEFAULT_PAGE_SIZE): OffsetWindow {
  const wanted = toCount(limit)
  return {
    limit: wanted === null || wanted === 0 ? defaultLimit : Math.min(wanted, MAX_PAGE_SIZE),
    offset: toCount(offset) ?? 0,
  }
}

function toCount(value: unknown): number | null {
  const text = typeof value === "number" ? String(value) : value
  if (typeof text !== "string" || !/^\d{1,16}$/.test(text)) return null
  const count = Number(text)
  return Number.isSafeInteger(count) ? count : null
}
