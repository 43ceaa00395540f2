import type { Json, JsonObject } from "../../../../kernel/json.js"
import { OTHER_BREAKDOWN } from "../../insights/breakdown.js"
import { checkPoints, needsPacking, packed, unpacked } from "../../insights/points.js"
import { orQueryFault } from "../../insights/query-fault.js"
import { QueryReader } from "../../insights/query-reader.js"
import { showTime } from "../../insights/wire-value.js"
import type { QueryKind } from "../../queries.types.js"
import { answerOf } from "../answer.js"
import type { HogqlRunner } from "../hogql-runner.js"
import { cumulated } from "../trends/trend-results.js"
import { columnLabel, columnsOf } from "./columns.js"
import { needsPlaces, placedRetention } from "./placed-returns.js"
import { type Retention, readRetention } from "./read-retention.js"
import { retentionSelect } from "./returns-select.js"

/** Kind `RetentionQuery`: who came back, by the interval in which they came (`reference/management.md` 7.8). */
export function createRetentionQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "RetentionQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "RetentionQuery")
      const scope = await runner.scopeOf(run)
      const retention = await orQueryFault(() => readRetention(reader, scope, run))
      if (needsPlaces(retention)) {
        const isPacked = needsPacking(cellsOf(retention), retention.breakdown)
        const query = await placedRetention(retention)
        const answer = await runner.runNodes(isPacked ? await packed(query, PLACED_COLUMNS, "value") : query, run)
        const rows = isPacked ? unpacked(answer.rows, PLACED_COLUMNS.indexOf("value")) : answer.rows
        return answerOf(placedRows(rows, retention), [answer])
      }
      const answer = await runner.runNodes(await retentionSelect(retention), run)
      const counts = new Map(answer.rows.map(([start, back, count]) => [`${start} ${back}`, Number(count)]))
      const { buckets } = retention
      const countOf = (start: number, place: number) =>
        counts.get(`${buckets[start]?.key} ${buckets[start + place]?.key}`) ?? 0
      return answerOf(toRows(retention, countOf), [answer])
    },
  }
}

const PLACED_COLUMNS = ["start", "place", "value", "actors"]

/** Numbers of one value's rows. */
const cellsOf = ({ buckets }: Retention): number => (buckets.length * (buckets.length + 1)) / 2

/** One row per interval, each with the columns that have begun since. */
function toRows(retention: Retention, countOf: (start: number, place: number) => number): JsonObject[] {
  const { period, buckets, isCumulative, timezone } = retention
  const columns = columnsOf(retention)
  return buckets.map((start, index) => {
    const begun = columns.filter(({ from }) => from < buckets.length - index)
    const exact = begun.map((_, place) => countOf(index, place))
    const shown = isCumulative ? cumulated(exact.toReversed()).toReversed() : exact
    return {
      label: `${period} ${index}`,
      date: showTime(new Date(start.startMs).toISOString(), timezone),
      values: begun.map((column, place) => ({ label: columnLabel(period, column), count: shown[place] ?? 0 })),
    }
  })
}

interface ValueRows {
  readonly value: Json
  began: number
  readonly counts: Map<string, number>
}

/** Rows `(start, place, value, actors)` as an answer: one list, or one after the other per value, the one with the most first. */
function placedRows(rows: Iterable<readonly Json[]>, retention: Retention): JsonObject[] {
  const { buckets, breakdown, isCumulative } = retention
  const values = new Map<string, ValueRows>()
  for (const [start, place, value = "", actors] of rows) {
    const key = JSON.stringify(value)
    const found = values.get(key) ?? { value, began: 0, counts: new Map() }
    values.set(key, found)
    found.counts.set(`${start} ${place}`, Number(actors))
    if (isCumulative || Number(place) === 0) found.began += Number(actors)
  }
  checkPoints(values.size * cellsOf(retention))
  const listOf = ({ counts }: ValueRows) =>
    toRows(retention, (start, place) => counts.get(`${buckets[start]?.key} ${place}`) ?? 0)
  if (breakdown === null) return listOf(values.values().next().value ?? { value: "", began: 0, counts: new Map() })
  const isOther = ({ value }: ValueRows) => [value].flat().includes(OTHER_BREAKDOWN)
  const sorted = [...values.values()].sort(
    (a, b) =>
      Number(isOther(a)) - Number(isOther(b)) ||
      b.began - a.began ||
      (JSON.stringify(a.value) < JSON.stringify(b.value) ? -1 : 1),
  )
  return sorted
    .filter((item) => !(breakdown.hidesOther && isOther(item)))
    .flatMap((item) => listOf(item).map((row) => ({ ...row, breakdown_value: item.value })))
}
