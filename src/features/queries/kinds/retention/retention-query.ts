import type { Json, JsonObject } from "../../../../kernel/json.js"
import { compareLines, isOtherValue } from "../../insights/breakdown.js"
import { checkPoints, needsPacking, packed, unpacked } from "../../insights/points.js"
import { cumulate } from "../../insights/sums.js"
import { showTime } from "../../insights/wire-value.js"
import { toAnswer } from "../answer.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { selectAggregated } from "./aggregated-returns.js"
import { listColumns, toColumnLabel } from "./columns.js"
import { needsPlaces, selectPlacedRetention } from "./placed-returns.js"
import { type Retention, readRetention } from "./read-retention.js"
import { selectRetention } from "./returns-select.js"

/**
 * Kind `RetentionQuery`: who came back, by the interval in which they came (`docs/contract/queries.md#retentionquery`).
 */
export const retentionQuery: KindDefinition = {
  kind: "RetentionQuery",
  async answer(reader, context) {
    const retention = await readRetention(reader, context)
    if (retention.value !== null) {
      if (retention.breakdown !== null)
        throw reader.fault("breakdownFilter", "cannot be used with aggregationType sum or avg")
      const found = await context.select(selectAggregated(retention, retention.value))
      return toAnswer(toAggregatedRows(found.rows, retention), [found])
    }
    if (needsPlaces(retention)) {
      const isPacked = needsPacking(countCells(retention), retention.breakdown)
      const query = selectPlacedRetention(retention)
      const found = await context.select(isPacked ? packed(query, PLACED_COLUMNS, "value") : query)
      const rows = isPacked ? unpacked(found.rows, PLACED_COLUMNS.indexOf("value")) : found.rows
      return toAnswer(toPlacedRows(rows, retention), [found])
    }
    const found = await context.select(selectRetention(retention))
    const counts = new Map(found.rows.map(([start, back, count]) => [`${start} ${back}`, Number(count)]))
    const { buckets } = retention
    const readCount = (start: number, place: number) =>
      counts.get(`${buckets[start]?.key} ${buckets[start + place]?.key}`) ?? 0
    return toAnswer(toRows(retention, readCount), [found])
  },
}

/** Rows `(start, back, actors, value)` as an answer: cells with both. */
function toAggregatedRows(rows: readonly (readonly Json[])[], retention: Retention): JsonObject[] {
  const cells = new Map(rows.map(([start, back, count, value]) => [`${start} ${back}`, [Number(count), Number(value)]]))
  const { buckets } = retention
  const readCell = (start: number, place: number) => cells.get(`${buckets[start]?.key} ${buckets[start + place]?.key}`)
  const shown = toRows(retention, (start, place) => readCell(start, place)?.[0] ?? 0)
  return shown.map((row, start) => ({
    ...row,
    values: row.values.map((cell, place) => ({ ...cell, aggregation_value: readCell(start, place)?.[1] ?? 0 })),
  }))
}

const PLACED_COLUMNS = ["start", "place", "value", "actors"]

/** Numbers of one value's rows. */
const countCells = ({ buckets }: Retention): number => (buckets.length * (buckets.length + 1)) / 2

/** A row of the triangle. */
type CohortRow = { label: string; date: Json; values: { label: string; count: number }[] }

/** One row per interval, each with the columns that have started since. */
function toRows(retention: Retention, readCount: (start: number, place: number) => number): CohortRow[] {
  const { period, buckets, isCumulative, timezone } = retention
  const columns = listColumns(retention)
  return buckets.map((start, index) => {
    const started = columns.filter(({ from }) => from < buckets.length - index)
    const exact = started.map((_, place) => readCount(index, place))
    const shown = isCumulative ? cumulate(exact.toReversed()).toReversed() : exact
    return {
      label: `${period} ${index}`,
      date: showTime(new Date(start.startMs).toISOString(), timezone),
      values: started.map((column, place) => ({ label: toColumnLabel(period, column), count: shown[place] ?? 0 })),
    }
  })
}

interface ValueRows {
  readonly breakdown: Json
  began: number
  readonly counts: Map<string, number>
}

/** Rows `(start, place, value, actors)` as an answer: one list, or one after the other per value, the one with the most first. */
function toPlacedRows(rows: Iterable<readonly Json[]>, retention: Retention): JsonObject[] {
  const { buckets, breakdown, isCumulative } = retention
  const values = new Map<string, ValueRows>()
  for (const [start, place, value = "", actors] of rows) {
    const key = JSON.stringify(value)
    const found = values.get(key) ?? { breakdown: value, began: 0, counts: new Map() }
    values.set(key, found)
    found.counts.set(`${start} ${place}`, Number(actors))
    if (isCumulative || Number(place) === 0) found.began += Number(actors)
  }
  checkPoints(values.size * countCells(retention))
  const toList = ({ counts }: Pick<ValueRows, "counts">) =>
    toRows(retention, (start, place) => counts.get(`${buckets[start]?.key} ${place}`) ?? 0)
  if (breakdown === null) return toList(values.values().next().value ?? { counts: new Map() })
  return [...values.values()]
    .sort(compareLines(({ began }) => began))
    .filter((item) => !(breakdown.hidesOther && isOtherValue(item.breakdown)))
    .flatMap((item) => toList(item).map((row) => ({ ...row, breakdown_value: item.breakdown })))
}
