import type { QueryReader } from "../../insights/query-reader.js"

/** What the rows of a web kind are ordered by. */
export interface WebOrder {
  /** The place of it, as the kind has them. */
  readonly place: number
  readonly direction: "ASC" | "DESC"
}

/**
 * Reads `orderBy`: `[what, "ASC" | "DESC"]`; null for the kind's own order.
 * @param places what rows can be ordered by, with the place of each
 * @throws AppError parse_error
 */
export function readWebOrder(reader: QueryReader, places: ReadonlyMap<string, number>): WebOrder | null {
  const written = reader.strings("orderBy", { max: 2 })
  if (written === null || written.length === 0) return null
  const [what = "", direction = "DESC"] = written
  const place = places.get(what)
  if (place === undefined) throw reader.fault("orderBy", `must begin with one of: ${[...places.keys()].join(", ")}`)
  if (direction !== "ASC" && direction !== "DESC") throw reader.fault("orderBy", "must end with ASC or DESC")
  return { place, direction }
}

/** The order in a SELECT whose columns have these places, in front of another. */
export const toOrderText = (order: WebOrder | null): string =>
  order === null ? "" : `${order.place} ${order.direction}, `
