import type { Query } from "../../../hogql/index.js"
import { AppError } from "../../../kernel/errors.js"
import type { Json } from "../../../kernel/json.js"
import type { Breakdown } from "./breakdown.js"
import { template } from "./template.js"

/** Most numbers of one answer: intervals times values of a breakdown, of all series and periods (decision 0034). */
const MAX_POINTS = 500_000
/** Up to so many points are read as a row each, which is quickest. */
const MAX_PLAIN_POINTS = 50_000

/** Whether the points of all breakdown values may be more than are read as a row each. */
export const needsPacking = (pointsOfValue: number, breakdown: Breakdown | null): boolean =>
  breakdown !== null && pointsOfValue * (breakdown.limit + 1) > MAX_PLAIN_POINTS

/**
 * Packs rows into one row per value of a column, whose other columns are lists: `(day 1, a, 5), (day 2, a, 6)` becomes
 * `([day 1, day 2], a, [5, 6])`. Much less is sent and read, and the row limit only bounds the number of values. At most one row
 * more than `MAX_POINTS` is packed, which `checkPoints` refuses.
 *
 * @param columns all of the columns, `by` among them
 */
export function packed(rows: Query, columns: readonly string[], by: string): Query {
  const others = columns.filter((name) => name !== by)
  const shown = columns.map((name) =>
    name === by ? by : `arrayMap(point -> point.${others.indexOf(name) + 1}, points) AS ${name}_list`,
  )
  return template(
    `SELECT ${shown.join(", ")}
     FROM (
       SELECT ${by}, groupArray(tuple(${others.join(", ")})) AS points
       FROM (SELECT ${columns.join(", ")} FROM {rows} LIMIT ${MAX_POINTS + 1})
       GROUP BY ${by}
     )`,
    { rows },
  )
}

/** The rows that `packed` has packed. `byIndex` is the index of the column that is no list. */
export function* unpacked(rows: readonly (readonly Json[])[], byIndex: number): Generator<readonly Json[]> {
  for (const row of rows) {
    const lists = row.map((value, index) => (index === byIndex || !Array.isArray(value) ? null : value))
    const { length } = lists.find((list) => list !== null) ?? []
    for (let at = 0; at < length; at++)
      yield row.map((value, index) => lists[index]?.[at] ?? (index === byIndex ? value : null))
  }
}

/** @throws AppError hogql_query_error for an answer of more points than any chart can show. */
export function checkPoints(count: number): void {
  if (count <= MAX_POINTS) return
  throw new AppError("hogql_query_error", {
    detail: `The answer has more than ${MAX_POINTS} numbers: intervals times values of the breakdown, of all series. Ask for fewer of them.`,
  })
}
