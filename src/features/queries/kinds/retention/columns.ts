import type { Retention } from "./read-retention.js"

/** One column of a retention: the intervals after the one that began, both ends included. Column 0 is that one itself. */
export interface Column {
  readonly from: number
  readonly to: number
}

/** Columns that a retention may have, in order: one per interval, or what its brackets say. */
export function listColumns({ buckets, brackets }: Retention): Column[] {
  if (brackets === null) return buckets.map((_, place) => ({ from: place, to: place }))
  const columns: Column[] = [{ from: 0, to: 0 }]
  for (const size of brackets) {
    const from = (columns.at(-1)?.to ?? 0) + 1
    columns.push({ from, to: from + size - 1 })
  }
  return columns
}

/** "Day 3", "Week 2-4". */
export const toColumnLabel = (period: string, { from, to }: Column): string =>
  from === to ? `${period} ${from}` : `${period} ${from}-${to}`
